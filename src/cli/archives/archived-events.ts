// Changes of orders out of several files at once, order after order: each file has them in the order of orders, and so
// are orders asked for, so that nothing has to be kept in memory.

import type { OrderKey } from '../../domain/order/order.ts';
import type { StoredOrder } from '../../domain/order/verification.ts';
import { type ArchivedRow, readArchive } from '../../storage/history/archive-file.ts';
import { MOST_ODDITIES } from '../../storage/orders/table-checks.ts';
import type { ExportSource } from '../../storage/transfer/export-file.ts';

type StoredEvent = StoredOrder['events'][number];

export class ArchivedEvents {
  readonly #files: ArchivedRows[];

  constructor(sources: readonly ExportSource[]) {
    this.#files = sources.map((source) => new ArchivedRows(readArchive(source)));
  }

  /** Those of an order; each order that is asked for is behind the one before. */
  async of(order: OrderKey): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (const file of this.#files) events.push(...(await file.of(order)));
    return events;
  }

  /** The orders with changes in the files that nobody asked for: of many the first. The files are read to their end. */
  async unasked(): Promise<OrderKey[]> {
    const all = new Map<string, OrderKey>();
    for (const file of this.#files) {
      for (const key of await file.unasked()) all.set(`${key.merchantId} ${key.orderId}`, key);
    }
    return [...all.values()].slice(0, MOST_ODDITIES);
  }

  async close(): Promise<void> {
    for (const file of this.#files) await file.close();
  }
}

class ArchivedRows {
  readonly #rows: AsyncGenerator<ArchivedRow>;
  #next: ArchivedRow | undefined;
  #isBegun = false;
  readonly #unasked: OrderKey[] = [];

  constructor(rows: AsyncGenerator<ArchivedRow>) {
    this.#rows = rows;
  }

  async of({ merchantId, orderId }: OrderKey): Promise<StoredEvent[]> {
    await this.#begin();
    const events: StoredEvent[] = [];
    for (;;) {
      const row = this.#next;
      if (row === undefined) return events;
      const [merchant, order] = [Number(row.merchant_id), Number(row.order_id)];
      if (merchant > merchantId || (merchant === merchantId && order > orderId)) return events;
      if (merchant === merchantId && order === orderId) {
        events.push({ version: Number(row.version), event: JSON.parse(row.event ?? '{}') });
      } else {
        this.#passBy({ merchantId: merchant, orderId: order });
      }
      await this.#step();
    }
  }

  async unasked(): Promise<readonly OrderKey[]> {
    await this.#begin();
    for (let row = this.#next; row !== undefined; row = this.#next) {
      this.#passBy({ merchantId: Number(row.merchant_id), orderId: Number(row.order_id) });
      await this.#step();
    }
    return this.#unasked;
  }

  #passBy(key: OrderKey): void {
    const last = this.#unasked.at(-1);
    const isKnown = last?.merchantId === key.merchantId && last.orderId === key.orderId;
    if (!isKnown && this.#unasked.length < MOST_ODDITIES) this.#unasked.push(key);
  }

  async #begin(): Promise<void> {
    if (!this.#isBegun) await this.#step();
    this.#isBegun = true;
  }

  async #step(): Promise<void> {
    const { value, done } = await this.#rows.next();
    this.#next = done ? undefined : value;
  }

  async close(): Promise<void> {
    await this.#rows.return(undefined);
  }
}
