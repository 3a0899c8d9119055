// The table of issuers in memory. A node notices within seconds that another one is in use, and reads it page by page;
// until it has all of it, the old one answers.

import { type BinRow, BinTable, type Issuer } from '../../domain/card/bin-table.ts';
import type { Clock } from '../../domain/clock.ts';
import type { BinTableStore } from '../../storage/cards/bin-tables.ts';
import type { StoredCard } from '../../storage/store.ts';

const LOOK_EVERY_MS = 2_000;
const PAGE = 10_000;
/** How many rows of old tables are removed at once. */
const REMOVED_AT_ONCE = 1_000;

export type BinBookParts = {
  readonly store: BinTableStore;
  readonly clock: Clock;
  /** What is known while no table was imported. */
  readonly shipped: readonly BinRow[];
};

export class BinBook {
  readonly #parts: BinBookParts;
  readonly #shipped: BinTable;
  #table: BinTable;
  #number = 0;

  constructor(parts: BinBookParts) {
    this.#parts = parts;
    this.#shipped = new BinTable(parts.shipped);
    this.#table = this.#shipped;
  }

  issuerOf(card: Pick<StoredCard, 'issuerDigits' | 'bin'> | undefined): Issuer | undefined {
    return card && this.#table.find(card.issuerDigits ?? card.bin);
  }

  async refresh(): Promise<void> {
    const { store } = this.#parts;
    for (;;) {
      const number = await store.used();
      if (number === this.#number) return;
      const table = number === 0 ? this.#shipped : new BinTable(await this.#rowsOf(number));
      // A table that was replaced while it was read may have lost rows.
      if ((await store.used()) !== number) continue;
      this.#table = table;
      this.#number = number;
      return;
    }
  }

  /** Follows what others import until the signal is aborted. */
  async follow(signal: AbortSignal, failed: (error: unknown) => void): Promise<void> {
    let tidied: number | undefined;
    while (!signal.aborted) {
      await this.#parts.clock.sleep(LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      try {
        await this.refresh();
        if (tidied !== this.#number) await this.#removeOld(signal);
        tidied = this.#number;
      } catch (error) {
        failed(error);
      }
    }
  }

  /** Rows of tables that were replaced, or begun and given up. */
  async #removeOld(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.#parts.store.removeOld(REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
  }

  async #rowsOf(number: number): Promise<BinRow[]> {
    const all: BinRow[] = [];
    for (;;) {
      const page = await this.#parts.store.read(number, all.at(-1)?.bin ?? '', PAGE);
      for (const row of page) all.push(row);
      if (page.length < PAGE) return all;
    }
  }
}
