// The side of the door for money that leaves a merchant's balance. Each write is a transaction of its own, because whether
// the balance covers it shows only under the account's lock; so they queue by merchant and never hold up the others.

import type { Clock } from '../../domain/clock.ts';
import { Refusal } from '../../domain/errors.ts';
import { reservationOf } from '../../domain/money/ledger.ts';
import { changeBy } from '../../domain/order/change.ts';
import type { Moment } from '../../domain/order/decide.ts';
import type { Order, OrderKey } from '../../domain/order/order.ts';
import type {
  Confirmation,
  CoveredOutcome,
  CoveredWrite,
  OrderChange,
  OrderRecord,
  OrderStore,
} from '../../storage/store.ts';
import { InTurn } from './in-turn.ts';
import { throughOutages } from './outages.ts';
import { type StartOutcome, startOutcome, whatStandsInTheWay } from './start-outcome.ts';

/** How often a confirmation is decided anew because another node was faster. */
const MAX_CONFLICTS = 20;

/** Too little in the balance: what it would cover, in minor units. */
export type Uncovered = { readonly available: bigint };

/** The order as it stands, and whether this confirmation is the one that counted. */
export type Confirmed = { readonly order: Order; readonly isFirst: boolean };

export type CoveredCommitsParts = {
  readonly store: OrderStore;
  readonly clock: Clock;
  readonly lanes: number;
  readonly startWithinMs: number;
  readonly moment: () => Moment;
};

export class CoveredCommits {
  readonly #parts: CoveredCommitsParts;
  readonly #queue: InTurn;

  constructor(parts: CoveredCommitsParts) {
    this.#parts = parts;
    this.#queue = new InTurn(parts);
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  drained(): Promise<void> {
    return this.#queue.drained();
  }

  start(record: OrderRecord, creditLimit: bigint): Promise<StartOutcome | Uncovered> {
    return this.#queue.run(record.order.merchantId, () => this.#start(record, creditLimit));
  }

  confirm(key: OrderKey, confirmation: Confirmation, creditLimit: bigint): Promise<Confirmed | Uncovered> {
    return this.#queue.run(key.merchantId, () => this.#confirm(key, confirmation, creditLimit));
  }

  async #start(record: OrderRecord, creditLimit: bigint): Promise<StartOutcome | Uncovered> {
    const { store } = this.#parts;
    const write = { record, entries: reservationOf(record.order), creditLimit };
    const outcome = await this.#commit(write).catch(async (error): Promise<CoveredOutcome> => {
      // Another one took its idempotency key a moment ago: then that one stands in the way.
      if ((await whatStandsInTheWay(store, record).catch(() => [])).length === 0) throw error;
      return 'conflict';
    });
    if (outcome === 'written') return { started: true, order: record.order };
    return outcome === 'conflict' ? startOutcome(record, await whatStandsInTheWay(store, record)) : outcome;
  }

  async #confirm(key: OrderKey, confirmation: Confirmation, creditLimit: bigint): Promise<Confirmed | Uncovered> {
    for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts++) {
      const before = (await this.#parts.store.load([key])).get(key.orderId);
      if (!before) throw new Error(`There is no order ${key.orderId}`);
      const change = confirmed(before, this.#parts.moment());
      if (change.events.length === 0) return { order: before, isFirst: false };
      const outcome = await this.#commit({ change, confirmation, creditLimit });
      if (outcome === 'written') return { order: change.after, isFirst: true };
      if (outcome !== 'conflict') return outcome;
    }
    throw new Error(`Order ${key.orderId} kept changing under us`);
  }

  #commit(write: CoveredWrite): Promise<CoveredOutcome> {
    const { clock, startWithinMs, store } = this.#parts;
    const until = 'record' in write ? write.record.order.createdAt + startWithinMs : undefined;
    return throughOutages(clock, () => store.commitCovered(write), until);
  }
}

function confirmed(before: Order, moment: Moment): OrderChange {
  const change = changeBy(before, { type: 'confirm' }, moment);
  if (change instanceof Refusal) throw new Error(`Order ${before.orderId} refused a confirmation`);
  return { before, ...change, begins: new Map() };
}
