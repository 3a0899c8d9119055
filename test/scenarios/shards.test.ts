// Merchants of several shards in one gateway: whatever is done is kept under the shard of its merchant, is found there
// by everybody who may look for it, and adds up.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { merchantIdIn, shardOf } from '../../src/domain/merchant/shard.ts';
import { JournalComparison } from '../../src/domain/money/reconciliation.ts';
import { shardedTables } from '../../src/storage/tables/owners.ts';
import { exportDatabase } from '../../src/storage/transfer/export.ts';
import { importDatabase, inspectExport } from '../../src/storage/transfer/import.ts';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { databaseKinds } from '../contracts/databases.ts';
import { CARD, Client, describeGateway, newOrderId, type TestGateway, until } from '../harness.ts';
import { asking, finalOf } from './authenticating.ts';
import { Payer, passChallenge } from './payer.ts';
import { chargesOf, createRecurring, letPass } from './stored-cards.ts';
import { differencesAt, liveThroughEverything } from './whole-life.ts';

const SHORT = { acquirerTimeoutMs: 300, leaseMs: 1_000, holdMs: 200 };
const DAY = 24 * 60 * 60 * 1000;
const FAR = merchantIdIn(3, 1);
const FARTHER = merchantIdIn(5, 7);

/** Tables that a life with everything in it leaves nothing in, or nothing for a day. */
const LEFT_EMPTY = [
  'oauth_nonces',
  'velocity_locks',
  'card_tries',
  'confirmations',
  'control_readings',
  'receipt_mails',
  'velocity_marks',
];

