// Makes months ahead of need. A month is a table of its own first and joins the others then: that locks nobody out of
// them for longer than the moment, and rows that lay in the rest for want of it come along.

import { type Clock, systemClock } from '../../domain/clock.ts';
import {
  beginOfMonth,
  calendarMonthOf,
  isBoundedMonth,
  monthsBetween,
  monthsLater,
} from '../../domain/time/calendar-months.ts';
import { changeSchema } from '../cluster/distribute.ts';
import { type Database, isUniqueViolation, type Session } from '../database.ts';
import { statement } from '../tables/index.ts';
import { type HistoryTable, historyTables, partingOf, partitionOf, restPartitionOf } from './history-tables.ts';
import { isBusy, isNotOurs, listPartitions, listRest, type Partition } from './partitions.ts';

/** Who runs makes so many months ahead, and who migrates so many: its role may be the only one that can. */
export const MONTHS_AHEAD = { running: 3, migrating: 15 };

/** Rows of more are moved by "tender database migrate": those of their month wait meanwhile. */
const MOST_MOVED = 20_000;

/** One at a time, on the whole database: two nodes would make the same. */
const TRY_TURN = statement<{ taken: boolean }>('history-turn')`select pg_try_advisory_xact_lock(4167001) as taken`;

/** Payments wait for so long at most behind a change of their table that waits for its lock. */
const LOCK_TIMEOUT = '1s';

/** Who has patience comes again so often, and lets go meanwhile what waited behind it. */
const MOST_ROUNDS = 30;
const PAUSE_MS = 2_000;

