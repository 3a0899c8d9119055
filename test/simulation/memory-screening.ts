// Limits in memory, with the promises of the SQL: what is counted, decided and written is one transaction, so whoever comes
// second counts the first. An order that was filtered leaves no mark.

import { type Order, transactionOf } from '../../src/domain/order/order.ts';
import type { Stage } from '../../src/domain/order/stages.ts';
import { type Tally, windowStart } from '../../src/domain/screening/screening.ts';
import type { PlacedLimit, ScreenedOutcome, ScreenedWrite } from '../../src/storage/screening.ts';
import type { MemoryOrders } from './memory-orders.ts';

/** Payments that came to nothing: whoever repeats one makes no duplicate. */
const CAME_TO_NOTHING: ReadonlySet<Stage> = new Set(['declined', 'expired', 'error', 'abandoned', 'awaiting-payer']);

type Mark = Pick<Order, 'merchantId' | 'endpointId' | 'orderId' | 'amount'> & {
  readonly digest: string;
  readonly at: number;
  readonly forgetAt: number;
};

export class MemoryScreening {
  readonly #orders: MemoryOrders;
  #marks: Mark[] = [];

  constructor(orders: MemoryOrders) {
    this.#orders = orders;
  }

  commit({ order, limits, creditLimit, decide }: ScreenedWrite): ScreenedOutcome {
    const record = decide(this.count(order, limits));
    const outcome = this.#orders.start(record, creditLimit);
    if (outcome !== 'written') return outcome;
    if (transactionOf(record.order, 1).stage !== 'filtered') this.mark(record.order, limits);
    return { written: record.order };
  }

  /** What each limit counts; `createdAt` is the moment their windows end. */
  count({ merchantId, endpointId, createdAt }: ScreenedWrite['order'], limits: readonly PlacedLimit[]): Tally[] {
    return limits.map(({ limit, digest }) => {
      const counted = this.#marks.filter(
        (mark) =>
          mark.merchantId === merchantId &&
          mark.endpointId === endpointId &&
          mark.digest === digest.toString('hex') &&
          mark.at > windowStart(limit, createdAt) &&
          (limit.kind !== 'payment' || this.#isMade(mark)),
      );
      return { count: counted.length, sum: counted.reduce((sum, { amount }) => sum + amount, 0n) };
    });
  }

  #isMade({ orderId }: Mark): boolean {
    const transactions = this.#orders.orders.get(orderId)?.transactions ?? [];
    return transactions.some(({ originalSeq, stage }) => originalSeq === undefined && !CAME_TO_NOTHING.has(stage));
  }

  /** Several limits may count by the same: its mark is kept for the longest. */
  mark({ merchantId, endpointId, orderId, amount, createdAt: at }: Order, limits: readonly PlacedLimit[]): void {
    const forgetAt = new Map<string, number>();
    for (const { limit, digest } of limits) {
      const name = digest.toString('hex');
      forgetAt.set(name, Math.max(forgetAt.get(name) ?? 0, at + limit.windowMs));
    }
    for (const [digest, until] of forgetAt) {
      this.#marks.push({ merchantId, endpointId, orderId, amount, at, digest, forgetAt: until });
    }
  }

  forget(now: number, limit: number): number {
    const old = this.#marks.filter(({ forgetAt }) => forgetAt <= now).slice(0, limit);
    this.#marks = this.#marks.filter((mark) => !old.includes(mark));
    return old.length;
  }
}
