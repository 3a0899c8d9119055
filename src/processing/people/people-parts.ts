// What signing in and accounts of people work with.

import type { Clock } from '../../domain/clock.ts';
import type { AuditStore } from '../../storage/audit.ts';
import type { PeopleStores } from '../../storage/people/stores.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Vault } from '../../vault/vault.ts';
import type { PasswordCost } from './password-hashes.ts';

/** How a try to sign in ended, for the metrics. */
export type SignInOutcome = 'signed in' | 'refused' | 'waits' | 'locked';

export type PeopleParts = {
  readonly clock: Clock;
  readonly mode: 'sandbox' | 'production';
  readonly log: Log;
  /** What hashing a password costs; as much as OWASP asks for unless given. */
  readonly passwordCost?: PasswordCost | undefined;
  readonly vault: Pick<Vault, 'seal' | 'reveal' | 'isStale' | 'freshen' | 'recordKey'>;
  readonly stores: PeopleStores;
  /** A change and its entry in the audit chain, in one transaction. */
  inTransaction<T>(work: (stores: PeopleStores, audit: AuditStore) => Promise<T>): Promise<T>;
  count(outcome: SignInOutcome): void;
  /** The address that browsers reach people's pages at, such as https://admin.example. */
  origin(): string;
};

/** Where a request came from. */
export type Visitor = {
  readonly address: string;
  /** What the browser calls itself, shortened. */
  readonly browser: string;
};
