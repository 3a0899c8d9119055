// What a PostgreSQL server does for itself in the background and the embedded database does not: take dead rows away,
// refresh statistics, and write a checkpoint before the log grows without end. Table by table, so that orders are
// served in between.

import { type Clock, systemClock } from '../../domain/clock.ts';
import type { Database } from '../database.ts';
import { statement } from '../tables/index.ts';

const ROUND_EVERY_MS = 15_000;
/** A crash replays the log since the last checkpoint: this much takes about a second. */
const CHECKPOINT_AFTER_WAL_BYTES = 64 * 1024 * 1024;
/**
 * A table is due after this many changes plus a share of its rows: sooner than autovacuum has it when they are dead
 * rows, later when they are new ones, because everybody waits meanwhile and there is nothing to take away.
 */
const DUE_AFTER_CHANGES = 2_000;
const DUE_AFTER_DEAD_SHARE = 0.1;
const DUE_AFTER_NEW_SHARE = 1;

const ALL_TABLES = statement<{ name: string }>('maintenance-all-tables')`
  SELECT format('%I.%I', n.nspname, c.relname) AS name
           FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE c.relkind IN ('r', 'm') AND c.relpersistence = 'p' ORDER BY n.nspname = 'pg_catalog', c.oid`;

const DUE_TABLES = statement<{ name: string }>('maintenance-due-tables')`
  SELECT format('%I.%I', s.schemaname, s.relname) AS name
           FROM pg_stat_all_tables s JOIN pg_class c ON c.oid = s.relid
          WHERE c.relkind IN ('r', 'm') AND c.relpersistence = 'p'
            AND (s.n_dead_tup > $1::int8 + $2::float8 * greatest(c.reltuples, 0)
              OR greatest(s.n_ins_since_vacuum, s.n_mod_since_analyze)
                > $1::int8 + $3::float8 * greatest(c.reltuples, 0))`;

const WAL_SINCE_CHECKPOINT = statement<{ bytes: string }>('maintenance-wal-since-checkpoint')`
  SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) AS bytes FROM pg_control_checkpoint()`;

export type MaintenanceOptions = {
  readonly database: Database;
  readonly clock?: Clock;
  readonly everyMs?: number;
  /** A round failed; the next one tries again. */
  readonly onError?: (error: unknown) => void;
};

export type Maintenance = { stop(): Promise<void> };

/** Every table, now. */
export async function vacuum(database: Database): Promise<void> {
  await vacuumTables(database, await database.query(ALL_TABLES));
}

/** One round: what has become due since the last, and tells the tables it worked on. */
export async function maintain(database: Database, dueAfterChanges = DUE_AFTER_CHANGES): Promise<string[]> {
  const [wal] = await database.query(WAL_SINCE_CHECKPOINT);
  if (Number(wal?.bytes) > CHECKPOINT_AFTER_WAL_BYTES) await database.script('CHECKPOINT');
  const shares = [DUE_AFTER_DEAD_SHARE, DUE_AFTER_NEW_SHARE];
  const due = await database.query(DUE_TABLES, [dueAfterChanges, ...shares]);
  await vacuumTables(database, due);
  return due.map(({ name }) => name);
}

/** Rounds for as long as the embedded database is open. A server needs none. */
export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { database, clock = systemClock, everyMs = ROUND_EVERY_MS, onError = () => {} } = options;
  const stopping = new AbortController();
  const rounds = async () => {
    for (;;) {
      await clock.sleep(everyMs, stopping.signal);
      if (stopping.signal.aborted) return;
      await maintain(database).catch(onError);
    }
  };
  const stopped = database.kind === 'pglite' ? rounds() : Promise.resolve();
  return {
    async stop() {
      stopping.abort();
      await stopped;
    },
  };
}

async function vacuumTables(database: Database, tables: readonly { name: string }[]): Promise<void> {
  for (const { name } of tables) await database.script(`VACUUM (ANALYZE) ${name}`);
}
