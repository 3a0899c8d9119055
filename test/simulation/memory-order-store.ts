// An order store in memory with the same promises as the real one, and faults on demand: a commit that fails,
// a commit that is written but whose acknowledgement is lost, a row that poisons its batch.

import type { Order } from '../../src/domain/order/order.ts';
import { ConnectionLost } from '../../src/storage/database.ts';
import type { Batch, CoveredOutcome, CoveredWrite, OrderRecord, OrderStore } from '../../src/storage/store.ts';

export type CommitFault = 'none' | 'not-written' | 'acknowledgement-lost';

export class MemoryOrderStore implements OrderStore {
  readonly orders = new Map<number, Order>();
  readonly records = new Map<number, OrderRecord>();
  readonly batches: Batch[] = [];
  /** What the next commits suffer, in turn. */
  readonly faults: CommitFault[] = [];
  /** Client order ids that no database would take. */
  readonly poison = new Set<string>();
  balance = 0n;

  async commit(batch: Batch): Promise<ReadonlySet<number>> {
    this.batches.push(batch);
    await Promise.resolve();
    const fault = this.faults.shift() ?? 'none';
    if (fault === 'not-written') throw new ConnectionLost('before the commit');
    if (batch.starts.some(({ order }) => this.poison.has(order.clientOrderId))) throw new Error('a bad row');
    const written = this.#write(batch);
    if (fault === 'acknowledgement-lost') throw new ConnectionLost('after the commit');
    return written;
  }

  #write({ starts, changes }: Batch): Set<number> {
    const written = new Set<number>();
    for (const record of starts) {
      if (this.#standsInTheWay(record).length > 0) continue;
      this.orders.set(record.order.orderId, record.order);
      this.records.set(record.order.orderId, record);
      written.add(record.order.orderId);
    }
    for (const { before, after, entries } of changes) {
      if (this.orders.get(before.orderId)?.version !== before.version) continue;
      this.orders.set(after.orderId, after);
      written.add(after.orderId);
      for (const { account, amount } of entries) if (account === 'merchant') this.balance += amount;
    }
    return written;
  }

  async commitCovered(write: CoveredWrite): Promise<CoveredOutcome> {
    await Promise.resolve();
    const fault = this.faults.shift() ?? 'none';
    if (fault === 'not-written') throw new ConnectionLost('before the commit');
    const entries = 'record' in write ? write.entries : write.change.entries;
    const spent = entries.filter(({ account }) => account === 'merchant').reduce((sum, one) => sum - one.amount, 0n);
    const batch = 'record' in write ? { starts: [write.record], changes: [] } : { starts: [], changes: [write.change] };
    const available = this.balance + write.creditLimit;
    if ('record' in write && this.#standsInTheWay(write.record).length > 0) return 'conflict';
    if (spent > available) return { available };
    if (this.#write(batch).size === 0) return 'conflict';
    if ('record' in write) this.balance -= spent;
    if (fault === 'acknowledgement-lost') throw new ConnectionLost('after the commit');
    return 'written';
  }

  #standsInTheWay({ order, control, idempotencyKey }: OrderRecord): OrderRecord[] {
    return [...this.records.values()].filter(
      (other) =>
        other.order.clientOrderId === order.clientOrderId ||
        (control !== undefined && other.control?.equals(control)) ||
        (idempotencyKey !== undefined && other.idempotencyKey === idempotencyKey),
    );
  }

  async load(keys: readonly { orderId: number }[]): Promise<ReadonlyMap<number, Order>> {
    return new Map(
      keys.flatMap(({ orderId }) => {
        const order = this.orders.get(orderId);
        return order ? [[orderId, order] as const] : [];
      }),
    );
  }

  async findExisting(query: Parameters<OrderStore['findExisting']>[0]) {
    const { clientOrderId, control, idempotencyKey } = query;
    const order = { clientOrderId } as Order;
    return this.#standsInTheWay({ order, control, idempotencyKey } as OrderRecord).map((record) => ({
      order: this.orders.get(record.order.orderId) as Order,
      fingerprint: record.fingerprint,
      control: record.control,
      idempotencyKey: record.idempotencyKey,
    }));
  }

  async claimDue({ now, limit }: Parameters<OrderStore['claimDue']>[0]) {
    return [...this.orders.values()]
      .flatMap(({ merchantId, orderId, transactions }) =>
        transactions
          .filter(({ dueAt = Number.POSITIVE_INFINITY }) => dueAt <= now)
          .map(({ seq }) => ({ merchantId, orderId, seq })),
      )
      .slice(0, limit);
  }

  releaseLeases = async () => 0;
  loadCards = async () => ({
    card: undefined,
    targetCard: undefined,
    sealedTarget: undefined,
    sealedCvv: undefined,
  });
  findByIdempotencyKey = async () => undefined;
  findConfirmation = async () => undefined;
  findOrderView = async () => undefined;
  findOrderViews = async () => new Map();
  forgetExpired = async () => {};
}
