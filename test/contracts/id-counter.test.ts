// What nodes rely on from the counter of ids, held on both databases: no two get the same block, and it never goes back
// behind an id that somebody has.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS_FOLDER, migrate, readMigrations } from '../../src/storage/connection/migrate.ts';
import type { Database } from '../../src/storage/database.ts';
import { type IdCounter, idCounter } from '../../src/storage/id-counter.ts';
import { isAnyNodeAlive, livingNodes } from '../../src/storage/living-nodes.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const NOW = Date.UTC(2027, 0, 1);
const NODE = '0197a5c2-6f8e-4c1b-9f0a-3d2e1b4c5a69';

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the counter of ids, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let counter: IdCounter;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      counter = idCounter(database);
    });
    afterAll(() => opened?.drop());
    beforeEach(() => database.script('update id_counter set next_id = 1, first_id = null'));

    it('begins at 1, and gives every taker a block of its own', async () => {
      expect(await counter.read()).toEqual({ nextId: 1, firstId: undefined });
      const blocks = await Promise.all([16, 1, 8192, 16, 300].map((count) => counter.take(count)));
      const byPlace = blocks.toSorted((a, b) => a.from - b.from);
      expect(byPlace[0]?.from).toBe(1);
      for (const [index, { until }] of byPlace.entries()) expect(byPlace[index + 1]?.from ?? until).toBe(until);
      expect((await counter.read()).nextId).toBe(1 + 16 + 1 + 8192 + 16 + 300);
    });

    it('takes back the last block alone', async () => {
      const [first, last] = [await counter.take(10), await counter.take(10)];
      await counter.giveBack({ from: 3, until: first.until });
      expect((await counter.read()).nextId).toBe(21);
      await counter.giveBack({ from: 14, until: last.until });
      expect(await counter.take(1)).toEqual({ from: 14, until: 15 });
    });

    it('gives a taker nothing below what it had before, even when the counter was set back', async () => {
      const { until } = await counter.take(100);
      await database.script('update id_counter set next_id = 5');
      expect(await counter.take(10, until)).toEqual({ from: until, until: until + 10 });
      expect(await counter.take(10, 20)).toEqual({ from: until + 10, until: until + 20 });
    });

    it('takes nothing back that lies before the id it was moved to', async () => {
      const block = await counter.take(16);
      await counter.moveForward(block.until);
      await counter.giveBack({ from: 4, until: block.until });
      expect((await counter.read()).nextId).toBe(block.until);
      await counter.giveBack({ from: block.until, until: (await counter.take(16)).until });
      expect((await counter.read()).nextId).toBe(block.until);
    });

    it('is moved forward and never back, and goes on above 32 bits', async () => {
      expect(await counter.moveForward(2 ** 31 - 1)).toEqual({ nextId: 2 ** 31 - 1, firstId: 2 ** 31 - 1 });
      expect(await counter.take(5)).toEqual({ from: 2 ** 31 - 1, until: 2 ** 31 + 4 });
      expect(await counter.moveForward(100)).toEqual({ nextId: 2 ** 31 + 4, firstId: 2 ** 31 - 1 });
      expect(await counter.take(1)).toEqual({ from: 2 ** 31 + 4, until: 2 ** 31 + 5 });
    });
  });

  describe.skipIf(!kind.available)(`living nodes, on ${kind.name}`, () => {
    it('are there for as long as they say so', async () => {
      const { database, drop } = await kind.open({ bare: true });
      try {
        await migrate(database);
        const nodes = livingNodes(database);
        const node = { instance: NODE, version: '1.0.0', beganAt: NOW };
        expect(await isAnyNodeAlive(database, NOW)).toBe(false);
        await nodes.seen({ ...node, livesUntil: NOW + 10 });
        await nodes.seen({ ...node, livesUntil: NOW + 20 });
        expect(await isAnyNodeAlive(database, NOW + 15)).toBe(true);
        expect(await isAnyNodeAlive(database, NOW + 20)).toBe(false);
        expect(await nodes.list()).toEqual([{ ...node, livesUntil: NOW + 20 }]);
        await nodes.removeDead(NOW + 15);
        expect(await isAnyNodeAlive(database, NOW + 15)).toBe(true);
        await nodes.remove(NODE);
        expect(await isAnyNodeAlive(database, NOW + 15)).toBe(false);
      } finally {
        await drop();
      }
    });
  });

  describe.skipIf(!kind.available)(`a database from before the counter, on ${kind.name}`, () => {
    it('keeps its ids, and new ones begin at 1', async () => {
      expect(await nextIdAfter(225_233_353_367_552)).toBe(1);
    });

    it('begins behind ids that are small already', async () => {
      expect(await nextIdAfter(225_233_353_367_552, 41)).toBe(42);
    });

    async function nextIdAfter(...orderIds: number[]): Promise<number> {
      const older = await mkdtemp(join(tmpdir(), 'tender-migrations-'));
      const { database, drop } = await kind.open({ bare: true });
      try {
        const all = await readMigrations(MIGRATIONS_FOLDER);
        const counted = all.findIndex(({ name }) => name.endsWith('-id-counter'));
        for (const { name, sql } of all.slice(0, counted)) await writeFile(join(older, `${name}.sql`), sql);
        await migrate(database, older);
        for (const id of orderIds) {
          await database.script(`insert into card_references values (1, ${id}, ${id}, now(), null)`);
        }
        await migrate(database);
        return (await idCounter(database).read()).nextId;
      } finally {
        await drop();
        await rm(older, { recursive: true });
      }
    }
  });
}
