// The administrator's verbs, from merchants and their keys to block lists and the bank's day, behind the running gateway's
// own door and behind the command line alike. What is given is checked here; what is answered is plain JSON.

import type { AuditNote } from '../domain/audit.ts';
import type { Clock } from '../domain/clock.ts';
import type { KeyRotation } from '../processing/node/key-rotation.ts';
import type { Door } from '../processing/orders/door.ts';
import type { AuditStore } from '../storage/audit.ts';
import type { ConfigurationStore } from '../storage/configuration.ts';
import type { DataKeyUse } from '../storage/data-keys.ts';
import { isUniqueViolation } from '../storage/database.ts';
import type { LookStore } from '../storage/looks.ts';
import type { CallbackStore } from '../storage/orders/callbacks.ts';
import type { InstructionStore } from '../storage/orders/instructions.ts';
import type { TimelineStore } from '../storage/orders/timelines.ts';
import type { UnfinishedStore } from '../storage/orders/unfinished.ts';
import type { VerificationStore } from '../storage/orders/verification.ts';
import type { RecurringStore } from '../storage/recurring.ts';
import type { ScreeningRuleStore } from '../storage/screening-rules.ts';
import type { CardReferenceStore, OrderStore } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';
import { auditVerbs, conductOf, noteOf } from './audit.ts';
import { type BankOffice, bankVerbs } from './bank.ts';
import { callbackVerbs } from './callbacks.ts';
import { cardVerbs } from './cards.ts';
import { databaseVerbs } from './database.ts';
import { endpointVerbs } from './endpoints.ts';
import type { Given } from './given.ts';
import { groupVerbs } from './groups.ts';
import { keyVerbs } from './keys.ts';
import { lookVerbs } from './looks.ts';
import { merchantVerbs } from './merchants.ts';
import { orderVerbs } from './orders.ts';
import { type PayoutOffice, payoutVerbs } from './payouts.ts';
import { reconcileVerbs } from './reconcile.ts';
import { recurringVerbs } from './recurring.ts';
import { screeningVerbs } from './screening.ts';
import { stuckVerbs } from './stuck.ts';
import { vaultVerbs } from './vault.ts';
import { verifyVerbs } from './verify.ts';

export { type Given, OutOfReach, Unfit } from './given.ts';

/** What verbs change, as it is in the database or in one transaction on it. */
export type AdministrationStores = {
  readonly audit: AuditStore;
  readonly callbacks: Pick<CallbackStore, 'list' | 'attempts' | 'replay'>;
  readonly cardReferences: Pick<CardReferenceStore, 'find' | 'list' | 'remove'>;
  readonly configuration: ConfigurationStore;
  readonly door: Pick<Door, 'change'>;
  readonly looks: Pick<LookStore, 'set'>;
  readonly orders: Pick<OrderStore, 'findOrderView'>;
  /** Only in a running gateway. */
  readonly payouts?: PayoutOffice | undefined;
  readonly recurring: RecurringStore;
  readonly rules: ScreeningRuleStore;
  readonly timelines: TimelineStore;
  readonly unfinished: UnfinishedStore;
};

export type AdministrationParts = AdministrationStores & {
  /** Only in a running gateway. */
  readonly bank?: BankOffice | undefined;
  readonly clock: Clock;
  /** Copies the embedded database's files into the data folder under this name. Only in a running gateway. */
  readonly copyDatabase?: ((name: string) => Promise<void>) | undefined;
  dataKeyUse(): Promise<DataKeyUse[]>;
  /** Does all of it in one transaction, or nothing. May do it again after a conflict. */
  inTransaction<T>(work: (stores: AdministrationStores) => Promise<T>): Promise<T>;
  readonly instructions: InstructionStore;
  readonly leaseMs: number;
  readonly mode: 'sandbox' | 'production';
  readonly rotation: KeyRotation;
  readonly vault: Vault;
  readonly verification: VerificationStore;
  /** What an operation or a field can be called. */
  readonly vocabulary: { readonly operations: readonly string[]; readonly fields: readonly string[] };
  /** Makes a running gateway use what was changed. */
  changed(): Promise<void>;
};

