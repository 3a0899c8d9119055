// What only the embedded database has to promise: its folder has one owner, an acknowledged row survives kill -9, and
// it does not open, or does not go on, when the disk is not really written.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { CACHE_FOLDER } from '../../src/storage/connection/package-root.ts';
import { ConnectionLost } from '../../src/storage/database.ts';
import { maintain, startMaintenance, vacuum } from '../../src/storage/embedded/maintenance.ts';
import { openPglite } from '../../src/storage/embedded/pglite.ts';
import { SHORT_LIFE } from '../setup/short-life.ts';
import { embedded, type OpenedDatabase } from './databases.ts';

const KILLS = 3;
/** A writer is killed so long after it has written so many rows. */
const LIFE = { fewestRows: 5, moreMs: 500 };

const insert = { name: 'insert-item', text: 'INSERT INTO item VALUES ($1)' };
const total = { name: 'count-items', text: 'SELECT count(*)::int AS total FROM item' };

/** Every column, index and constraint, and what the migrations themselves filled. */
const description = {
  name: 'describe-schema',
  text: `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as part from information_schema.columns
      where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    order by part`,
};
const filled = {
  name: 'read-filled',
  text: `select (select jsonb_agg(to_jsonb(m) - 'applied_at' order by number) from schema_migration m) as migrations,
      (select jsonb_agg(c) from configuration_version c) as versions, (select jsonb_agg(a) from audit_head a) as heads`,
};

describe('the embedded database', () => {
  let opened: OpenedDatabase;
  let dataFolder: string;

  beforeEach(async () => {
    opened = await embedded.open({ folder: true });
    dataFolder = opened.place.dataFolder!;
    await opened.database.script('CREATE TABLE item (id bigint PRIMARY KEY)');
  });

  afterEach(() => opened.drop());

  it('keeps its data when it is closed and opened again, and was shut down cleanly', async () => {
    await opened.database.query(insert, [1]);
    await opened.database.close();
    expect(await shutDownCleanly(dataFolder)).toBe(true);
    const again = await openDatabase({ dataFolder });
    expect(await again.query(total)).toEqual([{ total: 1 }]);
    await again.close();
  });

  it('finishes what is under way before it closes, and refuses what comes after', async () => {
    const writes = [1, 2, 3].map((id) => opened.database.query(insert, [id]));
    const closed = opened.database.close();
    await Promise.all(writes);
    await closed;
    await expect(opened.database.query(insert, [4])).rejects.toThrow('the database is closed');
  });

  it('refuses a second owner while the first lives', async () => {
    await expect(openDatabase({ dataFolder })).rejects.toThrow(
      `data folder ${dataFolder} is in use by process ${process.pid}`,
    );
    await opened.database.close();
    expect(await readdir(dataFolder)).toEqual(['cluster']);
  });

  it('begins again when the first start died while making the cluster', async () => {
    await opened.database.close();
    await rm(join(dataFolder, 'cluster'), { recursive: true });
    await writeFile(join(dataFolder, 'cluster.new'), 'half of a cluster');
    const again = await openDatabase({ dataFolder });
    await again.script('CREATE TABLE item (id bigint)');
    await again.close();
    expect(await readdir(dataFolder)).toEqual(['cluster']);
  });

  it('begins as migrated as a database that takes every migration itself, where that is asked for', async () => {
    const [begun, empty] = [await openDatabase({ begin: 'migrated' }), await openDatabase({})];
    expect(await migrate(empty)).not.toEqual([]);
    expect(await begun.query(description)).toEqual(await empty.query(description));
    expect(await begun.query(filled)).toEqual(await empty.query(filled));
    expect(await migrate(begun)).toEqual([]);
    for (const database of [begun, empty]) await database.close();
  });

  it('refuses to open when a commit does not reach the disk', async () => {
    await opened.database.close();
    await expect(openPglite({ dataFolder, fsyncFault: 'absent' })).rejects.toThrow('did not flush a commit to disk');
    await (await openDatabase({ dataFolder })).close();
  });

  it('stops for good and says so when the disk fails, without leaving anybody waiting', async () => {
    await opened.database.close();
    const fatal: Error[] = [];
    const failing = await openPglite({
      dataFolder,
      fsyncFault: 'fails-once-open',
      onFatal: (error) => fatal.push(error),
    });
    const writes = await Promise.allSettled([1, 2, 3].map((id) => failing.query(insert, [id])));
    expect(writes.map((write) => write.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect((writes[0] as PromiseRejectedResult).reason).toBeInstanceOf(ConnectionLost);
    await expect(failing.query(total)).rejects.toMatchObject({ sqlState: '08001' });
    expect(fatal).toHaveLength(1);
    await failing.close();
    await (await openDatabase({ dataFolder })).close();
  });

  it('takes dead rows away and keeps the log short', async () => {
    const { database } = opened;
    await database.script('INSERT INTO item SELECT generate_series(1, 5000); DELETE FROM item WHERE id > 10');
    await vacuum(database);
    const size = { name: 'size', text: "SELECT pg_relation_size('item')::int AS bytes" };
    expect((await database.query<{ bytes: number }>(size))[0]!.bytes).toBeLessThanOrEqual(8192);

    await database.script('CREATE TABLE padded (pad text); ALTER TABLE padded ALTER pad SET STORAGE PLAIN');
    await database.script("INSERT INTO padded SELECT repeat('x', 7000) FROM generate_series(1, 10000)");
    const redo = { name: 'redo', text: 'SELECT redo_lsn::text AS at FROM pg_control_checkpoint()' };
    const before = await database.query(redo);
    await maintain(database);
    expect(await database.query(redo)).not.toEqual(before);
  });

  it('works on a table that has many dead rows, or has doubled', async () => {
    const { database } = opened;
    const workedOn = async (sql: string) => {
      await database.script(`${sql}; SELECT pg_stat_force_next_flush()`);
      return (await maintain(database)).filter((name) => name === 'public.item');
    };
    expect(await workedOn('INSERT INTO item SELECT generate_series(1, 1900)')).toEqual([]);
    expect(await workedOn('INSERT INTO item SELECT generate_series(2001, 10000)')).toEqual(['public.item']);
    expect(await workedOn('INSERT INTO item SELECT generate_series(10001, 20000)')).toEqual([]);
    expect(await workedOn('INSERT INTO item SELECT generate_series(20001, 24000)')).toEqual(['public.item']);
    expect(await workedOn('DELETE FROM item WHERE id <= 4200')).toEqual([]);
    expect(await workedOn('DELETE FROM item WHERE id <= 5000')).toEqual(['public.item']);
  });

  it('is maintained in rounds by the clock, until that is stopped', async () => {
    let wake = () => {};
    const clock = {
      now: Date.now,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          wake = resolve;
          signal?.addEventListener('abort', () => resolve());
        }),
    };
    const errors: unknown[] = [];
    const maintenance = startMaintenance({ database: opened.database, clock, onError: (error) => errors.push(error) });
    wake();
    await maintenance.stop();
    expect(errors).toEqual([]);
  });

  it(`loses no acknowledged row in ${KILLS} kills -9`, async () => {
    await opened.database.close();
    const script = await builtWriter();
    let acknowledged: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const args = [...SHORT_LIFE, script, dataFolder, String(1_000_000 * (kill + 1))];
      const writer = spawn(process.execPath, args, { stdio: 'pipe' });
      acknowledged = acknowledged.concat(await killedWhileWriting(writer));
    }
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    const database = await openDatabase({ dataFolder });
    const read = { name: 'read-written', text: 'SELECT id FROM written' };
    const written = new Set((await database.query<{ id: string }>(read)).map((row) => Number(row.id)));
    expect(acknowledged.filter((id) => !written.has(id) || !written.has(id + 1))).toEqual([]);
    const halves = {
      name: 'halves',
      text: 'SELECT a.id FROM written a LEFT JOIN written b ON b.id = a.pair WHERE b.id IS NULL',
    };
    expect(await database.query(halves)).toEqual([]);
    await database.close();
    await rm(dirname(script), { recursive: true });
  });
});

