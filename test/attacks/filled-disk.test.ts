// The attack: strangers fill the disk. Two thousand requests without a right signature, each as large as one may be,
// wrote 36 MB into the journal, which was kept for 400 days.

import { describe, expect, it } from 'vitest';
import { MAX_LINES } from '../../src/processing/requests/stranger-lines.ts';
import { historyTables } from '../../src/storage/history/history-tables.ts';
import { MONTHS_AHEAD } from '../../src/storage/history/make-months.ts';
import { type Client, describeGateway, encode, newOrderId, type TestGateway, until } from '../harness.ts';

const REQUESTS = 2_000;
const MB = 1_000_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const AT_ONCE = 20;

/** As many parameters as a request may have, and as many bytes. */
const body = (() => {
  const fields = Array.from({ length: 380 }, (_, field) => [`field${field}`, 'x'.repeat(325)]);
  return encode({ ...Object.fromEntries(fields), client_orderid: newOrderId(), order_desc: 'y'.repeat(2_000) });
})();

/** Asks from these addresses, one after the other, and tells how often each status came. */
async function attack(client: Client, addressOf: (request: number) => string, requests: number, rawBody = 'a=b') {
  const statuses = new Map<number, number>();
  for (let from = 0; from < requests; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, requests - from) }, (_, one) => addressOf(from + one));
    const replies = await Promise.all(
      some.map((address) => client.post('/api/v2/sale/101', {}, { rawBody, headers: { 'x-forwarded-for': address } })),
    );
    for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return Object.fromEntries(statuses);
}

const sizeOf = async (gateway: TestGateway) => {
  await gateway.database.script('checkpoint');
  const [row] = await gateway.query('select pg_database_size(current_database())::text as size');
  return Number(row?.size);
};

/** Each takes room before anything is in it. */
const monthsOfAll = async (gateway: TestGateway) => {
  const names = `^(${historyTables.join('|')})_2\\d+_\\d+$`;
  const [row] = await gateway.query(
    `select count(*)::int as months from pg_class where relkind = 'r' and relname ~ '${names}'`,
  );
  return Number(row?.months);
};
/** The present one and those ahead. */
const MADE_MONTHS = historyTables.length * (1 + MONTHS_AHEAD.running);

const linesOfStrangers = async (gateway: TestGateway) =>
  Number((await gateway.query('select count(*)::int as lines from journal where merchant_id is null'))[0]?.lines);

const behindProxy = { trustedProxies: ['127.0.0.1'] };

