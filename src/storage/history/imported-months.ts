// The months of an import: each is made before its first row comes, so that none has to be moved out of the rest.

import { serialNumberTime } from '../../domain/ids/serial-times.ts';
import { beginOfMonth, calendarMonthOf, isBoundedMonth } from '../../domain/time/calendar-months.ts';
import type { Session } from '../database.ts';
import { type HistoryTable, historyTables, partingOf, restPartitionOf } from './history-tables.ts';
import { makeMonthWithin } from './make-months.ts';
import { listPartitions, type Partition, partitionNames } from './partitions.ts';

export class ImportedMonths {
  readonly #session: Session;
  /** Tables that are parted: none in a schema from before. */
  readonly #parted: ReadonlySet<string>;
  #partitions: readonly Partition[];

  private constructor(session: Session, parted: ReadonlySet<string>, partitions: readonly Partition[]) {
    this.#session = session;
    this.#parted = parted;
    this.#partitions = partitions;
  }

  static async open(session: Session): Promise<ImportedMonths> {
    const names = new Set(await partitionNames(session));
    const parted = historyTables.filter((table) => names.has(restPartitionOf(table)));
    return new ImportedMonths(session, new Set(parted), await listPartitions(session));
  }

  /** Rows are JSON lists, as they stand in the file. */
  async make(
    { table, columns }: { table: string; columns: readonly string[] },
    rows: readonly string[],
  ): Promise<void> {
    if (!this.#parted.has(table)) return;
    // It is one of those that are parted.
    const parted = table as HistoryTable;
    const { by } = partingOf[parted];
    const index = columns.indexOf(by);
    // Each is a list of the texts of its columns; whether it is one is found when it is written.
    const monthIn = (row: string) => monthOfText(by, String((JSON.parse(row) as unknown[])[index]));
    for (const month of new Set(rows.map(monthIn))) await this.#makeOne(parted, month);
  }

  async #makeOne(table: HistoryTable, month: string): Promise<void> {
    if (!isBoundedMonth(month)) return;
    const begin = beginOfMonth(month);
    const isThere = ({ from = Number.NEGATIVE_INFINITY, until, ...one }: Partition) =>
      one.table === table && from <= begin && begin < until;
    if (this.#partitions.some(isThere)) return;
    await makeMonthWithin(this.#session, table, month);
    this.#partitions = await listPartitions(this.#session);
  }
}

const monthOfText = (by: string, text: string) =>
  by === 'at' ? text.slice(0, 7) : calendarMonthOf(serialNumberTime(text));
