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

/** The server at DATABASE_URL, or one of our own; undefined when there is neither. */
export async function postgresServer() {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => {} };
  const binaries = findPostgres();
  return binaries && startPostgres({ binaries });
}

let made = 0;

/** A new database there, which `drop` takes away. No database that exists is ever touched. */
export async function databaseOn(server, { folder }) {
  const name = `tender_bench_${process.pid}_${++made}`;
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  const admin = (text) => onServer(server.url, (client) => client.query(text));
  await admin(`create database ${name}`);
  const drop = () => admin(`drop database ${name} with (force)`);
  return { url, env: { TENDER_DATA: folder, DATABASE_URL: url }, drop };
}

export async function postgres({ folder }) {
  const server = await postgresServer();
  if (!server) return undefined;
  const { url, env, drop } = await databaseOn(server, { folder });
  return {
    ...{ name: 'PostgreSQL', env, url },
    pgbench: pgbenchOf(findPostgres()),
    proof: (times) => onServer(url, async (client) => (await client.query(PROOF, times)).rows[0]),
    close: async () => {
      await drop();
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
