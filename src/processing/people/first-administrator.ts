// The administrator of a sandbox: made at its first start, with a one-time link that only its terminal shows. The link
// is made anew at each start until the administrator has chosen how to sign in.

import { createHash } from 'node:crypto';
import { type FirstStep, firstStep, type KnownPerson } from '../../domain/people/first-sign-in.ts';
import type { PeopleStores } from '../../storage/people/stores.ts';
import { makeLink, newPerson } from './one-time-links.ts';
import type { PeopleParts } from './people-parts.ts';

export const DEMO_ADMINISTRATOR = 'admin';

/** By its handle the person is known again; whoever is made by hand has a random one. */
const HANDLE = createHash('sha256').update('the administrator of a sandbox').digest();

const FIRST_START = 'the start of the sandbox';

export type FirstSignIn = {
  readonly step: FirstStep;
  /** Only where one was just made. */
  readonly link: string | undefined;
};

export type FirstSignInParts = Pick<PeopleParts, 'clock' | 'inTransaction' | 'mode' | 'origin' | 'stores'>;

/** `isSeen` says whether a person at a terminal reads what is told: a link must not get into logs. */
export async function firstSignIn(parts: FirstSignInParts, isSeen: boolean): Promise<FirstSignIn> {
  const { clock, inTransaction, mode, origin, stores } = parts;
  if (mode !== 'sandbox' || !isSeen) return { step: firstStep(await knownPeople(stores), false), link: undefined };
  return inTransaction(async (inside, audit) => {
    const step = firstStep(await knownPeople(inside), true);
    if (step !== 'add' && step !== 'renew') return { step, link: undefined };
    const [name, role, now] = [DEMO_ADMINISTRATOR, 'administrator', clock.now()] as const;
    if (step === 'add') await inside.people.add(newPerson({ name, role, enabled: true }, { now, handle: HANDLE }));
    // Whoever used the last link without choosing a way in is signed out.
    await inside.sessions.endAll(name);
    const { link } = await makeLink(inside.people, { name, now, origin: origin() });
    const action = step === 'add' ? 'addPerson' : 'resetPerson';
    const details = JSON.stringify(step === 'add' ? { name, role } : { name });
    await audit.append({ who: FIRST_START, action, subject: `person ${name}`, details }, now);
    return { step, link };
  });
}

async function knownPeople({ people, passkeys }: PeopleStores): Promise<KnownPerson[]> {
  const found: KnownPerson[] = [];
  for (const { name, enabled, handle, password } of await people.list()) {
    const hasWayIn = password !== undefined || (await passkeys.list(name)).length > 0;
    found.push({ isDemo: name === DEMO_ADMINISTRATOR && handle.equals(HANDLE), enabled, hasWayIn });
  }
  return found;
}
