// Exports and imports on both databases: everything arrives as it was, in whichever direction, and nothing that is not
// whole is ever taken for it.

import { mkdir, mkdtemp, open as openFile, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import { listTables, parentsFirst } from '../../src/storage/transfer/catalogue.ts';
import { exportDatabase } from '../../src/storage/transfer/export.ts';
import { readExport } from '../../src/storage/transfer/export-file.ts';
import { FILLED_BY_MIGRATIONS, importDatabase, inspectExport } from '../../src/storage/transfer/import.ts';
import { type DatabaseKind, databaseKinds, embedded, type OpenedDatabase, postgres } from './databases.ts';

const NOW = Date.UTC(2027, 0, 31);

/** One table with everything a column can be, and a pair that refers to each other's neighbours. */
const TYPES = `
create table b_parents (id bigint primary key, name text not null);
create table a_children (id bigint primary key, parent_id bigint not null references b_parents);
create table everything (
  id        bigint primary key,
  plain     text,
  words     text[],
  figures   bigint[],
  flag      boolean,
  share     real,
  precise   double precision,
  exact     numeric,
  bytes     bytea,
  document  jsonb,
  at        timestamptz,
  day       date,
  serial    uuid,
  doubled   bigint generated always as (id * 2) stored,
  "Odd name, ""quoted""" text
);
create table accounts (id integer primary key, balance bigint not null);
create table savings (id integer primary key, balance bigint not null);
`;

const FILL = `
insert into b_parents values (1, 'one'), (2, 'two');
insert into a_children values (10, 2), (11, 1);
insert into everything (id, plain, words, figures, flag, share, precise, exact, bytes, document, at, day, serial, "Odd name, ""quoted""") values
  (1, E'line\\nbreak \\t "quotes" \\\\ back \\u00e9 \\U0001F600', array['a"b', 'c,d', '', null, '{}', E'\\\\'], '{9007199254740993,-1}', true,
   0.1, 1e-300, 123456789012345678901234567890.12345, '\\x00ff0a0d22', '{"k": [1, "\\n", null, 0.10, "é"]}',
   '2027-01-31 12:34:56.123456+03', '2027-02-28', '0d9ffcb4-6a3e-4a8e-b0b3-000000000001', 'x'),
  (2, null, null, null, null, null, null, null, null, null, null, null, null, null),
  (3, '', '{}', '{}', false, 'NaN', '-Infinity', 'NaN', '', 'null', 'infinity', '-infinity',
   'ffffffff-ffff-ffff-ffff-ffffffffffff', '');
insert into accounts select n, 100 from generate_series(1, 50) n;
insert into savings select n, 0 from generate_series(1, 50) n;
`;

const opened: OpenedDatabase[] = [];
/** Databases that many tests read and none changes, by what they hold. */
const shared = new Map<string, Promise<OpenedDatabase>>();
let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-export-'));
  await migrationsFolder('types', TYPES);
});

afterEach(async () => {
  for (const one of opened.splice(0)) await one.drop();
});

afterAll(async () => {
  for (const one of shared.values()) await (await one).drop();
  await rm(folder, { recursive: true, force: true });
});

async function open(kind: DatabaseKind, options: { folder?: boolean } = {}): Promise<Database> {
  const one = await kind.open({ ...options, bare: true });
  opened.push(one);
  return one.database;
}

/** A folder of migrations, one for each text. */
async function migrationsFolder(name: string, ...texts: string[]): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  for (const [index, text] of texts.entries())
    await writeFile(join(path, `000${index + 1}-step-${index + 1}.sql`), text);
  return path;
}

const newPath = () => join(folder, `export-${files++}.gz`);

async function exported(database: Database): Promise<string> {
  const path = newPath();
  await exportDatabase({ database, path, now: NOW });
  return path;
}

async function imported(kind: DatabaseKind, path: string, migrations?: string): Promise<Database> {
  const database = await open(kind);
  await importInto(database, path, migrations);
  return database;
}

async function importInto(database: Database, path: string, migrations?: string): Promise<void> {
  const file = await inspectExport({ path }, migrations);
  await importDatabase({ database, path, file, ...(migrations === undefined ? {} : { folder: migrations }) });
}

const ask = (database: Database, text: string) => database.query({ name: `test-${text.slice(0, 50)}`, text });

