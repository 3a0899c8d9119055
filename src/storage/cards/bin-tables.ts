// Tables of issuers: written part by part, and used from one moment to the next by all nodes.

import type { BinRow } from '../../domain/card/bin-table.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, statement, table } from '../tables/index.ts';
import { columnValues, unnest } from '../wire/columns.ts';

export type BinTableStore = {
  /** The number of the table in use; 0 when there is none. */
  used(): Promise<number>;
  /** A page of a table, behind this beginning. */
  read(tableNumber: number, behind: string, limit: number): Promise<BinRow[]>;
  /** The number of a new table, which is empty and not in use. */
  begin(): Promise<number>;
  /** False when the table is not the newest one, or is in use: then nothing is written. */
  add(tableNumber: number, rows: readonly BinRow[]): Promise<boolean>;
  count(tableNumber: number): Promise<number>;
  /** Puts the newest table in the place of the one in use; false when it is not the newest. */
  use(tableNumber: number): Promise<boolean>;
  /** Removes so many rows of tables that are neither in use nor the newest, and returns how many there were. */
  removeOld(limit: number): Promise<number>;
};

const rowsTable = table('bin_rows', ['tableNumber', 'bin'], {
  tableNumber: column.int('table_number'),
  bin: column.text('bin'),
  bank: column.text('bank').optional(),
  country: column.text('country').optional(),
});

const ROW = rowsTable.batchOfRows();

const selectUsed = statement('bin-tables-used', { used: column.int('used') })`select ${COLUMNS} from bin_tables`;

const selectPage = statement('bin-rows-page', rowsTable.without('tableNumber'))`
  select ${COLUMNS} from bin_rows where table_number = $1 and bin > $2 order by bin limit $3`;

const beginTable = statement('bin-tables-begin', { newest: column.int('newest') })`
  update bin_tables set newest = newest + 1 returning ${COLUMNS}`;

/** A few at a time, because whoever pays waits meanwhile on the embedded database. */
const removeOld = statement('bin-rows-remove-old')`
  delete from bin_rows where (table_number, bin) in (
    select r.table_number, r.bin from bin_rows r, bin_tables t
    where r.table_number < t.newest and r.table_number <> t.used
    order by r.table_number, r.bin limit $1 for update of r skip locked
  ) returning 1`;

/** The lock keeps the table from being used while it is written. */
const lockNewest = statement('bin-tables-lock')`
  select 1 from bin_tables where newest = $1 and used <> $1 for update`;

const insertRows = statement<never>('bin-rows-insert')`
  insert into bin_rows (${rowsTable.names()}) select * from ${unnest('r', ROW)}`;

const countRows = statement('bin-rows-count', { number: column.int('count(*)::int') })`
  select ${COLUMNS} from bin_rows where table_number = $1`;

const useTable = statement('bin-tables-use')`
  update bin_tables set used = $1 where newest = $1 returning 1`;

export function binTableStore(database: Database): BinTableStore {
  return {
    used: async () => (await database.query(selectUsed))[0]?.used ?? 0,
    read: (tableNumber, behind, limit) => database.query(selectPage, [tableNumber, behind, limit]),
    // The only row is always there.
    begin: async () => (await database.query(beginTable))[0]!.newest,
    add: (tableNumber, rows) =>
      database.transaction(async (session) => {
        if ((await session.query(lockNewest, [tableNumber])).length === 0) return false;
        const values = columnValues(
          ROW,
          rows.map((row) => ({ ...row, tableNumber })),
        );
        await session.query(insertRows, values);
        return true;
      }),
    count: async (tableNumber) => (await database.query(countRows, [tableNumber]))[0]?.number ?? 0,
    use: async (tableNumber) => (await database.query(useTable, [tableNumber])).length === 1,
    removeOld: async (limit) => (await database.query(removeOld, [limit])).length,
  };
}
