// Marks that limits count, in memory. An order that was filtered leaves none.

import type { Order } from '../../src/domain/order/order.ts';
import { CAME_TO_NOTHING, type CountedLimit, windowStart } from '../../src/domain/screening/screening.ts';
import type { PlacedLimit } from '../../src/storage/store.ts';

type Mark = Pick<Order, 'merchantId' | 'endpointId' | 'orderId' | 'amount'> & {
  readonly digest: string;
  readonly at: number;
  readonly forgetAt: number;
};

export class MemoryMarks {
  readonly #orders: ReadonlyMap<number, Order>;
  #marks: Mark[] = [];

  constructor(orders: ReadonlyMap<number, Order>) {
    this.#orders = orders;
  }

  /** What each limit counts; their windows end `at`. */
  count(
    { merchantId, endpointId, at }: Pick<Mark, 'merchantId' | 'endpointId' | 'at'>,
    limits: readonly PlacedLimit[],
  ): CountedLimit[] {
    return limits.map(({ limit, digest, older = [] }) => {
      const digests = [digest, ...older].map((one) => one.toString('hex'));
      const counted = this.#marks.filter(
        (mark) =>
          mark.merchantId === merchantId &&
          mark.endpointId === endpointId &&
          digests.includes(mark.digest) &&
          mark.at > windowStart(limit, at) &&
          (limit.kind !== 'payment' || this.#isMade(mark)),
      );
      const sum = counted.reduce((total, { amount }) => total + amount, 0n);
      return { limit, tally: { count: counted.length, sum } };
    });
  }

  #isMade({ orderId }: Mark): boolean {
    const transactions = this.#orders.get(orderId)?.transactions ?? [];
    return transactions.some(({ originalSeq, stage }) => originalSeq === undefined && !CAME_TO_NOTHING.includes(stage));
  }

  /** Several limits may count by the same: its mark is kept for the longest. */
  add({ merchantId, endpointId, orderId, amount }: Order, at: number, limits: readonly PlacedLimit[]): void {
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
