// Personal tokens for programs: each belongs to a person, ends within a year, and is shown once.

import { instant, line, listed, nameOf, word } from '../../domain/input-kinds.ts';
import { PERSON_ROLES } from '../../domain/people/roles.ts';
import { tokenEndFault } from '../../domain/people/token-scope.ts';
import { shown } from '../../domain/text.ts';
import { makeToken } from '../../processing/people/personal-tokens.ts';
import type { StoredToken } from '../../storage/people/tokens.ts';
import { type Answered, aList, aMoment, anObject, aText, aWord, orNull, told, toldOnce } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { minute, rowsOf } from '../verb/table.ts';
import { defineVerb } from '../verb/verb.ts';
import { namedPerson, personOf } from './people.ts';

const MAX_LABEL = 60;

const tokenMembers = {
  tokenId: told(aText('How it begins.'), 'token'),
  person: told(aText()),
  label: told(aText()),
  scope: told(aText('A role, or the verbs it is for.')),
  state: aWord(['valid', 'ended', 'revoked']),
  createdAt: aMoment(),
  endsAt: told(aMoment()),
  usedAt: orNull(aMoment('When it was last used, to the minute.')),
};
const tokenView = anObject(tokenMembers);

export const addToken = defineVerb({
  name: 'addToken',
  command: 'token add',
  summary: 'make a token for a person, and print it once',
  merchants: 'own',
  example: 'tender token add ann --label nightly-report --role viewer --until 2027-06-30T00:00:00Z',
  role: 'administrator',
  conduct: 'change',
  inPerson: true,
  given: {
    name: mustGive(namedPerson, 'whose it is', { as: '<name>', told: 'person' }),
    label: mustGive(line(MAX_LABEL), 'what it is for', { as: '--label <text>', told: true }),
    until: mustGive(instant, 'when it ends, within a year', { as: '--until <moment>' }),
    role: mayGive(word(PERSON_ROLES), 'the verbs of this role, as far as the person has it', {
      as: '--role <role>',
      told: true,
    }),
    verbs: mayGive(listed(nameOf('the name of a verb')), 'only these verbs, such as listOrders,showOrder', {
      as: '--verbs <names>',
      told: true,
    }),
  },
  answer: anObject({ ...tokenMembers, token: toldOnce(aText('It is shown this once.')) }),
  run: async ({ name, label, until, role, verbs }, parts) => {
    const { asker, clock, staff, verbNames } = parts;
    if (asker !== undefined && asker !== name) {
      throw new InvalidInput("a token is made by its owner, or by a command on the gateway's own machine");
    }
    await personOf(parts, name);
    const faults = [
      tokenEndFault(until, clock.now()),
      (role === undefined) === (verbs === undefined) ? 'a role or verbs are needed, and not both' : undefined,
      ...(verbs ?? []).map((verb) => (verbNames?.has(verb) ? undefined : `there is no verb ${shown(verb)}`)),
    ].filter((one) => one !== undefined);
    if (faults.length > 0) throw new InvalidInput(...faults);
    const { token, secret } = makeToken({ person: name, label, role, verbs, endsAt: until }, clock.now());
    await staff.tokens.add(token);
    return { ...viewOf(token, clock.now()), token: secret.reveal() };
  },
  show: ({ token, person, endsAt }) =>
    [
      `Token of ${person}: ${token}`,
      `It is shown this once and cannot be read again: keep it safe. It ends at ${minute(endsAt)}.`,
    ].join('\n'),
});

export const listTokens = defineVerb({
  name: 'listTokens',
  command: 'token list',
  summary: 'list the tokens of a person, or all, never the tokens themselves',
  merchants: 'own',
  role: 'administrator',
  conduct: 'read',
  given: { name: mayGive(namedPerson, 'only those of this person', { as: '[name]' }) },
  answer: aList(tokenView),
  run: async ({ name }, parts) => {
    if (name !== undefined) await personOf(parts, name);
    const now = parts.clock.now();
    return (await parts.staff.tokens.list(name)).map((one) => viewOf(one, now));
  },
  show: rowsOf(
    {
      TOKEN: (one) => one.tokenId,
      PERSON: (one) => one.person,
      LABEL: (one) => one.label,
      FOR: (one) => one.scope,
      STATE: (one) => one.state,
      UNTIL: (one) => minute(one.endsAt),
      USED: (one) => minute(one.usedAt),
    },
    'There are no tokens; make one with: tender token add <name>',
  ),
});

export const revokeToken = defineVerb({
  name: 'revokeToken',
  command: 'token revoke',
  summary: 'let a token end now',
  merchants: 'own',
  role: 'administrator',
  conduct: 'change',
  given: { tokenId: mustGive(nameOf('the beginning of a token'), 'the token', { as: '<token-id>', told: 'token' }) },
  answer: tokenView,
  run: async ({ tokenId }, { clock, staff }) => {
    const token = await staff.tokens.revoke(tokenId, clock.now());
    if (!token) throw new InvalidInput(`there is no valid token ${shown(tokenId)}; "tender token list" shows all`);
    return viewOf(token, clock.now());
  },
  show: ({ tokenId, person }: Answered<typeof tokenView>) => `Token ${tokenId} of ${person} is revoked.`,
});

function viewOf(token: StoredToken, now: number) {
  const { role, verbs = [], revokedAt, endsAt } = token;
  const state = revokedAt !== undefined ? 'revoked' : endsAt <= now ? 'ended' : 'valid';
  return { ...token, scope: role ?? verbs.join(', '), state } as const;
}
