// What is forgotten by age, on both databases: readings of controls and of strict signatures, tries of callbacks, and
// counts of unsigned forms; what is still needed stays.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/storage/database.ts';
import { type OldRecordStore, oldRecordStore } from '../../src/storage/old-records.ts';
import { controlMemory } from '../../src/storage/requests/control-readings.ts';
import { type StrangerStore, strangerStore } from '../../src/storage/requests/strangers.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const LOT = 100;

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`old records on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let store: OldRecordStore;
    let strangers: StrangerStore;

    beforeAll(async () => {
      opened = await kind.openMigrated({ atCoordinator: true });
      database = opened.database;
      store = oldRecordStore(database);
      strangers = strangerStore(database);
    });

    afterAll(() => opened?.drop());

    beforeEach(() => database.script('truncate control_readings, callback_attempts, form_requests'));

    const rows = async (text: string) => database.query({ name: `test-old-records-${text.length}`, text });

    const remember = (merchantId: number, at: number, digest = randomBytes(20)) =>
      controlMemory(database).remember([{ merchantId, digest, reading: Buffer.from('r'), at }]);

    const remembered = async () =>
      (await rows('select merchant_id, extract(epoch from at)::int as at from control_readings order by 1, 2')).map(
        ({ merchant_id, at }) => [Number(merchant_id), Number(at)],
      );

    it('forgets readings of a merchant from before its moment, and of nobody else', async () => {
      for (const merchantId of [1, 2, 3]) for (const at of [1_000, 2_000, 3_000]) await remember(merchantId, at);
      const before = new Map([
        [1, 2_000],
        [2, 0],
      ]);
      expect(await store.forgetReadings(before, LOT)).toBe(1);
      expect(await remembered()).toEqual(
        [1, 2, 3].flatMap((id) => (id === 1 ? [2, 3] : [1, 2, 3]).map((at) => [id, at])),
      );
    });

    it('forgets no more than a lot', async () => {
      for (let at = 1_000; at <= 5_000; at += 1_000) await remember(1, at);
      expect(await store.forgetReadings(new Map([[1, 9_000]]), 3)).toBe(3);
      expect(await store.forgetReadings(new Map([[1, 9_000]]), 3)).toBe(2);
    });

    it('forgets strict signatures by age, and no control', async () => {
      await remember(1, 1_000);
      await remember(1, 1_000, Buffer.from(`t=1,v1=${'0'.repeat(64)}`));
      await remember(1, 9_000, Buffer.from(`t=9,v1=${'1'.repeat(64)}`));
      expect(await store.forgetStrictReadings([1], 5_000, LOT)).toBe(1);
      expect(await remembered()).toEqual([
        [1, 1],
        [1, 9],
      ]);
      expect(await store.forgetReadings(new Map([[1, 10_000]]), LOT)).toBe(1);
      expect(await remembered()).toEqual([[1, 9]]);
    });

    it('forgets old tries of callbacks, the oldest first', async () => {
      for (const at of [1, 2, 3]) {
        await database.script(
          `insert into callback_attempts (merchant_id, order_id, seq, target, at, milliseconds)
           values (1, 1, 1, 'server', to_timestamp(${at}), 5)`,
        );
      }
      expect(await store.forgetCallbackAttempts(3_000, 1)).toBe(1);
      expect(await store.forgetCallbackAttempts(3_000, LOT)).toBe(1);
      expect(await store.forgetCallbackAttempts(3_000, LOT)).toBe(0);
      expect(await rows('select 1 from callback_attempts')).toHaveLength(1);
    });

    it('forgets of tries that lie at the same place in different months only the old one', async () => {
      await database.script(`
        create table callback_attempts_2001_01 partition of callback_attempts
          for values from ('2001-01-01 00:00:00+00') to ('2001-02-01 00:00:00+00')`);
      for (const at of ['2001-01-31 23:59:59.999+00', '2001-02-01 00:00:00+00']) {
        await database.script(
          `insert into callback_attempts (merchant_id, order_id, seq, target, at, milliseconds)
           values (1, 1, 1, 'server', '${at}', 5)`,
        );
      }
      const places = await rows('select ctid::text as place, tableoid::text as part from callback_attempts');
      expect([new Set(places.map(({ place }) => place)).size, new Set(places.map(({ part }) => part)).size]).toEqual([
        1, 2,
      ]);
      const forgotten = [await store.forgetCallbackAttempts(Date.UTC(2001, 1), LOT)];
      expect(forgotten).toEqual([1]);
      expect(await rows(`select at from callback_attempts where at >= '2001-02-01 00:00:00+00'`)).toHaveLength(1);
      await database.script('drop table callback_attempts_2001_01');
    });

    it('has nothing to forget where nothing is', async () => {
      expect(await store.forgetFormRequests(1_000, LOT)).toBe(0);
      expect(await store.forgetReadings(new Map(), LOT)).toBe(0);
    });

    it('adds up what nodes count, and forgets minutes and addresses that are over', async () => {
      const news = { recognised: [], minute: 60_000, atLeast: 5, since: 0, limit: 10 };
      const counted = (asked: number) => [{ minute: 60_000, block: '203.0.113.0/24', asked }];
      expect((await strangers.exchange({ ...news, counted: counted(3) })).counts).toEqual([]);
      expect((await strangers.exchange({ ...news, counted: counted(4) })).counts).toEqual(counted(7));
      const seen = [1, 2, 3].map((at) => ({ address: `203.0.113.${at}`, seenAt: at * 1_000 }));
      await strangers.exchange({ ...news, counted: [], recognised: seen });
      await strangers.exchange({ ...news, counted: [], recognised: [{ address: '203.0.113.3', seenAt: 0 }] });
      await strangers.forget({ minute: 120_000, seenAt: 2_000, most: 1 });
      const left = await strangers.exchange({ ...news, counted: [] });
      expect(left).toEqual({ counts: [], recognised: [seen[2]] });
    });
  });
}
