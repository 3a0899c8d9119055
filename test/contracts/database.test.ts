// What the gateway relies on from a database, held by both: the embedded one and PostgreSQL.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { sessionDatabase } from '../../src/storage/connection/transaction.ts';
import { type Database, DatabaseError, type Statement } from '../../src/storage/database.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const OPEN_TIMEOUT_MS = 60_000;

const insert: Statement = { name: 'insert-item', text: 'INSERT INTO item (id, note) VALUES ($1, $2) RETURNING id' };
const count: Statement<{ total: number }> = { name: 'count-items', text: 'SELECT count(*)::int AS total FROM item' };
const divide: Statement = { name: 'divide', text: 'SELECT 1 / $1::int AS quotient' };

const total = async (database: Database) => (await database.query(count))[0]!.total;

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the database contract on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;

    beforeAll(async () => {
      opened = await kind.open();
      database = opened.database;
      await database.script(
        'CREATE TABLE item (id bigint PRIMARY KEY, note text CONSTRAINT note_is_short CHECK (length(note) < 100))',
      );
    }, OPEN_TIMEOUT_MS);

    afterAll(() => opened?.drop());

    beforeEach(() => database.script('TRUNCATE item'));

    it('is to stores that are made on a transaction what it is to others', async () => {
      const isCluster = await database.transaction(async (session) => sessionDatabase(database, session).isCluster);
      expect(isCluster).toBe(database.isCluster);
    });

    it('gives large integers and decimals as text, times as dates, bytes as buffers, json parsed', async () => {
      const at = new Date('2026-02-03T04:05:06.789Z');
      const statement = {
        name: 'types',
        text: `SELECT $1::int8 AS large, $2::numeric AS exact, $3::timestamptz AS at, $4::bytea AS bytes, $5::jsonb AS json,
                 $6::text AS nothing, $7::boolean AS flag, $8::int AS small, '2026-02-03'::date AS day`,
      };
      const values = [
        '9007199254740993',
        '10.40',
        at,
        Buffer.from([0, 255, 7]),
        { a: [1, { b: 'ü"\\' }] },
        null,
        true,
        5,
      ];
      expect(await database.query(statement, values)).toEqual([
        {
          large: '9007199254740993',
          exact: '10.40',
          at,
          bytes: Buffer.from([0, 255, 7]),
          json: { a: [1, { b: 'ü"\\' }] },
          nothing: null,
          flag: true,
          small: 5,
          day: '2026-02-03',
        },
      ]);
    });

    it('takes arrays of every type, with awkward elements', async () => {
      const texts = [
        'plain',
        'with "quotes"',
        'back\\slash',
        '{brace}, comma',
        '',
        'NULL',
        null,
        'line\nbreak',
        '日本',
      ];
      const bytes = [Buffer.from([1, 2]), Buffer.alloc(0), null];
      const dates = [new Date('2026-02-03T04:05:06.789Z')];
      const statement = {
        name: 'arrays',
        text: `SELECT $1::text[] AS texts, $2::bytea[] AS bytes, $3::timestamptz[] AS dates, $4::int8[] AS numbers,
                 $5::jsonb[] AS objects, $6::boolean[] AS flags`,
      };
      const [row] = await database.query(statement, [
        texts,
        bytes,
        dates,
        [1n, 2n ** 60n],
        [{ a: '"' }],
        [true, false],
      ]);
      expect(row).toEqual({
        texts,
        bytes,
        dates,
        numbers: ['1', String(2n ** 60n)],
        objects: [{ a: '"' }],
        flags: [true, false],
      });
    });

    it('runs a named statement again and again', async () => {
      for (let id = 1; id <= 20; id++) expect(await database.query(insert, [id, 'x'])).toEqual([{ id: String(id) }]);
      expect(await total(database)).toBe(20);
    });

    it('refuses two texts under one name before anything is sent', async () => {
      await database.query(insert, [1, 'x']);
      const impostor = { name: insert.name, text: 'DELETE FROM item' };
      const flight = database.flight([
        { statement: insert, values: [2, 'x'] },
        { statement: impostor, values: [] },
      ]);
      await expect(flight).rejects.toThrow('two statements are named insert-item');
      expect(await total(database)).toBe(1);
    });

    it('refuses a value that cannot be encoded before anything is sent', async () => {
      const circular: { self?: unknown } = {};
      circular.self = circular;
      const flight = database.flight([
        { statement: insert, values: [1, 'x'] },
        { statement: insert, values: [2, circular] },
        { statement: insert, values: [3, 'x'] },
      ]);
      await expect(flight).rejects.toThrow(TypeError);
      expect(await total(database)).toBe(0);
    });

    it('answers each step of a flight with its rows', async () => {
      const rows = await database.flight([
        { statement: insert, values: [1, 'x'] },
        { statement: count, values: [] },
        { statement: insert, values: [2, 'x'] },
      ]);
      expect(rows).toEqual([[{ id: '1' }], [{ total: 1 }], [{ id: '2' }]]);
      expect(await database.flight([])).toEqual([]);
      expect(await database.flight([{ statement: count, values: [] }])).toEqual([[{ total: 2 }]]);
    });

    it('keeps nothing of a flight with a failing step, and names the first failure', async () => {
      await database.query(insert, [2, 'x']);
      const flight = database.flight([
        { statement: insert, values: [1, 'x'] },
        { statement: insert, values: [2, 'x'] },
        { statement: divide, values: [0] },
        { statement: insert, values: [3, 'x'] },
      ]);
      await expect(flight).rejects.toMatchObject({ name: 'DatabaseError', sqlState: '23505', constraint: 'item_pkey' });
      expect(await total(database)).toBe(1);
      expect(await database.query(insert, [3, 'x'])).toEqual([{ id: '3' }]);
    });

    it('goes on after a failure in a statement that was never prepared before', async () => {
      const fresh = { name: 'fresh-in-a-failed-flight', text: 'SELECT $1::int AS x' };
      const broken = { name: 'broken', text: 'SELECT nonsense FROM nowhere' };
      const failing = [
        { statement: divide, values: [0] },
        { statement: fresh, values: [1] },
      ];
      for (let round = 0; round < 2; round++) {
        await expect(database.flight(failing)).rejects.toMatchObject({ sqlState: '22012' });
        await expect(database.query(broken)).rejects.toMatchObject({ sqlState: '42P01' });
        expect(await database.flight([{ statement: fresh, values: [7] }])).toEqual([[{ x: 7 }]]);
      }
    });

    it('fails a flight whose deferred constraint breaks at commit', async () => {
      await database.script('CREATE TABLE late (id int CONSTRAINT late_once UNIQUE DEFERRABLE INITIALLY DEFERRED)');
      const add = { name: 'insert-late', text: 'INSERT INTO late VALUES ($1)' };
      const flight = database.flight([
        { statement: add, values: [1] },
        { statement: add, values: [1] },
      ]);
      await expect(flight).rejects.toMatchObject({ sqlState: '23505', constraint: 'late_once' });
      const rows = await database.query({ name: 'read-late', text: 'SELECT * FROM late' });
      expect(rows).toEqual([]);
    });

    it('tells the constraint of a refused row and never the values', async () => {
      const secret = '4111111111111111'.repeat(10);
      const error = await database.query(insert, [1, secret]).catch((caught) => caught);
      expect(error).toBeInstanceOf(DatabaseError);
      expect(error).toMatchObject({ sqlState: '23514', constraint: 'note_is_short' });
      const malformed = await database.query(divide, [secret]).catch((caught) => caught);
      expect(malformed).toMatchObject({ sqlState: '22003' });
      for (const each of [error, malformed]) {
        expect(JSON.stringify({ ...each, message: each.message, stack: each.stack })).not.toContain('41111');
      }
    });

    it('answers a hundred parallel queries, each with its own', async () => {
      const echo = { name: 'echo', text: 'SELECT $1::int AS x' };
      const numbers = Array.from({ length: 100 }, (_, x) => x);
      const answers = await Promise.all(numbers.map((x) => database.query<{ x: number }>(echo, [x])));
      expect(answers.map(([row]) => row!.x)).toEqual(numbers);
    });

    it('commits what a transaction read and wrote', async () => {
      const result = await database.transaction(async (session) => {
        await session.query(insert, [1, 'x']);
        const [row] = await session.query(count);
        await session.query(insert, [row!.total + 1, 'x']);
        return 'done';
      });
      expect(result).toBe('done');
      expect(await total(database)).toBe(2);
    });

    it('rolls a transaction back when its work throws, or goes on after a failed statement', async () => {
      const thrown = database.transaction(async (session) => {
        await session.query(insert, [1, 'x']);
        throw new Error('changed my mind');
      });
      await expect(thrown).rejects.toThrow('changed my mind');
      const ignored = database.transaction(async (session) => {
        await session.query(insert, [2, 'x']);
        await session.query(divide, [0]).catch(() => {});
      });
      await expect(ignored).rejects.toMatchObject({ sqlState: '25P02' });
      expect(await total(database)).toBe(0);
    });

    it('takes flights inside a transaction as part of it', async () => {
      const thrown = database.transaction(async (session) => {
        const rows = await session.flight([
          { statement: insert, values: [1, 'x'] },
          { statement: count, values: [] },
        ]);
        expect(rows).toEqual([[{ id: '1' }], [{ total: 1 }]]);
        throw new Error('changed my mind');
      });
      await expect(thrown).rejects.toThrow('changed my mind');
      expect(await total(database)).toBe(0);
    });

    it('is usable after a transaction whose very first statement failed', async () => {
      for (let round = 0; round < 3; round++) {
        const failed = database.transaction((session) =>
          Promise.all([session.query(divide, [0]), session.query(insert, [1, 'x'])]),
        );
        await expect(failed).rejects.toMatchObject({ sqlState: '22012' });
        expect(await database.flight([{ statement: insert, values: [10 + round, 'x'] }])).toHaveLength(1);
      }
      expect(await total(database)).toBe(3);
    });

    it('carries large values and many rows', async () => {
      const echo = { name: 'echo-bytes', text: 'SELECT $1::bytea AS bytes, length($2::text) AS length' };
      const bytes = Buffer.alloc(3_000_000, 7);
      const [row] = await database.query<{ bytes: Buffer; length: number }>(echo, [bytes, 'ü'.repeat(1_000_000)]);
      expect(row!.bytes.equals(bytes)).toBe(true);
      expect(row!.length).toBe(1_000_000);
      const many = { name: 'many-rows', text: "SELECT g, repeat('x', 200) AS pad FROM generate_series(1, $1::int) g" };
      const rows = await database.query<{ g: number }>(many, [50_000]);
      expect(rows).toHaveLength(50_000);
      expect(rows.at(-1)!.g).toBe(50_000);
    });

    it('lets nothing of others into an open transaction', async () => {
      const flights: Promise<unknown>[] = [];
      const rolledBack = database.transaction(async (session) => {
        await session.query(insert, [1, 'mine']);
        for (let id = 100; id < 110; id++) {
          flights.push(database.query(insert, [id, 'other']));
          flights.push(database.flight([10, 20].map((more) => ({ statement: insert, values: [id + more, 'other'] }))));
        }
        await session.query(insert, [2, 'mine']);
        throw new Error('roll back');
      });
      await expect(rolledBack).rejects.toThrow('roll back');
      await Promise.all(flights);
      expect(await total(database)).toBe(30);
    });

    it('refuses statements of a transaction that is over', async () => {
      let leaked: (() => Promise<unknown>) | undefined;
      await database.transaction(async (session) => {
        leaked = () => session.query(count);
      });
      await expect(leaked!()).rejects.toThrow('the transaction is over');
    });

    it('claims rows with SKIP LOCKED', async () => {
      await Promise.all([1, 2, 3].map((id) => database.query(insert, [id, 'due'])));
      const claim = {
        name: 'claim',
        text: `UPDATE item SET note = 'claimed' WHERE id IN
                 (SELECT id FROM item WHERE note = 'due' ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`,
      };
      const claims = await Promise.all([2, 2, 2].map((limit) => database.query<{ id: string }>(claim, [limit])));
      expect(
        claims
          .flat()
          .map((row) => row.id)
          .sort(),
      ).toEqual(['1', '2', '3']);
    });

    it('leaves nothing behind when a script fails or forgets to commit', async () => {
      await expect(database.script("INSERT INTO item VALUES (1, 'x'); SELECT 1/0")).rejects.toMatchObject({
        sqlState: '22012',
      });
      await database.script("BEGIN; INSERT INTO item VALUES (2, 'x')");
      expect(await total(database)).toBe(0);
    });
  });

  describe.skipIf(!kind.available)(`migrations on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let folder: string;
    const write = (name: string, sql: string) => writeFile(join(folder, name), sql);

    beforeEach(async () => {
      opened = await kind.open({ bare: true });
      folder = await mkdtemp(join(tmpdir(), 'tender-migrations-'));
      await write('0001-first.sql', 'CREATE TABLE step (name text); INSERT INTO step VALUES ($$first$$);');
      await write('0002-second.sql', '-- needs the first\nINSERT INTO step VALUES ($$second$$);');
      return async () => {
        await opened.drop();
        await rm(folder, { recursive: true });
      };
    }, OPEN_TIMEOUT_MS);

    it('apply in order and once, also when two nodes start together', async () => {
      const { database, place } = opened;
      const other = kind.kind === 'postgres' ? await openDatabase(place) : database;
      const done = await Promise.all([migrate(database, folder), migrate(other, folder)]);
      expect(done.flat().sort()).toEqual(['0001-first', '0002-second']);
      expect(await migrate(database, folder)).toEqual([]);
      const rows = await database.query({ name: 'read-steps', text: 'SELECT name FROM step' });
      expect(rows).toEqual([{ name: 'first' }, { name: 'second' }]);
      if (other !== database) await other.close();
    });

    it('apply a file wholly or not at all', async () => {
      await write('0003-third.sql', 'INSERT INTO step VALUES ($$third$$); SELECT 1/0;');
      await expect(migrate(opened.database, folder)).rejects.toMatchObject({ sqlState: '22012' });
      await write('0003-third.sql', 'INSERT INTO step VALUES ($$third$$);');
      expect(await migrate(opened.database, folder)).toEqual(['0003-third']);
    });

    it('refuse a changed file, a newer database and a gap in the numbers', async () => {
      await migrate(opened.database, folder);
      await write('0002-second.sql', 'INSERT INTO step VALUES ($$other$$);');
      await expect(migrate(opened.database, folder)).rejects.toThrow('migration 0002-second was changed after');
      await rm(join(folder, '0002-second.sql'));
      await expect(migrate(opened.database, folder)).rejects.toThrow('the database is newer than this program');
      await write('0003-third.sql', '');
      await expect(migrate(opened.database, folder)).rejects.toThrow('0003-third.sql should have the number 2');
    });
  });
}
