// The people of one merchant, with their sessions and tokens, as their own administrators reach them: nobody else is
// there, and nobody can be added who does not belong to the merchant.

import { shown } from '../../domain/text.ts';
import type { StoredPerson } from '../../storage/people/people.ts';
import type { PeopleStores } from '../../storage/people/stores.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { mustBe, onlyOpen } from './closed-parts.ts';

export function narrowedStaff(merchantId: number, staff: PeopleStores): PeopleStores {
  const { people, passkeys, sessions, tokens, failures } = staff;
  const isOwn = (one: { readonly merchantId?: number | undefined }) => one.merchantId === merchantId;
  const look = async (name: string) => {
    const person = await people.look(name);
    return person && isOwn(person) ? person : undefined;
  };
  const ofOwn = async (name: string): Promise<string> => mustBe(isOwn, (await people.look(name)) ?? {}) && name;
  const list = async () => (await people.list()).filter(isOwn);
  const ownTokens = async (person?: string) => {
    const names = new Set((await list()).map(({ name }) => name));
    return (await tokens.list(person)).filter((token) => names.has(token.person));
  };
  return {
    people: onlyOpen('people', {
      look,
      list,
      add: (person) => addOwn(mustBe(isOwn, person), people),
      set: async (person) => people.set({ ...person, name: await ofOwn(person.name) }),
      setPassword: async (name, password) => people.setPassword(await ofOwn(name), password),
      setApp: async (name, app) => people.setApp(await ofOwn(name), app),
      setLink: async (name, link) => people.setLink(await ofOwn(name), link),
    }),
    passkeys: onlyOpen('passkeys', {
      list: async (name) => passkeys.list(await ofOwn(name)),
      removeAll: async (name) => passkeys.removeAll(await ofOwn(name)),
    }),
    sessions: onlyOpen('sessions', {
      list: async (name) => sessions.list(await ofOwn(name)),
      endAll: async (name, except) => sessions.endAll(await ofOwn(name), except),
    }),
    tokens: onlyOpen('tokens', {
      list: ownTokens,
      add: async (token) => tokens.add({ ...token, person: await ofOwn(token.person) }),
      revoke: async (tokenId, at, person) => {
        const isThere = (await ownTokens(person)).some((token) => token.tokenId === tokenId);
        return isThere ? tokens.revoke(tokenId, at, person) : undefined;
      },
      revokeAll: async (name, at) => tokens.revokeAll(await ofOwn(name), at),
    }),
    // Verbs ask for these by people whom they have found.
    failures: onlyOpen('failures', { find: failures.find, clear: failures.clear }),
    repeats: onlyOpen('repeats', {}),
  };
}

/** Names are those of all people, whoever they belong to: whoever wants one that is taken has to learn of it. */
async function addOwn(person: StoredPerson, people: PeopleStores['people']): Promise<void> {
  if (await people.look(person.name)) throw new InvalidInput(`there is a person ${shown(person.name)} already`);
  await people.add(person);
}