/** Every row of every table as text, in an order of its own. */
async function contents(database: Database): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { name } of await database.transaction(listTables)) {
    if (name === 'schema_migration') continue;
    const rows = await ask(database, `select t::text as row from "${name}" t order by 1`);
    all[name] = rows.map(({ row }) => row as string);
  }
  return all;
}

async function fillTypes(database: Database): Promise<void> {
  await migrate(database, join(folder, 'types'));
  await database.script(FILL);
}

/** Opens and fills a database once for all tests that only read it. */
async function once(kind: DatabaseKind, holds: string, fill: (database: Database) => Promise<unknown>) {
  const name = `${holds} on ${kind.kind}`;
  const filled = async () => {
    const one = await kind.open({ bare: true });
    await fill(one.database);
    return one;
  };
  if (!shared.has(name)) shared.set(name, filled());
  const { database } = await (shared.get(name) as Promise<OpenedDatabase>);
  return database;
}

const typesDatabase = (kind: DatabaseKind) => once(kind, 'types', fillTypes);
const migratedDatabase = (kind: DatabaseKind) => once(kind, 'migrations', (database) => migrate(database));

const there = databaseKinds.filter(({ available }) => available);
const journeys = there.flatMap((from) => there.map((to) => [from, to] as const));

describe('an export of the real schema', () => {
  for (const kind of databaseKinds) {
    it.skipIf(!kind.available)(`forgets no table, on ${kind.name}`, async () => {
      const database = await migratedDatabase(kind);
      const path = await exported(database);
      const inFile: string[] = [];
      for await (const part of readExport({ path })) if (part.kind === 'table') inFile.push(part.head.table);
      const rows = await ask(
        database,
        `select relname::text as table_name from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
      );
      const inDatabase = rows
        .map(({ table_name }) => table_name as string)
        .filter((name) => name !== 'schema_migration');
      expect(inDatabase.length).toBeGreaterThan(15);
      expect(inFile.toSorted()).toEqual(inDatabase.toSorted());
    });
  }

  it('would lose nothing that is not in a table: no sequence, no large object, no other schema', async () => {
    const database = await migratedDatabase(embedded);
    const elsewhere = await ask(
      database,
      `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
         and (relkind in ('S', 'm', 'f') or nspname <> 'public' and relkind in ('r', 'p'))`,
    );
    expect(elsewhere).toEqual([]);
  });

  it('knows which tables the migrations themselves fill', async () => {
    const database = await migratedDatabase(embedded);
    const filled = Object.entries(await contents(database)).filter(([, rows]) => rows.length > 0);
    expect([...filled.map(([name]) => name), 'schema_migration'].toSorted()).toEqual(
      [...FILLED_BY_MIGRATIONS].toSorted(),
    );
  });

  it('leaves security codes behind, wherever one may be kept', async () => {
    const database = await open(embedded);
    await migrate(database);
    const path = await exported(database);
    const heads = gunzipSync(await readFile(path)).toString();
    expect(heads).toContain('sealed_cvv');
    await database.script(`
      insert into transactions (merchant_id, order_id, seq, type, amount, stage, leg, legs, attempts, sends, request_serial,
        fingerprint, sealed_cvv, created_at, changed_at)
      values (1, 2, 1, 'sale', 100, 'sending', 1, 1, 0, 0, gen_random_uuid(), '\\xaa', '\\xc0dec0dec0dec0de', now(), now())`);
    const text = gunzipSync(await readFile(await exported(database))).toString();
    expect(text).not.toContain('c0dec0dec0dec0de');
    // A column for security codes that a later migration adds has to be left behind too.
    const columns = (await database.transaction(listTables)).flatMap(({ name, columns }) =>
      columns.map((column) => `${name}.${column.name}`).filter((column) => /cvv|security_code/.test(column)),
    );
    expect(columns.toSorted()).toEqual(['transactions.sealed_cvv']);
  });
});

describe.each(journeys)('an export of $name', (from, to) => {
  it(`arrives on ${to.name} as it was, and back again`, async () => {
    const migrations = join(folder, 'types');
    const source = await typesDatabase(from);
    const before = await contents(source);
    const there = await imported(to, await exported(source), migrations);
    expect(await contents(there)).toEqual(before);
    const back = await imported(from, await exported(there), migrations);
    expect(await contents(back)).toEqual(before);
    expect(before.everything).toHaveLength(3);
  });
});

describe('an export made under an older schema', () => {
  it('is imported as it was, and what came since is applied to its rows', async () => {
    const source = await typesDatabase(embedded);
    const path = await exported(source);
    const newer = await migrationsFolder(
      'newer',
      TYPES,
      `alter table accounts add column doubled bigint; update accounts set doubled = balance * 2;
       alter table accounts alter column doubled set not null; alter table accounts rename balance to amount;`,
    );
    const database = await imported(embedded, path, newer);
    const [row] = await ask(database, 'select sum(doubled)::int as doubled, sum(amount)::int as amount from accounts');
    expect(row).toEqual({ doubled: 10_000, amount: 5_000 });
  });

  it('a newer or another schema is refused before anything is touched', async () => {
    const newer = await migrationsFolder('two-steps', TYPES, 'create table later (id integer primary key)');
    const source = await open(embedded);
    await migrate(source, newer);
    const path = await exported(source);
    await expect(inspectExport({ path }, join(folder, 'types'))).rejects.toThrow(
      /^is newer than this program: it has migration 0002-step-2/,
    );
    const other = await migrationsFolder('other', `${TYPES}-- changed`, 'create table later (id integer primary key)');
    await expect(inspectExport({ path }, other)).rejects.toThrow('has another migration 0001-step-1');
  });
});

describe('a file that is not whole', () => {
  let path: string;
  let bytes: Buffer;

  const inspect = async (changed: Buffer) => {
    const file = newPath();
    await writeFile(file, changed);
    return inspectExport({ path: file }, join(folder, 'types'));
  };

  beforeAll(async () => {
    path = await exported(await typesDatabase(embedded));
    bytes = await readFile(path);
  });

  it('is taken when it is', async () => {
    const { rows, header } = await inspect(bytes);
    expect(rows).toMatchObject({ accounts: 50, a_children: 2, b_parents: 2, everything: 3 });
    expect(header).toMatchObject({ format: 'tender-export', version: 1, takenAt: new Date(NOW).toISOString() });
  });

  it('is refused wherever it is cut off', async () => {
    for (let length = 0; length < bytes.length; length += 17) {
      await expect(inspect(bytes.subarray(0, length)), `cut to ${length}`).rejects.toThrow(/^is /);
    }
    // Cut between two lines and packed anew, so that gzip has nothing to complain about.
    const lines = gunzipSync(bytes).toString().split('\n').slice(0, -1);
    for (let count = 0; count < lines.length; count++) {
      const cut = gzipSync(
        lines
          .slice(0, count)
          .map((line) => `${line}\n`)
          .join(''),
      );
      await expect(inspect(cut), `${count} lines`).rejects.toThrow(/^is /);
    }
  });

  it('is refused with a bit turned, a row left out, doubled or moved', async () => {
    for (let at = 12; at < bytes.length; at += 23) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(inspect(changed), `byte ${at}`).rejects.toThrow(/^is /);
    }
    const lines = gunzipSync(bytes).toString().split('\n');
    const at = lines.findIndex((line) => line.startsWith('['));
    const without = lines.toSpliced(at, 1);
    const doubled = lines.toSpliced(at, 0, lines[at] as string);
    const moved = lines.with(at, lines[at + 1] as string).with(at + 1, lines[at] as string);
    for (const changed of [without, doubled, moved]) {
      await expect(inspect(gzipSync(changed.join('\n')))).rejects.toThrow('is damaged');
    }
  });

  it('is refused when it is something else or of a later format', async () => {
    await expect(inspect(Buffer.from('Dear diary'))).rejects.toThrow('is not an export of tender');
    await expect(inspect(gzipSync('Dear diary\n'))).rejects.toThrow('is not an export of tender');
    await expect(inspect(gzipSync('{"format":"tender-export","version":2}\n'))).rejects.toThrow(
      'was made by a newer version of tender',
    );
  });

  it('leaves nothing behind when it changed between the look and the import, and the next try works', async () => {
    const migrations = join(folder, 'types');
    const database = await open(embedded);
    const file = await inspectExport({ path }, migrations);
    const changed = newPath();
    await writeFile(changed, bytes.subarray(0, bytes.length - 20));
    await expect(importDatabase({ database, path: changed, file, folder: migrations })).rejects.toThrow('is cut off');
    expect(Object.values(await contents(database)).flat()).toEqual([]);
    await importInto(database, path, migrations);
    expect((await contents(database)).accounts).toHaveLength(50);
  });
});

describe.each(there)('a database that is not empty, on $name', (kind) => {
  it('is refused and stays as it is', async () => {
    const path = await exported(await typesDatabase(embedded));
    const database = await open(kind);
    await database.script('create table diary (page text); insert into diary values (1)');
    await expect(importInto(database, path, join(folder, 'types'))).rejects.toThrow(
      'the database is not empty: table diary',
    );
    expect(await contents(database)).toEqual({ diary: ['(1)'] });
  });
});

describe('one moment', () => {
  /**
   * Moves money from one table to another, one far behind in the file, until told to stop: the sum is always the same.
   */
  async function moving(database: Database, during: () => Promise<string>): Promise<string> {
    let over = false;
    let moves = 0;
    const move = async () => {
      while (!over) {
        const id = 1 + (moves % 50);
        await database.script(
          `update accounts set balance = balance - 1 where id = ${id}; update savings set balance = balance + 1 where id = ${id}`,
        );
        moves += 1;
      }
    };
    const running = move();
    while (moves < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = moves;
    const path = await during();
    while (moves < before + 20) await new Promise((resolve) => setTimeout(resolve, 5));
    over = true;
    await running;
    return path;
  }

  async function sumIn(path: string): Promise<number> {
    const database = await imported(embedded, path, join(folder, 'types'));
    const [row] = await ask(
      database,
      'select (select sum(balance) from accounts)::int + (select sum(balance) from savings)::int as sum',
    );
    return row?.sum as number;
  }

  it.skipIf(!postgres.available)('is what a server exports while others write', async () => {
    const database = await open(postgres);
    await fillTypes(database);
    // Enough between the accounts and the rest that the export takes its time.
    await database.script(`insert into b_parents select n, repeat('x', 200) from generate_series(10, 60000) n`);
    const path = await moving(database, () => exported(database));
    expect(await sumIn(path)).toBe(5_000);
  });

  it('is what a copy of the embedded database holds while others write', async () => {
    const database = await open(embedded, { folder: true });
    await fillTypes(database);
    const copyFolder = join(folder, 'copy');
    const path = await moving(database, async () => {
      await database.copyTo?.(copyFolder);
      const copy = await openDatabase({ dataFolder: copyFolder });
      return exported(copy).finally(() => copy.close());
    });
    expect(await sumIn(path)).toBe(5_000);
  });

  it('makes no file at all when it cannot be flushed', async () => {
    const database = await typesDatabase(embedded);
    const handle = await openFile(join(folder, 'any'), 'a');
    await handle.close();
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync');
    sync.mockRejectedValueOnce(new Error('EIO'));
    const path = newPath();
    await expect(exportDatabase({ database, path, now: NOW })).rejects.toThrow('EIO');
    sync.mockRestore();
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  it('makes no file at all when it fails, and writes over none', async () => {
    const database = await open(embedded);
    const path = newPath();
    await expect(exportDatabase({ database, path, now: NOW })).rejects.toThrow('there is nothing to export');
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    await expect(readFile(`${path}.unfinished`)).rejects.toThrow('ENOENT');
    await writeFile(path, 'mine');
    await expect(exportDatabase({ database, path, now: NOW })).rejects.toThrow('exists already');
    expect(await readFile(path, 'utf8')).toBe('mine');
  });
});

describe('tables in order', () => {
  it.each([
    [['a', 'b', 'c'], [['a', 'c']], ['b', 'c', 'a']],
    [
      ['a', 'b', 'c'],
      [
        ['a', 'b'],
        ['b', 'c'],
      ],
      ['c', 'b', 'a'],
    ],
    [['a', 'b'], [], ['a', 'b']],
  ])('%j with %j', (names, references, sorted) => {
    const pairs = references.map(([child = '', parent = '']) => ({ child, parent }));
    expect(parentsFirst(names, pairs)).toEqual(sorted);
  });

  it('in a circle are refused', () => {
    const circle = [
      { child: 'a', parent: 'b' },
      { child: 'b', parent: 'a' },
    ];
    expect(() => parentsFirst(['a', 'b'], circle)).toThrow('in a circle');
  });
});
