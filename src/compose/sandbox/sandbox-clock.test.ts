import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../domain/clock.ts';
import { keepAhead, sandboxClockOf } from './sandbox-clock.ts';

let dataFolder: string;
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'tender-ahead-'));
});
afterAll(() => rm(dataFolder, { recursive: true }));

const ahead = () => sandboxClockOf({ mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder }, systemClock)?.aheadMs;

it('is as far ahead as was kept, and not at all at first', async () => {
  expect(ahead()).toBe(0);
  await keepAhead(dataFolder, 86_400_000);
  expect(ahead()).toBe(86_400_000);
});

it.each([
  ['{"aheadMs":1500.25}', 1_501],
  ['{"aheadMs":0.0001}', 1],
])('rounds a part of a millisecond up, which older versions kept: %s', async (text, aheadMs) => {
  await writeFile(join(dataFolder, 'sandbox-clock.json'), text);
  expect(ahead()).toBe(aheadMs);
});

it.each(['{"aheadMs":-0.5}', '{"aheadMs":-1}', '{"aheadMs":"5"}', '{"aheadMs":null}', '{"aheadMs":1e300}', '{}'])(
  'does not start by a file that tells nothing: %s',
  async (text) => {
    await writeFile(join(dataFolder, 'sandbox-clock.json'), text);
    expect(ahead).toThrow(/does not say how far/);
  },
);
