// The clock of a sandbox that has everything inside: put forward by an administrator, it brings what is due, and stays
// ahead after a restart.

import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, type Settings, startGateway } from '../../src/compose/index.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { Client, DEMO, until } from '../harness.ts';
import { removeFolder } from '../left-behind.ts';
import { TestShop } from '../test-shop.ts';
import { askBy, localNote } from './person-browser.ts';
import { createRecurring } from './stored-cards.ts';
import { tender } from './tender-process.ts';

const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * 60_000;

const dayText = (moment: number) => new Date(moment).toISOString().slice(0, 10).replaceAll('-', '');

describe('the clock of a sandbox', () => {
  let dataFolder: string;
  let gateway: RunningGateway;
  const settings = (): Settings => {
    return { mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder, codeKeyFolder: join(dataFolder, 'code-keys') };
  };
  const start = () => startGateway(settings(), { log: createLog(() => {}) });
  const ask = async (verb: string, given: object = {}) => {
    const { url, token } = await localNote(dataFolder);
    return (await askBy(url, token, verb, given)).body;
  };
  /** To its end, however long it takes. */
  const move = async (by: object) => {
    const { answer, error } = await ask('moveClock', by);
    expect(error).toBeUndefined();
    await until('the run is over', async () => {
      return (await ask('showRun', { runId: answer.runId })).answer.state !== 'under way';
    });
    return (await ask('showClock')).answer;
  };
  const aheadMs = async () => Date.parse((await ask('showSandbox')).answer.clock.now) - Date.now();

  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'tender-clock-'));
    gateway = await start();
  });
  afterAll(async () => {
    await gateway.close();
    await removeFolder(dataFolder);
  });

  it('brings what is due, is in the audit chain, and stays ahead after a restart', async () => {
    await ask('makeOrders', { like: 'recurring', count: 1 });
    await until('the recurring payment is made', async () => (await ask('listRuns')).answer[0].state === 'good');
    expect((await ask('listOrders')).answer.found).toEqual([]);
    const moved = await move({ minutes: 2 * DAY_MINUTES });
    expect(moved).toMatchObject({ aheadMinutes: 2 * DAY_MINUTES, canMove: true, movingTo: null });
    // Whatever came due is done when the clock is there.
    expect((await ask('listOrders')).answer.found).toMatchObject([{ status: 'approved' }]);
    expect(moved.lastMove).toMatchObject({ orders: 1, charges: 1, approved: 1, declined: 0 });
    const { entries } = (await ask('listAudit', { action: 'moveClock' })).answer;
    expect(entries).toMatchObject([{ action: 'moveClock', details: { minutes: 2 * DAY_MINUTES } }]);
    await gateway.close();
    // Another bank goes by the true time.
    const elsewhere = { ...settings(), bankUrl: 'http://127.0.0.1:9' };
    await expect(startGateway(elsewhere, { log: createLog(() => {}) })).rejects.toThrow(/clock was put forward/);
    gateway = await start();
    expect(await aheadMs()).toBeGreaterThan(2 * DAY_MS - 60_000);
    await until('it is ready', async () => (await fetch(new URL('/readyz', gateway.baseUrl))).status === 200);
  });

  it('lets a year of a subscription pass in order, each charge and each callback on its own day', async () => {
    const shop = await TestShop.open({ key: DEMO.key, now: () => gateway.sandboxClock?.now() ?? 0 });
    const began = gateway.sandboxClock?.now() ?? 0;
    const amounts = [...Array(11).fill('9.00'), '21.16'].join(',');
    const privateKey = await readFile(join(dataFolder, 'demo-private-key.pem'), 'utf8');
    const client = new Client(
      () => gateway.baseUrl,
      DEMO,
      () => gateway.sandboxClock?.now() ?? 0,
    );
    client.privateKey = privateKey;
    for (const { recurringPaymentId } of (await ask('listRecurring')).answer) {
      await ask('stopRecurring', { recurringPaymentId });
    }
    const reply = await createRecurring(client, {
      ...{ amount_sequence: amounts, interval: '1', interval_unit: 'month', start_date: dayText(began + DAY_MS) },
      ...{ email: 'ann@example.com', server_callback_url: shop.url('/year') },
    });
    expect(reply.status).toBe(200);
    // The shop is away for the third charge: its callback is tried again before the fourth.
    shop.next.push(200, 200, 503, 503);
    const { lastMove } = await move({ by: '1y' });
    expect(lastMove).toMatchObject({
      orders: 15,
      charges: 15,
      approved: 11,
      declined: 4,
      delivered: 15,
      undelivered: 2,
    });
    const told = shop.told.filter(({ path }) => path === '/year');
    expect(shop.complaints).toEqual([]);
    const first = new Date(began + DAY_MS);
    const monthly = (month: number) => Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1);
    const taken = told.filter(({ fields }, index) => fields.orderid !== told[index + 1]?.fields.orderid);
    expect(taken.map(({ fields }) => fields.status)).toEqual([
      ...Array(11).fill('approved'),
      ...Array(4).fill('declined'),
    ]);
    // By months, because the 31st is not in each of them.
    expect(taken.slice(0, 12).map(({ at }) => new Date(at).getUTCMonth())).toEqual(
      Array.from({ length: 12 }, (_, month) => new Date(monthly(month)).getUTCMonth()),
    );
    // Each is told on the minute it is charged.
    const ofDay = (at: number) => at % DAY_MS;
    const charged = taken.filter(({ at }) => Math.abs(ofDay(at) - ofDay(taken[0]?.at ?? 0)) > 30_000);
    expect(charged.map(({ fields }) => fields.orderid)).toEqual([taken[2]?.fields.orderid]);
    const retries = taken.slice(11).map(({ at }) => Math.round((at - (taken[11]?.at ?? 0)) / DAY_MS));
    expect(retries).toEqual([0, 1, 4, 9]);
    expect(told.map(({ at }) => at)).toEqual(told.map(({ at }) => at).toSorted((a, b) => a - b));
    const [recurring] = (await ask('listRecurring')).answer.filter(
      ({ state }: { state: string }) => state === 'suspended',
    );
    expect(recurring).toBeDefined();
    client.close();
    await shop.close();
  });

  it('is moved once by one repeat key, however far', async () => {
    const { url, token } = await localNote(dataFolder);
    const again = () => askBy(url, token, 'moveClock', { by: '2d' }, { 'idempotency-key': 'two-days' });
    const before = await aheadMs();
    const first = (await again()).body;
    await until('it is there', async () => (await ask('showClock')).answer.movingTo === null);
    expect((await again()).body).toEqual(first);
    const moved = (await aheadMs()) - before;
    expect(Math.round(moved / DAY_MS)).toBe(2);
  });

  it('is that of commands which find no gateway running', async () => {
    await gateway.close();
    const run = (...args: string[]) => tender([...args, '--data', dataFolder, '--json']);
    expect(await run('merchant', 'add', 'offline', '--name', 'Offline')).toMatchObject({ code: 0 });
    const [entry] = JSON.parse((await run('audit', 'list')).stdout).entries;
    expect(Date.parse(entry.at) - Date.now()).toBeGreaterThan(360 * DAY_MS);
    gateway = await start();
  });

  it('never goes back, and not beyond what its cards live to see', async () => {
    for (const minutes of [0, -5, 0.5, 400 * DAY_MINUTES]) {
      expect((await ask('moveClock', { minutes })).error).toMatch(/^minutes: /);
    }
    for (const by of ['soon', '0d', '-1d', '400d']) expect((await ask('moveClock', { by })).error).toMatch(/^by: /);
    for (const both of [{}, { by: '1d', minutes: 1 }]) {
      expect((await ask('moveClock', both)).error).toMatch(/^minutes or by is missing/);
    }
  });
});
