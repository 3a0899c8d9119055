// Reads that may be seconds behind, at a standby: lists, figures, verification. While it is away, too far behind, or
// has not seen yet what was changed from here, and whenever it fails, the primary answers in its place.

import { clusterDatabase } from '../cluster/apart.ts';
import { type Database, isReadOnlyRefusal, outageOf } from '../database.ts';
import { column, statement } from '../tables/index.ts';
import { isFresh, type LogMark, shownAsOf } from './standby-age.ts';

const LOOK_EVERY_MS = 1_000;
const MOST_BEHIND_MS = 5_000;
/** Older marks would make no standby fresh. */
const KEPT_MARKS = 2 * (MOST_BEHIND_MS / LOOK_EVERY_MS);

const bytes = (lsn: string) => `pg_wal_lsn_diff(${lsn}, '0/0')::text`;

const statements = {
  written: statement('standby-written', { bytes: column.text(bytes('pg_current_wal_lsn()')) })`select
    ${bytes('pg_current_wal_lsn()')}`,
  /** After a promotion it is a primary itself, and shows whatever it has written. */
  replayed: statement('standby-replayed', { bytes: column.text('bytes') })`select
    case when pg_is_in_recovery() then ${bytes('pg_last_wal_replay_lsn()')}
         else ${bytes('pg_current_wal_lsn()')} end`,
};

export type ReadingDatabase = Database & {
  /** Something was changed from here: the standby is asked again once it has it. */
  changed(): void;
};

export type ReadingDatabaseParts = {
  readonly primary: Database;
  readonly standby: Database;
  /** Told when reads move: to the standby, or from it to the primary. */
  readonly moved?: (to: 'standby' | 'primary') => void;
};

export function readingDatabase({ primary, standby: server, moved = () => {} }: ReadingDatabaseParts): ReadingDatabase {
  // A standby may be away while it is opened, so it is not asked what it is.
  const standby = primary.isCluster ? clusterDatabase(server) : server;
  const marks: LogMark[] = [];
  const freshness: { asOf: number | undefined; changedAt: number } = { asOf: undefined, changedAt: 0 };
  let isOver = false;
  let reads: 'standby' | 'primary' = 'primary';

  const look = async () => {
    const at = Date.now();
    const [written] = await primary.query(statements.written);
    marks.push({ at, bytes: BigInt(written?.bytes ?? 0) });
    if (marks.length > KEPT_MARKS) marks.shift();
    const [replayed] = await standby.query(statements.replayed);
    freshness.asOf = shownAsOf(marks, BigInt(replayed?.bytes ?? 0));
  };
  /** A look that fails leaves what was known, which grows too old by itself. */
  const watch = async () => {
    await look().catch(() => {});
    const now = isFresh({ ...freshness, changedAt: 0 }, Date.now(), MOST_BEHIND_MS) ? 'standby' : 'primary';
    if (now !== reads && !isOver) moved(now);
    reads = now;
  };
  const timer = setInterval(watch, LOOK_EVERY_MS).unref();
  void watch();

  const asked = async <T>(ask: (database: Database) => Promise<T>): Promise<T> => {
    if (!isFresh(freshness, Date.now(), MOST_BEHIND_MS)) return ask(primary);
    try {
      return await ask(standby);
    } catch (error) {
      if (outageOf(error) === 'away' && !isReadOnlyRefusal(error)) freshness.asOf = undefined;
      return ask(primary);
    }
  };

  return {
    kind: primary.kind,
    ...(primary.isCluster && { isCluster: true }),
    query: (statement, values) => asked((database) => database.query(statement, values)),
    flight: (steps) => asked((database) => database.flight(steps)),
    transaction: (work) => asked((database) => database.transaction(work)),
    script: (sql) => primary.script(sql),
    changed: () => {
      freshness.changedAt = Date.now();
    },
    close: async () => {
      isOver = true;
      clearInterval(timer);
      await standby.close();
    },
  };
}
