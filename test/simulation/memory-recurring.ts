// Recurring payments in memory, with the promises of the SQL: claimed by one node, saved only over the version read.

import { isFinal } from '../../src/domain/order/stages.ts';
import type { RecurringPayment } from '../../src/domain/recurring/recurring.ts';
import type { Charges, NewRecurringPayment, RecurringKey, RecurringProfile } from '../../src/storage/recurring.ts';
import type { MemoryOrders } from './memory-orders.ts';

type Row = RecurringProfile & { readonly fingerprint: Buffer; readonly busyUntil: number | undefined };

export class MemoryRecurring {
  readonly rows = new Map<number, Row>();
  readonly #orders: MemoryOrders;

  constructor(orders: MemoryOrders) {
    this.#orders = orders;
  }

  get nextDueAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { nextRunAt = next, busyUntil = 0 } of this.rows.values()) {
      next = Math.min(next, Math.max(nextRunAt, busyUntil));
    }
    return next;
  }

  create(payment: NewRecurringPayment): boolean {
    const { merchantId, clientOrderId, recurringPaymentId, card } = payment;
    if (this.findByClientOrderId(merchantId, clientOrderId)) return false;
    if (this.#orders.findOrderView({ merchantId, clientOrderId, orderId: undefined })) return false;
    this.rows.set(recurringPaymentId, { ...payment, busyUntil: undefined });
    this.#orders.cards.set(`${merchantId} ${recurringPaymentId}`, card);
    return true;
  }

  findByClientOrderId(merchantId: number, clientOrderId: string) {
    return [...this.rows.values()].find((row) => row.merchantId === merchantId && row.clientOrderId === clientOrderId);
  }

  find({ recurringPaymentId }: RecurringKey): RecurringProfile | undefined {
    const row = this.rows.get(recurringPaymentId);
    return row && profileOf(row);
  }

  claimDue({ now, leaseUntil, limit }: { now: number; leaseUntil: number; limit: number }): RecurringProfile[] {
    const isDue = ({ nextRunAt, busyUntil = 0 }: Row) =>
      nextRunAt !== undefined && nextRunAt <= now && busyUntil <= now;
    return [...this.rows.values()]
      .filter(isDue)
      .slice(0, limit)
      .map((row) => {
        const claimed = { ...row, nextRunAt: leaseUntil, busyUntil: leaseUntil, version: row.version + 1 };
        this.rows.set(row.recurringPaymentId, claimed);
        return profileOf(claimed);
      });
  }

  claim({ recurringPaymentId }: RecurringKey, { now, leaseUntil }: { now: number; leaseUntil: number }): boolean {
    const row = this.rows.get(recurringPaymentId);
    if (!row || (row.busyUntil ?? 0) > now) return false;
    this.rows.set(recurringPaymentId, { ...row, busyUntil: leaseUntil });
    return true;
  }

  release({ recurringPaymentId }: RecurringKey, leaseUntil: number): void {
    const row = this.rows.get(recurringPaymentId);
    if (row?.busyUntil === leaseUntil) this.rows.set(recurringPaymentId, { ...row, busyUntil: undefined });
  }

  save(payment: RecurringPayment, at: number): boolean {
    return this.#save(payment, at, { isKept: false });
  }

  advance(payment: RecurringPayment, at: number): boolean {
    return this.#save(payment, at, { isKept: true });
  }

  /** `isKept`: it stays claimed. */
  #save(payment: RecurringPayment, at: number, { isKept }: { isKept: boolean }): boolean {
    const row = this.rows.get(payment.recurringPaymentId);
    if (row?.version !== payment.version) return false;
    const { state, note, progress, nextRunAt } = payment;
    const saved = { ...row, state, note, progress, nextRunAt, changedAt: at, version: row.version + 1 };
    this.rows.set(payment.recurringPaymentId, isKept ? saved : { ...saved, busyUntil: undefined });
    return true;
  }

  charges({ recurringPaymentId }: RecurringKey): Charges {
    const transactions = [...this.#orders.records.values()]
      .filter((record) => record.order.operation === 'recurring')
      .filter(({ cardId, targetCardId }) => (cardId ?? targetCardId) === recurringPaymentId)
      .flatMap(({ order }) => this.#orders.orders.get(order.orderId)?.transactions ?? [])
      .filter(({ originalSeq }) => originalSeq === undefined);
    return {
      approved: transactions.filter(({ stage }) => stage === 'approved').length,
      isOpen: transactions.some(({ stage }) => !isFinal(stage)),
    };
  }
}

function profileOf({ fingerprint: _, busyUntil: __, ...profile }: Row): RecurringProfile {
  return profile;
}