describeGateway('strangers who fill the disk', { settings: behindProxy }, (gateway) => {
  const summaries = () => gateway.query(`select reply from journal where http_status = 0`);

  it(`grow the database by less than a megabyte with ${REQUESTS} requests of 128 KiB from everywhere`, async () => {
    expect(body.length).toBeGreaterThan(125 * 1024);
    expect(body.length).toBeLessThanOrEqual(128 * 1024);
    // Lines are counted by the hour: all of them are asked within one.
    gateway.clock.advance(HOUR_MS - (gateway.clock.now() % HOUR_MS));
    await until('the months ahead are made', async () => (await monthsOfAll(gateway)) >= MADE_MONTHS);
    const before = await sizeOf(gateway);
    const statuses = await attack(gateway.demo, (one) => `10.${one >> 8}.${one & 255}.7`, REQUESTS, body);
    expect(statuses).toEqual({ 400: REQUESTS });
    await until('the journal is written', async () => (await linesOfStrangers(gateway)) >= MAX_LINES.all);
    expect((await sizeOf(gateway)) - before).toBeLessThan(MB);
    expect(await linesOfStrangers(gateway)).toBe(MAX_LINES.all);
  });

  it('get a summary for each address range when the hour is over, and nothing else', async () => {
    gateway.clock.advance(HOUR_MS);
    await until('the summary is written', async () => (await summaries()).length > 0);
    const leftOut = (await summaries()).reduce(
      (sum, { reply }) => sum + Number((reply as Record<string, number>)['requests-left-out']),
      0,
    );
    expect(leftOut).toBe(REQUESTS - MAX_LINES.all);
    expect((await summaries()).length).toBeLessThanOrEqual(51);
  });

  it('from one address range get half of the lines, while the merchant next to them gets every line', async () => {
    const { body: accepted } = await gateway.demo.sale({}, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    const before = await linesOfStrangers(gateway);
    await attack(gateway.demo, (one) => `203.0.113.${one % 250}`, MAX_LINES.block + 200);
    const { body: later } = await gateway.demo.sale({}, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    for (const reply of [accepted, later]) {
      const line = await gateway.journalLine(reply);
      expect(line).toMatchObject({ http_status: 200, operation: 'SALE' });
      expect(line.request).toMatchObject({ last_name: 'Example', zip_code: '12345' });
    }
    expect((await linesOfStrangers(gateway)) - before).toBe(MAX_LINES.block);
    // What was left out is told now: a line of later would have a week of its own.
    gateway.clock.advance(HOUR_MS);
    await until('the summary is written', async () => (await linesOfStrangers(gateway)) - before > MAX_LINES.block);
  });

  it('are forgotten after a week; merchants are not', async () => {
    const merchants = async () => (await gateway.query('select 1 from journal where merchant_id is not null')).length;
    const kept = await merchants();
    gateway.clock.advance(6 * DAY_MS);
    expect(await linesOfStrangers(gateway)).toBeGreaterThan(0);
    gateway.clock.advance(2 * DAY_MS);
    await until('they are forgotten', async () => {
      // Looked for every ten minutes.
      gateway.clock.advance(10 * 60_000);
      return (await linesOfStrangers(gateway)) === 0;
    });
    expect(await merchants()).toBe(kept);
  });

  it('and merchants too leave nothing for ever in tables that grow with every request', async () => {
    const merchantId = 7_777;
    await gateway.administer(`insert into merchants (merchant_id, login, name, enabled, allowed_addresses,
      allowed_operations, created_at) values (${merchantId}, 'keyless', 'Keyless', true, '{}', '{}', now())`);
    await gateway.refresh();
    const ago = (ms: number) => `'${new Date(gateway.clock.now() - ms).toISOString()}'`;
    const reading = (digest: string, ms: number) =>
      gateway.query(`insert into control_readings values (${merchantId}, '${digest}', 'r', ${ago(ms)})`);
    const strict = (second: number) => `t=${second},v1=${'0'.repeat(64)}`;
    const attempt = (seq: number, ms: number) =>
      gateway.query(`insert into callback_attempts (merchant_id, order_id, seq, target, at, milliseconds)
        values (${merchantId}, 1, ${seq}, 'server', ${ago(ms)}, 5)`);
    const form = (address: string, ms: number) =>
      gateway.query(`insert into form_requests values (101, '${address}', ${ago(ms)}, 1)`);
    await reading('an old control, 20 b', 31 * DAY_MS);
    await reading('a new control, 20 by', 29 * DAY_MS);
    await reading(strict(1), 25 * HOUR_MS);
    await reading(strict(2), 22 * HOUR_MS);
    await attempt(1, 1_000 * DAY_MS);
    await attempt(2, DAY_MS);
    await form('old', 2 * HOUR_MS);
    await form('new', -HOUR_MS / 2);
    const left = async () => {
      const rows = [
        ...(await gateway.query(`select encode(digest, 'escape') as is from control_readings
          where merchant_id = ${merchantId} order by at`)),
        ...(await gateway.query(`select seq::text as is from callback_attempts where merchant_id = ${merchantId}`)),
        ...(await gateway.query(`select address as is from form_requests where address in ('old', 'new')`)),
      ];
      return rows.map((row) => row.is);
    };
    expect(await left()).toHaveLength(8);
    gateway.clock.advance(HOUR_MS);
    await until('what is old is forgotten', async () => (await left()).length <= 4);
    expect(await left()).toEqual(['a new control, 20 by', strict(2), '2', 'new']);
  });
});

const LIMIT = 50;

describeGateway('strangers who ask too much', { settings: { ...behindProxy, strangerLimit: LIMIT } }, (gateway) => {
  const stranger = { headers: { 'x-forwarded-for': '198.51.100.1' } };
  const wrong = (client: Client, headers = stranger.headers) => client.sale({ control: '0'.repeat(40) }, { headers });

  it('are turned away before their body is read, with the time they have to wait', async () => {
    await gateway.clock.standStillFor(async () => {
      const statuses = await attack(gateway.demo, () => '203.0.113.5', LIMIT * 3);
      expect(statuses[429]).toBeGreaterThanOrEqual(LIMIT * 2 - AT_ONCE);
      expect(statuses[400]).toBeGreaterThanOrEqual(LIMIT);
      const { status, headers, body } = await wrong(gateway.demo, { 'x-forwarded-for': '203.0.113.77' });
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(body).toMatchObject({ 'error-code': '91' });
      // Whatever is asked, and however it is signed.
      const { status: elsewhere } = await gateway.demo.post(
        '/nothing',
        {},
        { headers: { 'x-forwarded-for': '203.0.113.5' } },
      );
      expect(elsewhere).toBe(429);
      const { status: other } = await wrong(gateway.demo, { 'x-forwarded-for': '203.0.114.77' });
      expect(other).toBe(400);
    });
    gateway.clock.advance(60_000);
    expect((await wrong(gateway.demo, { 'x-forwarded-for': '203.0.113.77' })).status).toBe(400);
  });

  it('do not stop a merchant who asked from the same address before, even after a restart', async () => {
    const mine = { headers: { 'x-forwarded-for': '198.51.100.9' } };
    expect((await gateway.demo.sale({}, mine)).status).toBe(200);
    const isKnown = async () =>
      (await gateway.query(`select 1 from recognised_addresses where address = '198.51.100.9'`)).length === 1;
    await until('the address is known', isKnown);
    for (let start = 0; start < 2; start++) {
      await gateway.clock.standStillFor(async () => {
        await attack(gateway.demo, () => '198.51.100.1', LIMIT * 2);
        expect((await wrong(gateway.demo)).status).toBe(429);
        for (let sale = 0; sale < LIMIT * 2; sale++) expect((await gateway.demo.sale({}, mine)).status).toBe(200);
        // Looked at, and not turned away.
        expect((await wrong(gateway.demo, mine.headers)).status).toBe(400);
      });
      if (start === 0) await gateway.restart();
    }
  });

  it('never count by requests that are signed rightly', async () => {
    await gateway.clock.standStillFor(async () => {
      for (let sale = 0; sale < LIMIT * 2; sale++) {
        const headers = { 'x-forwarded-for': `192.0.2.${sale}` };
        expect((await gateway.demo.sale({}, { headers })).status).toBe(200);
      }
      expect((await wrong(gateway.demo, { 'x-forwarded-for': '192.0.2.200' })).status).toBe(400);
    });
  });

  if (gateway.kind !== 'postgres') return;

  describe('of two nodes', () => {
    it('are counted together', async () => {
      const other = await gateway.second();
      const range = { 'x-forwarded-for': '192.0.3.1' };
      await until('both nodes turn them away', async () => {
        // Each node is asked less than the limit within a minute: alone neither would turn anybody away.
        gateway.clock.advance(60_000 - (gateway.clock.now() % 60_000));
        return gateway.clock.standStillFor(async () => {
          const asked = LIMIT - 10;
          for (let one = 0; one < asked; one++) await wrong(one % 2 === 0 ? gateway.demo : other, range);
          for (let one = 0; one < asked - 5; one++) await wrong(one % 2 === 0 ? other : gateway.demo, range);
          const isShared = async () => {
            const [row] = await gateway.query(
              `select max(asked) as asked from stranger_counts where block = '192.0.3.0/24'`,
            );
            return Number(row?.asked) >= LIMIT;
          };
          await until('they told each other', isShared);
          await gateway.clock.sleep(2_500);
          const statuses = [await wrong(gateway.demo, range), await wrong(other, range)].map(({ status }) => status);
          return statuses.every((status) => status === 429);
        });
      });
    });

    it('know the same merchants', async () => {
      const other = await gateway.second();
      const mine = { 'x-forwarded-for': '192.0.4.9' };
      expect((await gateway.demo.sale({}, { headers: mine })).status).toBe(200);
      const isLetThrough = async () => {
        await attack(other, () => '192.0.4.1', LIMIT * 2);
        return (await wrong(other, mine)).status === 400;
      };
      await until('the other node lets the address through', isLetThrough);
      expect((await other.sale({}, { headers: mine })).status).toBe(200);
    });
  });
});