/** Whether it is our turn to change which months there are, until the transaction is over. */
export async function takeTurn(session: Session): Promise<boolean> {
  const [turn] = await session.query(TRY_TURN);
  if (!turn?.taken) return false;
  // The other servers of a cluster would wait without an end, and payments behind them.
  if (session.isCluster) await session.script("set local citus.propagate_set_commands to 'local'");
  await session.script(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
  return true;
}

export type MadeMonths = {
  /** Partitions that were made. */
  readonly made: readonly string[];
  /** Partitions that are needed and could not be made now: somebody used the table. */
  readonly waiting: readonly string[];
  /** Why this role may not make them. */
  readonly forbidden: string | undefined;
  /** Rows that lie in no month of their own and wait for one. */
  readonly restRows: number;
};

type MonthsWanted = {
  /** Besides the months of rows that lie in the rest. */
  readonly months: readonly string[];
  /** Whether it may move any number of rows and come again: nobody else, or somebody who said so, waits for it. */
  readonly isPatient?: boolean;
  readonly clock?: Clock;
};

export const presentMonths = (now: number, ahead: number): string[] =>
  monthsBetween(now, beginOfMonth(monthsLater(calendarMonthOf(now), ahead)));

/** Makes what is missing. What cannot be made now is told, and no failure: rows go to the rest until then. */
export async function makeMonths(
  database: Database,
  { months, isPatient = false, clock = systemClock }: MonthsWanted,
): Promise<MadeMonths> {
  const made: string[] = [];
  try {
    for (let round = 1; ; round++) {
      const outcome = await makeRound(database, months, isPatient);
      made.push(...outcome.made);
      const isOver = outcome.waiting.length === 0 || outcome.forbidden !== undefined;
      if (isOver || !isPatient || round >= MOST_ROUNDS) return { ...outcome, made };
      await clock.sleep(PAUSE_MS);
    }
  } catch (error) {
    if (!isNotOurs(error)) throw error;
    return { made, waiting: [], forbidden: (error as Error).message, restRows: 0 };
  }
}

async function makeRound(database: Database, months: readonly string[], isPatient: boolean): Promise<MadeMonths> {
  const partitions = await database.transaction(listPartitions);
  const made: string[] = [];
  const waiting: string[] = [];
  let forbidden: string | undefined;
  let restRows = 0;
  for (const table of historyTables) {
    const rowsOf = new Map((await listRest(database, table)).map(({ month, rows }) => [month, rows]));
    const own = partitions.filter((one) => one.table === table);
    const wanted = [...new Set([...months, ...rowsOf.keys()])].filter((month) => isWanted(month, own)).sort();
    let isInUse = false;
    for (const month of wanted) {
      const rows = rowsOf.get(month) ?? 0;
      // What is in use would be waited for again with each of its months, and payments with it.
      const isLeft = forbidden !== undefined || isInUse || (rows > MOST_MOVED && !isPatient);
      const outcome = isLeft ? 'left' : await makeOne(database, { table, month });
      if (outcome === 'made') {
        made.push(partitionOf(table, month));
        continue;
      }
      waiting.push(partitionOf(table, month));
      restRows += rows;
      if (outcome === 'busy') isInUse = true;
      if (typeof outcome === 'object') forbidden = outcome.forbidden;
    }
  }
  // The planner knows of the whole only what it is told: nobody does that by himself.
  for (const table of historyTables) {
    if (made.some((name) => name.startsWith(table))) await database.script(`analyze ${table}`).catch(() => {});
  }
  return { made, waiting, forbidden, restRows };
}

/** Whether it has no partition yet, and is not among the months of before. */
function isWanted(month: string, partitions: readonly Partition[]): boolean {
  if (!isBoundedMonth(month)) return false;
  const begin = beginOfMonth(month);
  return !partitions.some(({ from = Number.NEGATIVE_INFINITY, until }) => from <= begin && begin < until);
}

type NewMonth = {
  readonly table: HistoryTable;
  readonly month: string;
};

type Outcome = 'made' | 'busy' | 'left' | { readonly forbidden: string };

async function makeOne(database: Database, month: NewMonth): Promise<Outcome> {
  try {
    return await database.transaction(async (session): Promise<Outcome> => {
      if (!(await takeTurn(session))) return 'busy';
      await changeSchema(session, scriptOf(month));
      return 'made';
    });
  } catch (error) {
    if (isNotOurs(error)) return { forbidden: (error as Error).message };
    if (isBusy(error)) return 'busy';
    // Another node may have made it since it was looked for.
    if (isThere(error)) return 'left';
    throw error;
  }
}

const DUPLICATE_TABLE = '42P07';
const isThere = (error: unknown) =>
  isUniqueViolation(error) || (error as { sqlState?: string }).sqlState === DUPLICATE_TABLE;

function scriptOf({ table, month }: NewMonth): string {
  const name = partitionOf(table, month);
  const { by, boundAt } = partingOf[table];
  const [from, to] = [month, monthsLater(month, 1)].map((one) => `'${boundAt(beginOfMonth(one))}'`);
  const ofMonth = `from ${restPartitionOf(table)} where ${by} >= ${from} and ${by} < ${to}`;
  return [
    // Held from the beginning: who reads it already and is to write next would stand in the way, and we in theirs.
    `lock table ${restPartitionOf(table)} in access exclusive mode`,
    `create table ${name} (like ${table} including all)`,
    `do $$ declare granted record; begin
      for granted in
        select distinct a.grantee::regrole::text as role from pg_class c, aclexplode(c.relacl) a
        where c.oid = '${name}'::regclass and a.grantee not in (0, c.relowner)
      loop execute format('revoke all on ${name} from %s', granted.role); end loop;
      execute format('alter table ${name} owner to %s',
        (select relowner::regrole::text from pg_class where oid = '${table}'::regclass));
    end $$`,
    `insert into ${name} select * ${ofMonth}`,
    `delete ${ofMonth}`,
    `alter table ${table} attach partition ${name} for values from (${from}) to (${to})`,
  ].join(';\n');
}

/** Within a transaction that holds the tables, for rows that are about to be written: an import. */
export async function makeMonthWithin(session: Session, table: HistoryTable, month: string): Promise<void> {
  await session.script(scriptOf({ table, month }));
}
