// The two databases a gateway is measured on, each empty and thrown away afterwards, and the proof at the end: what the
// database itself says about the orders that were accepted.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { run } from '../../scripts/command.mjs';
import { findPostgres, onServer, startPostgres } from '../../scripts/postgres.mjs';

const PGBENCH_SCALE = '8';
const PGBENCH_CLIENTS = '16';
const PGBENCH_LIMIT_MS = 60_000;

// $1 and $2 are when the slices that count began and ended. p50 and p99 are milliseconds from the request to the moment
// the bank's answer was taken to be booked; the commit of that booking comes on top.
const TAKEN_MS = 'extract(epoch from t.changed_at - t.created_at) * 1000';
const PROOF = `
  select count(*)::int as orders,
    count(*) filter (where t.stage = 'approved' and o.captured = o.amount and l.lines = 2)::int as final,
    percentile_cont(0.5) within group (order by ${TAKEN_MS}) filter (where t.created_at >= $1 and t.created_at < $2) as p50,
    percentile_cont(0.99) within group (order by ${TAKEN_MS}) filter (where t.created_at >= $1 and t.created_at < $2) as p99,
    (select count(*)::int from journal) as journaled
  from orders o
  left join transactions t on t.merchant_id = o.merchant_id and t.order_id = o.order_id and t.seq = 1
  left join (select merchant_id, order_id, count(*) as lines from ledger_entries group by 1, 2) l
    on l.merchant_id = o.merchant_id and l.order_id = o.order_id`;

export function pglite({ folder }) {
  return {
    name: 'PGlite',
    env: { TENDER_DATA: folder, DATABASE_URL: undefined },
    /** Only once the gateway has stopped: the folder belongs to one process at a time. */
    async proof(times) {
      const database = await PGlite.create({ dataDir: join(folder, 'database/cluster') });
      try {
        return (await database.query(PROOF, times)).rows[0];
      } finally {
        await database.close();
      }
    },
    close: async () => {},
  };
}

/**
 * At DATABASE_URL, or in a cluster of its own; undefined when there is neither. It never touches an existing database.
 */
export async function postgres({ folder }) {
  const binaries = findPostgres();
  if (!process.env.DATABASE_URL && !binaries) return undefined;
  const server = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startPostgres({ binaries });
  const name = `tender_bench_${process.pid}`;
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const admin = (text) => onServer(server.url, (client) => client.query(text));
  await admin(`create database ${name}`);
  return {
    name: 'PostgreSQL',
    env: { TENDER_DATA: folder, DATABASE_URL: url.href },
    url: url.href,
    pgbench: pgbenchOf(binaries),
    proof: (times) => onServer(url.href, async (client) => (await client.query(PROOF, times)).rows[0]),
    close: async () => {
      await admin(`drop database ${name} with (force)`);
      await server.stop();
    },
  };
}

function pgbenchOf(binaries) {
  const program = binaries && join(binaries, 'pgbench');
  return program && existsSync(program) ? program : undefined;
}

export async function preparePgbench({ pgbench, url }, { signal }) {
  await runPgbench(pgbench, ['--initialize', '--quiet', `--scale=${PGBENCH_SCALE}`, url], signal);
}

/** Transactions per second of pgbench's own "simple update". */
export async function pgbenchRate({ pgbench, url }, { seconds, signal }) {
  const clients = [`--client=${PGBENCH_CLIENTS}`, '--jobs=1', '--no-vacuum'];
  const script = ['--skip-some-updates', '--protocol=prepared', `--time=${Math.round(seconds)}`];
  const output = await runPgbench(pgbench, [...clients, ...script, url], signal);
  return Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
}

async function runPgbench(pgbench, args, signal) {
  const { code, output } = await run(pgbench, args, { signal, limitMs: PGBENCH_LIMIT_MS });
  if (code !== 0) throw new Error(`pgbench failed:\n${output}`);
  return output;
}