/** The writer and the database's worker as plain JavaScript beside each other, as in the shipped bundle. */
async function builtWriter(): Promise<string> {
  const outdir = join(CACHE_FOLDER, `writer-${process.pid}`);
  await build({
    entryPoints: {
      writer: fileURLToPath(new URL('./writes-until-killed.ts', import.meta.url)),
      'pglite-worker': fileURLToPath(new URL('../../src/storage/embedded/pglite-worker.ts', import.meta.url)),
    },
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outdir,
  });
  return join(outdir, 'writer.js');
}

async function killedWhileWriting(writer: ChildProcess): Promise<number[]> {
  const acknowledged: number[] = [];
  const complaints: string[] = [];
  writer.stderr!.on('data', (text) => complaints.push(String(text)));
  const lines = createInterface({ input: writer.stdout! });
  lines.on('line', (line) => acknowledged.push(Number(line)));
  const exited = once(writer, 'exit');
  while (acknowledged.length < LIFE.fewestRows && writer.exitCode === null)
    await Promise.race([once(lines, 'line'), exited]);
  await sleep(LIFE.moreMs);
  writer.kill('SIGKILL');
  await exited;
  expect(complaints).toEqual([]);
  return acknowledged;
}

/** The state in PostgreSQL's control file, a 32-bit number at byte 16: 1 is "shut down". */
async function shutDownCleanly(dataFolder: string): Promise<boolean> {
  const control = await readFile(join(dataFolder, 'cluster', 'global', 'pg_control'));
  return control.readUInt32LE(16) === 1;
}
