// Everything that is kept about people, together.

import type { Database } from '../database.ts';
import type { Records } from '../records/records.ts';
import { type FailureStore, failureStore } from './failures.ts';
import { type PasskeyStore, passkeyStore } from './passkeys.ts';
import { type PeopleStore, peopleStore } from './people.ts';
import { type RepeatStore, repeatStore } from './repeats.ts';
import { type SessionStore, sessionStore } from './sessions.ts';
import { type TokenStore, tokenStore } from './tokens.ts';

export type PeopleStores = {
  readonly people: PeopleStore;
  readonly passkeys: PasskeyStore;
  readonly sessions: SessionStore;
  readonly tokens: TokenStore;
  readonly failures: FailureStore;
  readonly repeats: RepeatStore;
};

export function peopleStores(database: Database, records: Records): PeopleStores {
  return {
    people: peopleStore(database, records),
    passkeys: passkeyStore(database, records),
    sessions: sessionStore(database, records),
    tokens: tokenStore(database, records),
    failures: failureStore(database),
    repeats: repeatStore(database),
  };
}
