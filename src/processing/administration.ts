// The administrator's verbs, from merchants and their keys to block lists and the bank's day, behind the running gateway's
// own door and behind the command line alike. What is given is checked here; what is answered is plain JSON.

import type { Clock } from '../domain/clock.ts';
import type { CallbackStore } from '../storage/callbacks.ts';
import type { ConfigurationStore } from '../storage/configuration.ts';
import type { DataKeyUse } from '../storage/data-keys.ts';
import { DatabaseError } from '../storage/database.ts';
import type { LookStore } from '../storage/looks.ts';
import type { RecurringStore } from '../storage/recurring.ts';
import type { ScreeningRuleStore } from '../storage/screening-rules.ts';
import type { CardReferenceStore, OrderStore } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';
import { type BankOffice, bankVerbs } from './administration/bank.ts';
import { callbackVerbs } from './administration/callbacks.ts';
import { cardVerbs } from './administration/cards.ts';
import { endpointVerbs } from './administration/endpoints.ts';
import type { Given } from './administration/given.ts';
import { groupVerbs } from './administration/groups.ts';
import { keyVerbs } from './administration/keys.ts';
import { lookVerbs } from './administration/looks.ts';
import { merchantVerbs } from './administration/merchants.ts';
import { type PayoutOffice, payoutVerbs } from './administration/payouts.ts';
import { recurringVerbs } from './administration/recurring.ts';
import { screeningVerbs } from './administration/screening.ts';
import { vaultVerbs } from './administration/vault.ts';
import type { KeyRotation } from './key-rotation.ts';

export { type Given, Unfit } from './administration/given.ts';

export type AdministrationParts = {
  /** Only in a running gateway. */
  readonly bank?: BankOffice | undefined;
  readonly callbacks: Pick<CallbackStore, 'list' | 'attempts' | 'replay'>;
  readonly cardReferences: Pick<CardReferenceStore, 'find' | 'list' | 'remove'>;
  readonly clock: Clock;
  readonly configuration: ConfigurationStore;
  dataKeyUse(): Promise<DataKeyUse[]>;
  readonly looks: Pick<LookStore, 'set'>;
  readonly mode: 'sandbox' | 'production';
  readonly orders: Pick<OrderStore, 'findOrderView'>;
  /** Only in a running gateway. */
  readonly payouts?: PayoutOffice | undefined;
  readonly recurring: RecurringStore;
  readonly rotation: KeyRotation;
  readonly rules: ScreeningRuleStore;
  readonly vault: Vault;
  /** What an operation or a field can be called. */
  readonly vocabulary: { readonly operations: readonly string[]; readonly fields: readonly string[] };
  /** Makes a running gateway use what was changed. */
  changed(): Promise<void>;
};

export type Verbs = ReturnType<typeof verbsOf>;
export type VerbName = keyof Verbs;
export type AnswerTo<V extends VerbName> = Awaited<ReturnType<Verbs[V]>>;

export type Administration = {
  /** Throws `Unfit` when something about what is given is wrong. */
  ask<V extends VerbName>(verb: V, given: Given): Promise<AnswerTo<V>>;
  has(verb: string): verb is VerbName;
};

/** How often a verb is begun again because another administrator was quicker with a number or a name. */
const MAX_TRIES = 5;
const UNIQUE_VIOLATION = '23505';

export function administration(parts: AdministrationParts): Administration {
  const verbs = verbsOf(parts);
  let last: Promise<unknown> = Promise.resolve();
  return {
    has: (verb): verb is VerbName => Object.hasOwn(verbs, verb),
    ask: <V extends VerbName>(verb: V, given: Given) => {
      const run = verbs[verb] as (given: Given) => Promise<AnswerTo<V>>;
      // One after another: a verb that changes something reads it first.
      const answer = last.then(() => untilFree(() => run(given)));
      last = answer.catch(() => {});
      return answer;
    },
  };
}

function verbsOf(parts: AdministrationParts) {
  return {
    ...merchantVerbs(parts),
    ...endpointVerbs(parts),
    ...groupVerbs(parts),
    ...keyVerbs(parts),
    ...vaultVerbs(parts),
    ...recurringVerbs(parts),
    ...screeningVerbs(parts),
    ...cardVerbs(parts),
    ...callbackVerbs(parts),
    ...bankVerbs(parts),
    ...lookVerbs(parts),
    ...payoutVerbs(parts),
  };
}

/** Administrators on other nodes may take the same free number: begun again, the verb sees what they did. */
async function untilFree<T>(verb: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await verb();
    } catch (error) {
      const taken = error instanceof DatabaseError && error.sqlState === UNIQUE_VIOLATION;
      if (!taken || tries === MAX_TRIES) throw error;
    }
  }
}