/** The gateway as the scenarios know it, with another merchant in the place of the demo merchant. */
function asDemo(gateway: TestGateway, client: Client): TestGateway {
  return new Proxy(gateway, {
    get: (target, name) => {
      if (name === 'demo') return client;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describeGateway('merchants of several shards', SHORT, (gateway) => {
  let far: Client;
  let farther: Client;
  let ofFar: TestGateway;

  const ask = <V extends VerbName>(verb: V, given: Given = {}) => {
    const options = { mode: 'sandbox', clock: gateway.clock, leaseMs: SHORT.leaseMs, changed: async () => {} } as const;
    return administrationOf(gateway.store, options).administration.ask(verb, given, 'ann');
  };
  const shardsOf = async (orderIds: readonly string[]) => {
    const rows = await gateway.query(`select shard from orders where order_id in (${orderIds.join(', ')}) order by 1`);
    return rows.map(({ shard }) => shard);
  };

  beforeAll(async () => {
    far = await gateway.addMerchant({ merchantId: FAR, login: 'far' }, 'key-of-far');
    farther = await gateway.addMerchant({ merchantId: FARTHER, login: 'farther' }, 'key-of-farther');
    // The scenarios know the demo merchant's endpoints.
    await gateway.administer('delete from endpoint_groups');
    for (const table of ['endpoints', 'path_ids']) {
      const id = table === 'endpoints' ? 'endpoint_id' : 'path_id';
      await gateway.administer(`update ${table} set merchant_id = ${FAR} where ${id} in (101, 102)`);
    }
    await gateway.addEndpoint({ endpointId: 701 });
    await gateway.addEndpoint({ endpointId: 705, merchantId: FARTHER });
    await gateway.refresh();
    ofFar = asDemo(gateway, far);
    await liveThroughEverything(ofFar);
  });

  it('are served at the same time, each order under the shard of its merchant', async () => {
    const sold = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const [client, endpoint] = (
          [
            [gateway.demo, 701],
            [far, 101],
            [farther, 705],
          ] as const
        )[index % 3]!;
        return client.saleUntilFinal({}, { endpoint });
      }),
    );
    expect(new Set(sold.map(({ status }) => status))).toEqual(new Set(['approved']));
    const shards = await shardsOf(sold.map((one) => one['paynet-order-id']));
    expect(shards).toEqual([0, 3, 5].flatMap((shard) => Array(10).fill(shard)));
  });

  it('are told what became of their orders, though all of them are at one address', async () => {
    for (const [client, endpoint] of [
      [far, 101],
      [gateway.demo, 701],
      [farther, 705],
    ] as const) {
      const shop = await gateway.shop(client.key);
      const order = await client.saleUntilFinal({ server_callback_url: shop.url() }, { endpoint });
      await until('the shop was told', () => shop.of(order).length > 0);
      expect(shop.complaints).toEqual([]);
    }
  });

  it('have payers whose networks speak of them by a name that leads to the shard', async () => {
    const status = await asking(ofFar, TEST_CARDS.challenge);
    await passChallenge(new Payer(), status, 'hint');
    expect(await finalOf(ofFar, status)).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' });
  });

  it('have recurring payments that are charged when they are due', async () => {
    const schedule = { amount: '7.00', interval_unit: 'day', interval: '1' };
    const made = await createRecurring(far, schedule);
    expect(made.status, made.text).toBe(200);
    const id = made.body['recurring-payment-id'];
    await letPass(gateway, gateway.clock.now() + DAY + 60_000);
    const charged = await chargesOf(gateway, id);
    expect(charged.map(({ stage }) => stage)).toContain('approved');
  });

  it('use a nonce once at a time, each for itself', async () => {
    const [nonce, at] = [newOrderId(), gateway.clock.now()];
    const check = async ({ login, key, privateKey, baseUrl }: Client, endpoint: number) => {
      const client = new Client(
        () => baseUrl,
        { login, key },
        () => at,
      );
      client.privateKey = privateKey;
      const payout = { client_orderid: newOrderId(), amount: '4.00', currency: 'USD', credit_card_number: CARD };
      const { status, body } = await client.oauth('/api/v4/payout-check', payout, { nonce, endpoint });
      client.close();
      return [status, body['error-code']];
    };
    expect(await check(far, 101)).toEqual([200, undefined]);
    expect(await check(far, 101)).toEqual([400, '28']);
    expect(await check(farther, 705)).toEqual([200, undefined]);
    const said = `said_at = to_timestamp(${Math.floor(at / 1000)})`;
    const rows = await gateway.query(`select shard from oauth_nonces where ${said} order by 1`);
    expect(rows.map(({ shard }) => shard)).toEqual([3, 5]);
  });

  it('find their own orders only', async () => {
    const order = await far.saleUntilFinal();
    const asked = { client_orderid: order['merchant-order-id'], orderid: order['paynet-order-id'] };
    expect((await far.status(asked)).body).toMatchObject({ status: 'approved' });
    expect((await farther.status(asked, { endpoint: 705 })).body).not.toHaveProperty('status', 'approved');
  });

  describe('afterwards', () => {
    beforeAll(() => gateway.untilAllFinal());

    it('every row is under the shard of its merchant', async () => {
      for (const table of shardedTables) {
        const rows = await gateway.query(`select distinct shard, merchant_id from ${table}`);
        for (const { shard, merchant_id } of rows) expect(shardOf(Number(merchant_id ?? 0)), table).toBe(shard);
        if (!LEFT_EMPTY.includes(table)) {
          expect(
            rows.map(({ shard }) => shard),
            table,
          ).toContain(3);
        }
      }
    });

    it('verify finds nothing', async () => {
      const findings = [];
      for (let from: string | null = 'orders:0:0'; from !== null; ) {
        const part: Awaited<ReturnType<typeof ask<'verifyPart'>>> = await ask('verifyPart', { from });
        findings.push(...part.findings);
        from = part.next;
      }
      expect(findings).toEqual([]);
    });

    it('the books agree with those of the bank', async () => {
      const books = (await gateway.books()).map(({ amount, ...entry }) => ({
        ...{ ...entry, minor: amount.minor, currency: amount.currency },
      }));
      expect(await differencesAt(gateway, new JournalComparison(books))).toEqual([]);
      expect(await gateway.discrepancies()).toEqual([]);
    });

    it('an export has all of it, and an import puts it back under its shards', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'tender-shards-'));
      const other = await databaseKinds.find(({ kind }) => kind === gateway.kind)!.open();
      try {
        const path = join(folder, 'export');
        await exportDatabase({ database: gateway.database, path, now: gateway.clock.now() });
        const file = await inspectExport({ path });
        await importDatabase({ database: other.database, path, file });
        const text = 'select shard, count(*)::int as orders from orders group by 1 order by 1';
        const imported = await other.database.query({ name: 'test-shards', text });
        expect(imported.map(({ shard }) => shard)).toEqual([0, 3, 5]);
        expect(imported).toEqual(await gateway.query(text));
      } finally {
        await other.drop();
        await rm(folder, { recursive: true });
      }
    });

    it('an operator adds merchants to a shard, and finds their orders', async () => {
      const { merchant } = await ask('addMerchant', { login: 'third', shard: 3 });
      expect(merchant.merchantId).toBe(FAR + 1);
      expect((await ask('addMerchant', { login: 'plain' })).merchant.merchantId).toBe(2);
      await expect(ask('addMerchant', { login: 'none', shard: 32_768 })).rejects.toThrow('32767');
      const { found } = await ask('listOrders', { login: 'farther' });
      expect(found.length).toBeGreaterThan(10);
    });
  });
});
