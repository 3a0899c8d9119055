// Everything people need to come in and to look after their account, put together once.

import { PersonAccount } from './account.ts';
import { type FirstSignIn, firstSignIn } from './first-administrator.ts';
import { Passkeys } from './passkeys.ts';
import { PasswordHashes } from './password-hashes.ts';
import type { PeopleParts } from './people-parts.ts';
import { PersonalTokens } from './personal-tokens.ts';
import { PersonSessions } from './sessions.ts';
import { SignIn } from './sign-in.ts';

export type PeopleAccess = {
  readonly account: PersonAccount;
  firstSignIn(isSeen: boolean): Promise<FirstSignIn>;
  readonly passkeys: Passkeys;
  readonly sessions: PersonSessions;
  readonly signIn: SignIn;
  readonly tokens: PersonalTokens;
};

export function peopleAccess(parts: PeopleParts): PeopleAccess {
  const hashes = new PasswordHashes(parts.passwordCost);
  const sessions = new PersonSessions(parts);
  const signIn = new SignIn(parts, sessions, hashes);
  const passkeys = new Passkeys(parts, signIn);
  return {
    account: new PersonAccount(parts, { hashes, passkeys, signIn }),
    firstSignIn: (isSeen) => firstSignIn(parts, isSeen),
    passkeys,
    sessions,
    signIn,
    tokens: new PersonalTokens(parts),
  };
}
