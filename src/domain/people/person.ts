// A person who works with the gateway, and how much the way they came in lets them do.

import type { PersonRole } from './roles.ts';

export type Person = {
  /** Small letters, digits, dots, dashes and underscores; it never changes. */
  readonly name: string;
  readonly role: PersonRole;
  readonly enabled: boolean;
  /** Whose people they are, for whom only this merchant exists; undefined of those who run the gateway. */
  readonly merchantId?: number | undefined;
};

export const PERSON_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** How somebody signed in. A passkey asks for a finger, a face or a PIN by itself, so it is two factors. */
export type SignInWay = 'password' | 'password and code' | 'passkey' | 'link';

/** `whole`: everything the role allows. `setup`: only to choose a password, a passkey or an authenticator app. */
export type Reach = 'whole' | 'setup';

/** A one-time link never lets anybody work, and in production one factor does not either. */
export function reachOf(way: SignInWay, mode: 'sandbox' | 'production'): Reach {
  if (way === 'link') return 'setup';
  if (way === 'password') return mode === 'sandbox' ? 'whole' : 'setup';
  return 'whole';
}
