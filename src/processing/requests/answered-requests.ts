// Every request that is answered with an order is found by its serial number, whichever node is asked and whenever. The
// request that makes a transaction leaves its serial number on it; any other one is written down before it is answered.

import type { Clock } from '../../domain/clock.ts';
import { shardOf } from '../../domain/merchant/shard.ts';
import { type Order, purposeOf, type Transaction } from '../../domain/order/order.ts';
import { GroupCommit } from '../../storage/group-commit.ts';
import type { AnsweredRequest, AnsweredRequestStore } from '../../storage/orders/answered-requests.ts';
import type { Accepted } from '../orders/order-request.ts';
import type { Caller } from './caller.ts';

const MAX_BATCH = 256;

type Waiting = AnsweredRequest & { resolve(): void; reject(error: unknown): void };

export class AnsweredRequests {
  readonly #store: AnsweredRequestStore;
  readonly #clock: Clock;
  readonly #commits: GroupCommit<Waiting>;

  constructor(store: AnsweredRequestStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#commits = new GroupCommit((items) => flush(store, items), { lanes: 1, maxBatch: MAX_BATCH, clock });
  }

  /** Returns when it is durable. */
  async remember({ order, serialNumber }: Accepted, caller: Caller): Promise<void> {
    // A stored reply has the serial number of the request that got it first.
    if (serialNumber !== caller.serialNumber || madeBy(order, serialNumber)) return;
    const { merchantId, orderId } = order;
    const request = { merchantId, orderId, requestSerial: serialNumber, at: this.#clock.now() };
    const { requestSerial: originalSerial } = purposeOf(order);
    await new Promise<void>((resolve, reject) => {
      this.#commits.add({ ...request, originalSerial, resolve, reject }, orderId, shardOf(merchantId));
    });
  }

  /** The transaction that a request made or was answered with. */
  async transactionOf(order: Order, serialNumber: string): Promise<Transaction | undefined> {
    const made = madeBy(order, serialNumber);
    if (made) return made;
    const original = await this.#store.findOriginal(order, serialNumber);
    return original === undefined ? undefined : madeBy(order, original);
  }
}

function madeBy({ transactions }: Order, serialNumber: string): Transaction | undefined {
  return transactions.findLast((one) => one.requestSerial === serialNumber);
}

async function flush(store: AnsweredRequestStore, items: Waiting[]): Promise<void> {
  try {
    await store.add(items);
    for (const item of items) item.resolve();
  } catch (error) {
    for (const item of items) item.reject(error);
  }
}
