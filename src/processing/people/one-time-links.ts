// New people, and the one-time links by which they sign in for the first time and choose how from then on.

import { randomBytes } from 'node:crypto';
import type { Person } from '../../domain/people/person.ts';
import type { PeopleStore, StoredPerson } from '../../storage/people/people.ts';
import { newLinkCode, secretDigest } from './secret-texts.ts';

const LINK_MS = 24 * 60 * 60_000;
const HANDLE_BYTES = 32;

export type OneTimeLink = {
  readonly code: string;
  readonly codeEndsAt: number;
  /** Undefined where no gateway runs that would be the place to use it. */
  readonly link: string | undefined;
};

/** A person without any way in. */
export function newPerson(
  person: Person,
  { now, handle = randomBytes(HANDLE_BYTES) }: { now: number; handle?: Buffer },
): StoredPerson {
  return {
    ...{ merchantId: undefined, ...person, createdAt: now, handle },
    ...{ password: undefined, totp: undefined, totpSince: undefined, totpStep: 0, linkUntil: undefined },
  };
}

/** Makes a link, which takes the place of one that was made before. */
export async function makeLink(
  people: Pick<PeopleStore, 'setLink'>,
  { name, now, origin }: { name: string; now: number; origin: string | undefined },
): Promise<OneTimeLink> {
  const code = newLinkCode();
  const codeEndsAt = now + LINK_MS;
  await people.setLink(name, { digest: secretDigest(code), until: codeEndsAt });
  const said = code.reveal();
  // Behind a # it is in no log of any proxy.
  return { code: said, codeEndsAt, link: origin && `${origin}/first-sign-in#${said}` };
}