export type Verbs = ReturnType<typeof verbsOf>;
export type VerbName = keyof Verbs;
export type AnswerTo<V extends VerbName> = Awaited<ReturnType<Verbs[V]>>;

export type Administration = {
  /** Throws `Unfit` when something about what is given is wrong. `who` is for the audit chain. */
  ask<V extends VerbName>(verb: V, given: Given, who: string): Promise<AnswerTo<V>>;
  has(verb: string): verb is VerbName;
};

/** How often a verb is begun again because another administrator was quicker with a number or a name. */
const MAX_TRIES = 5;

export function administration(parts: AdministrationParts): Administration {
  const verbs = verbsOf(parts);
  let last: Promise<unknown> = Promise.resolve();
  return {
    has: (verb): verb is VerbName => Object.hasOwn(verbs, verb),
    ask: <V extends VerbName>(verb: V, given: Given, who: string) => {
      // One after another: a verb that changes something reads it first.
      const answer = last.then(() => untilFree(() => audited(parts, { verb, given, who })));
      last = answer.catch(() => {});
      return answer;
    },
  };
}

type Deed<V extends VerbName> = { readonly verb: V; readonly given: Given; readonly who: string };

async function audited<V extends VerbName>(parts: AdministrationParts, deed: Deed<V>): Promise<AnswerTo<V>> {
  const { verb, given, who } = deed;
  const tell = (note: AuditNote) => parts.audit.append(note, parts.clock.now());
  switch (conductOf(verb)) {
    case 'read':
      return run(parts, deed);
    case 'cards': {
      const answer = await run(parts, deed);
      await tell(noteOf(verb, given, {}, who));
      return answer;
    }
    case 'outside':
      return toldBefore(parts, deed, tell);
    case 'change':
      return changeAndTell(parts, deed);
  }
}

/** Told first: a deed nobody knows of is worse than an entry about one that failed. */
async function toldBefore<V extends VerbName>(
  parts: AdministrationParts,
  deed: Deed<V>,
  tell: (note: AuditNote) => Promise<unknown>,
): Promise<AnswerTo<V>> {
  const { verb, given, who } = deed;
  await tell(noteOf(verb, given, {}, who));
  try {
    return await run(parts, deed);
  } catch (error) {
    await tell(noteOf(`${verb} failed`, given, {}, who));
    throw error;
  }
}

/** The change and its entry are one transaction; a running gateway learns of it when it is over. */
async function changeAndTell<V extends VerbName>(parts: AdministrationParts, deed: Deed<V>): Promise<AnswerTo<V>> {
  const { verb, given, who } = deed;
  const answer = await parts.inTransaction(async (stores) => {
    const answer = await run({ ...parts, ...stores, changed: async () => {} }, deed);
    await stores.audit.append(noteOf(verb, given, answer, who), parts.clock.now());
    return answer;
  });
  await parts.changed();
  return answer;
}

function run<V extends VerbName>(parts: AdministrationParts, { verb, given }: Deed<V>): Promise<AnswerTo<V>> {
  const chosen = verbsOf(parts)[verb] as (given: Given) => Promise<AnswerTo<V>>;
  return chosen(given);
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
    ...auditVerbs(parts),
    ...orderVerbs(parts),
    ...stuckVerbs(parts),
    ...verifyVerbs(parts),
    ...reconcileVerbs(parts),
    ...databaseVerbs(parts),
  };
}

/** Administrators on other nodes may take the same free number: begun again, the verb sees what they did. */
async function untilFree<T>(verb: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await verb();
    } catch (error) {
      if (!isUniqueViolation(error) || tries === MAX_TRIES) throw error;
    }
  }
}
