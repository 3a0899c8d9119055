// The partitions there are, as the catalogue lists them, and the right to change them.

import { NotCoordinator } from '../cluster/distribute.ts';
import { DatabaseError, type Session } from '../database.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';
import { type HistoryTable, historyTables, partingOf, restPartitionOf } from './history-tables.ts';

export type Partition = {
  readonly name: string;
  readonly table: HistoryTable;
  /** `2026-05`, or `before-2026-06` of the rows from before there were months. */
  readonly month: string;
  /** Its rows are from this moment on, or from any. */
  readonly from: number | undefined;
  /** And from before this one. */
  readonly until: number;
};

// Bounds are printed in the time zone of the session.
const inUtc = statement('history-utc')`select set_config('TimeZone', 'UTC', true)`;

const partitions = statement('history-partitions', {
  name: column.text('c.relname::text'),
  table: column.text<HistoryTable>('p.relname::text'),
  bounds: column.text('pg_get_expr(c.relpartbound, c.oid)'),
})`
  select ${COLUMNS} from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.relnamespace = current_schema()::regnamespace and p.relkind = 'p' and p.relname = any($1::text[])
  order by p.relname, c.relname`;

const BOUNDS = /^FOR VALUES FROM \((?:MINVALUE|'([^']+)')\) TO \('([^']+)'\)$/;

/** The oldest first, without those that take the rest. */
export async function listPartitions(session: Session): Promise<Partition[]> {
  const [, rows] = await session.flight([
    { statement: inUtc, values: [] },
    { statement: partitions, values: [historyTables] },
  ]);
  return rows
    .flatMap(({ name, table, bounds }): Partition[] => {
      const [, first, end] = BOUNDS.exec(bounds) ?? [];
      if (end === undefined) return [];
      const { momentOf } = partingOf[table];
      const from = first === undefined ? undefined : momentOf(first);
      const until = momentOf(end);
      return [{ name, table, month: monthNamed(from, until), from, until }];
    })
    .sort((one, other) => one.until - other.until);
}

function monthNamed(from: number | undefined, until: number): string {
  const month = (moment: number) => new Date(moment).toISOString().slice(0, 7);
  return from === undefined ? `before-${month(until)}` : month(from);
}

/** Names of all, with those that take the rest: for whoever grants rights. */
export async function partitionNames(session: Session): Promise<string[]> {
  return (await session.query(partitions, [historyTables])).map(({ name }) => name);
}

/** Of more the others come in the next round. */
const MOST_OF_REST = 1_000_000;

const monthsIn = (table: HistoryTable) =>
  statement(`history-rest-${table}`, { month: column.text('month'), rows: column.id('count(*)') })`
    select ${COLUMNS} from (select ${partingOf[table].monthOfRow} as month from ${restPartitionOf(table)} limit ${MOST_OF_REST}) r
    group by month order by month`;

const monthsOfRest = {
  journal: monthsIn('journal'),
  order_events: monthsIn('order_events'),
  callback_attempts: monthsIn('callback_attempts'),
};

/** The months whose rows lie in the rest, and how many. */
export const listRest = (session: Session, table: HistoryTable) => session.query(monthsOfRest[table]);

const ownership = statement('history-ownership', { isOurs: column.boolean("pg_has_role(c.relowner, 'usage')") })`
  select ${COLUMNS} from pg_class c where c.oid = $1::text::regclass`;

/** Whether this role may change and drop the table. */
export const mayChange = async (session: Session, name: string): Promise<boolean> =>
  (await session.query(ownership, [name]))[0]?.isOurs === true;

const NOT_PERMITTED = '42501';
/** A server of a cluster that is not the coordinator changes no table. */
const NOT_SUPPORTED = '0A000';
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** Whether this role, or this server, may not change the schema. */
export const isNotOurs = (error: unknown): boolean =>
  error instanceof NotCoordinator ||
  (error instanceof DatabaseError && [NOT_PERMITTED, NOT_SUPPORTED].includes(error.sqlState ?? ''));

/** All that a cluster says of a lock that another of its servers did not get. */
const NOT_THERE = /^failure on connection marked as essential/;

/** Whether somebody else needs the table: it is for the next round. */
export const isBusy = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  ([LOCK_NOT_AVAILABLE, DEADLOCK].includes(error.sqlState ?? '') || NOT_THERE.test(error.message));
