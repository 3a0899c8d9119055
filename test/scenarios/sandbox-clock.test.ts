// The clock of a sandbox that has everything inside: put forward by an administrator, it brings what is due, and stays
// ahead after a restart.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, type Settings, startGateway } from '../../src/compose/index.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { until } from '../harness.ts';
import { removeFolder } from '../left-behind.ts';
import { askBy, localNote } from './person-browser.ts';

const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * 60_000;

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
    const moved = await ask('moveClock', { minutes: 2 * DAY_MINUTES });
    expect(moved.answer).toMatchObject({ aheadMinutes: 2 * DAY_MINUTES, canMove: true });
    await until('it is charged', async () => (await ask('listOrders')).answer.found[0]?.status === 'approved');
    const { entries } = (await ask('listAudit', { action: 'moveClock' })).answer;
    expect(entries).toMatchObject([{ action: 'moveClock', details: { minutes: 2 * DAY_MINUTES } }]);
    await gateway.close();
    // Another bank goes by the true time.
    const elsewhere = { ...settings(), bankUrl: 'http://127.0.0.1:9' };
    await expect(startGateway(elsewhere, { log: createLog(() => {}) })).rejects.toThrow(/clock was put forward/);
    gateway = await start();
    expect(await aheadMs()).toBeGreaterThan(2 * DAY_MS - 60_000);
  });

  it('never goes back, and not beyond what its cards live to see', async () => {
    for (const minutes of [0, -5, 0.5, 400 * DAY_MINUTES]) {
      expect((await ask('moveClock', { minutes })).error).toMatch(/^minutes: /);
    }
  });
});
