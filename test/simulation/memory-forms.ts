// Cards entered on hosted forms in memory, with the promises of the SQL: the card, the change of the order and what limits
// count are one transaction, written only over the version it was decided on.

import { transactionOf } from '../../src/domain/order/order.ts';
import type { GivenCardWrite } from '../../src/storage/orders/forms.ts';
import type { CoveredOutcome } from '../../src/storage/store.ts';
import type { MemoryOrders } from './memory-orders.ts';
import type { MemoryScreening } from './memory-screening.ts';

export class MemoryForms {
  readonly #orders: MemoryOrders;
  readonly #screening: MemoryScreening;

  constructor(orders: MemoryOrders, screening: MemoryScreening) {
    this.#orders = orders;
    this.#screening = screening;
  }

  giveCard({ order, at, limits, creditLimit, decide }: GivenCardWrite): CoveredOutcome {
    const given = decide(this.#screening.count({ ...order, createdAt: at }, limits));
    const outcome = this.#orders.giveCard(given, { at, creditLimit });
    const { after } = given.change;
    const isFiltered = transactionOf(after, given.seq).stage === 'filtered';
    if (outcome === 'written' && !isFiltered) this.#screening.mark({ ...after, createdAt: at }, limits);
    return outcome;
  }
}
