// What the defence against card testing keeps, held on both databases, and what a database of before becomes.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardTryStore, cardTryStore, type StoredTry } from '../../src/storage/cards/card-tries.ts';
import { migrate } from '../../src/storage/connection/migrate.ts';
import type { Database } from '../../src/storage/database.ts';
import { statement } from '../../src/storage/tables/index.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const NOW = Date.UTC(2027, 0, 1, 12);
const SECOND = 1_000;

const digest = (letter: string) => letter.repeat(64);
const one: StoredTry = {
  ...{ merchantId: 7, source: digest('a'), card: digest('1'), kind: 'address', declined: true, at: NOW },
};

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`tries of cards, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let store: CardTryStore;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      store = cardTryStore(database);
    });
    afterAll(() => opened?.drop());
    beforeEach(() => database.script('delete from card_tries'));

    it('are read as they were written, the newest first, and no more than asked for', async () => {
      const later = { ...one, card: digest('2'), declined: false, at: NOW + SECOND };
      await store.write([one, later]);
      expect(await store.since(NOW - 1, 10)).toEqual([later, one]);
      expect(await store.since(NOW, 10)).toEqual([later]);
      expect(await store.since(0, 1)).toEqual([later]);
    });

    it('are one for each card: the later takes the place of the earlier', async () => {
      await store.write([one]);
      await store.write([{ ...one, declined: false, at: NOW + SECOND }]);
      expect(await store.since(0, 10)).toEqual([{ ...one, declined: false, at: NOW + SECOND }]);
    });

    it('are forgotten in lots', async () => {
      await store.write([one, { ...one, card: digest('2') }, { ...one, card: digest('3'), at: NOW + SECOND }]);
      expect(await store.forget(NOW, 1)).toBe(1);
      expect(await store.forget(NOW, 5)).toBe(1);
      expect(await store.forget(NOW, 5)).toBe(0);
      expect(await store.since(0, 10)).toHaveLength(1);
    });
  });

  describe.skipIf(!kind.available)(`a database of before on ${kind.name}`, () => {
    let opened: OpenedDatabase;

    beforeAll(async () => {
      opened = await kind.open({ bare: true });
    });
    afterAll(() => opened?.drop());

    it('forgets that unsigned forms were allowed, keeps that they were not, and keeps the ids of its orders', async () => {
      const { database } = opened;
      await migrate(database, undefined, { upTo: 25 });
      const order = (
        orderId: number,
        unsigned?: boolean,
      ) => `insert into orders (merchant_id, order_id, client_order_id,
          endpoint_id, operation, currency, notation, amount, alternatives, authorised, captured, released, reversed,
          version, details, receipt_id, created_at, changed_at${unsigned === undefined ? '' : ', unsigned'})
        values (1, ${orderId}, 'one', 1, 'sale', 'USD', 'minor', 1, '{}', 0, 0, 0, 0, 1, '{}',
          '00000000-0000-4000-8000-000000000000', now(), now()${unsigned === undefined ? '' : `, ${unsigned}`});`;
      await database.script(`
        insert into merchants (merchant_id, login, name, enabled, created_at) values (1, 'shop', 'Shop', true, now());
        insert into path_ids (path_id, merchant_id, kind) values (1, 1, 'endpoint'), (2, 1, 'endpoint');
        insert into endpoints (endpoint_id, merchant_id, name, currency, enabled, sandbox, three_d_secure,
            legacy_replies, strict_signing, credit_limit, descriptor, signed_forms, acquirer_bin,
            acquirer_merchant_id, category, country, created_at)
          select id, 1, 'Shop', 'USD', true, false, 'none', false, false, 0, 'SHOP', id = 2, '400000',
            id::text, '5999', 'US', now()
          from generate_series(1, 2) as e(id);
        ${order(1)}`);
      await migrate(database);
      const settings = statement('test-signed-forms')`select endpoint_id, signed_forms from endpoints order by 1`;
      expect(await database.query(settings)).toMatchObject([{ signed_forms: null }, { signed_forms: true }]);
      await database.script(order(2, true));
      await expect(database.script(order(3, false))).rejects.toMatchObject({ constraint: 'orders_client_order_id' });
      await expect(database.script(order(4, true))).rejects.toMatchObject({ constraint: 'orders_client_order_id' });
    });
  });
}
