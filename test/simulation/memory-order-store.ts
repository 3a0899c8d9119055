// The orders in memory as a store, with faults on demand: a commit that fails, a commit that is written but whose
// acknowledgement is lost, a row that poisons its batch.

import type { Order, OrderKey } from '../../src/domain/order/order.ts';
import { ConnectionLost } from '../../src/storage/database.ts';
import type {
  Batch,
  ConditionalWrite,
  DueTransaction,
  ExistingQuery,
  OrderQuery,
  OrderRecord,
  OrderStore,
} from '../../src/storage/store.ts';
import { MemoryOrders } from './memory-orders.ts';

export type CommitFault = 'none' | 'not-written' | 'acknowledgement-lost';

/** Whose balance it is that tests look at. */
const [MERCHANT, CURRENCY] = [1, 'USD'];

export class MemoryOrderStore implements OrderStore {
  readonly batches: Batch[] = [];
  /** What the next commits suffer, in turn. */
  readonly faults: CommitFault[] = [];
  /** Client order ids that no database would take. */
  readonly poison = new Set<string>();
  readonly #kept = new MemoryOrders();

  get orders(): ReadonlyMap<number, Order> {
    return this.#kept.orders;
  }

  get records(): ReadonlyMap<number, OrderRecord> {
    return this.#kept.records;
  }

  get balance(): bigint {
    return this.#kept.balance(MERCHANT, CURRENCY);
  }

  set balance(amount: bigint) {
    this.#kept.accounts.set(`${MERCHANT} merchant ${CURRENCY}`, amount);
  }

  async commit(batch: Batch): Promise<ReadonlySet<number>> {
    this.batches.push(batch);
    return this.#suffering(() => {
      if (batch.starts.some(({ order }) => this.poison.has(order.clientOrderId))) throw new Error('a bad row');
      return this.#kept.commit(batch);
    });
  }

  commitAlone = (write: ConditionalWrite) => this.#suffering(() => this.#kept.commitAlone(write));

  async #suffering<T>(commit: () => T): Promise<T> {
    await Promise.resolve();
    const fault = this.faults.shift() ?? 'none';
    if (fault === 'not-written') throw new ConnectionLost('before the commit');
    const outcome = commit();
    if (fault === 'acknowledgement-lost') throw new ConnectionLost('after the commit');
    return outcome;
  }

  load = async (keys: readonly OrderKey[]) => this.#kept.load(keys);
  findExisting = async (query: ExistingQuery) => this.#kept.findExisting(query);
  hasRecurringPayment = async (...id: [number, string]) => this.#kept.hasRecurringPayment(...id);
  claimDue = async (claim: Parameters<OrderStore['claimDue']>[0]) => this.#kept.claimDue(claim);
  dueNow = async (transaction: DueTransaction, now: number) => this.#kept.dueNow(transaction, now);
  giveBack = async (claimed: Parameters<OrderStore['giveBack']>[0], dueAt: number) => {
    this.#kept.giveBack(claimed, dueAt);
  };
  releaseLeases = async (now: number) => this.#kept.releaseLeases(now);
  loadCards = async (transaction: DueTransaction) => this.#kept.loadCards(transaction);
  findByIdempotencyKey = async (merchantId: number, key: string) => this.#kept.findByIdempotencyKey(merchantId, key);
  findConfirmation = async ({ orderId }: OrderKey) => this.#kept.confirmations.get(orderId)?.requestSerial;
  findOrderView = async (query: OrderQuery) => this.#kept.findOrderView(query);
  findOrderViews = async (keys: readonly OrderKey[]) => this.#kept.findOrderViews(keys);
  forgetExpired = async (now: number) => this.#kept.forgetExpired(now);
}
