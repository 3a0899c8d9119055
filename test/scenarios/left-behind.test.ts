// The search of data folders that all scenarios end with finds what was planted, and nothing in what a gateway writes.

import { mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { embedded } from '../contracts/databases.ts';
import { CARD, TestGateway } from '../harness.ts';
import { cardNumbersLeftIn, removeFolder } from '../left-behind.ts';
import { seededFolder } from '../seeded.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-left-'));
});
afterEach(() => vi.unstubAllEnvs());

/** Puts a text where an embedded database would have it. */
async function plant(text: string): Promise<void> {
  await mkdir(join(folder, 'cluster', 'pg_wal'), { recursive: true });
  await writeFile(join(folder, 'cluster', 'PG_VERSION'), '17');
  await writeFile(join(folder, 'cluster', 'pg_wal', 'file'), text);
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

it('finds a number in tables and log of an embedded database, and nothing before it was put there', async () => {
  const gateway = new TestGateway(embedded, {});
  await gateway.open();
  try {
    await gateway.demo.saleUntilFinal({ merchant_data: `a note, and ${CARD}` });
    const { dataFolder } = gateway;
    expect(await cardNumbersLeftIn(dataFolder)).toEqual([]);
    await gateway.query(`update orders set client_order_id = 'x-${CARD}'`);
    await gateway.query('checkpoint');
    const found = await cardNumbersLeftIn(dataFolder);
    expect(found.join('\n')).toMatch(/pg_wal\S+: 411111\S+, plain/);
    expect(found.join('\n')).toMatch(/base\S+: 411111\S+, plain/);
    expect(found.join('\n')).not.toContain(CARD);
    await gateway.query(`update orders set client_order_id = 'y'`);
  } finally {
    vi.stubEnv('TENDER_TEST_SCAN', undefined);
    await gateway.close();
  }
});

it.each([
  ['a number in plain', CARD],
  ['a number in base64', Buffer.from(`card=${CARD}`).toString('base64')],
  ['a number behind empty pages', `${'\0'.repeat(40_000)}${CARD}`],
  ['a code behind its name', '{"cvv2":"123"}'],
])('fails a test that leaves %s, and removes its folder', async (_, left) => {
  vi.stubEnv('TENDER_TEST_SCAN', '1');
  await plant(left);
  await expect(removeFolder(folder)).rejects.toThrow(/left behind: cluster\/pg_wal\/file/);
  expect(await exists(folder)).toBe(false);
});

it('finds what was written beside pages that were there before, and does not look at the others', async () => {
  const page = (text: string) => text.padEnd(8_192, '.');
  const [start, end] = [CARD.slice(0, 9).padStart(8_192, '.'), page(CARD.slice(9))];
  const found = [expect.stringMatching(/^cluster\/pg_wal\/file: 411111\S+, plain/)];
  vi.stubEnv('TMPDIR', folder);
  const beginning = join(seededFolder('pglite'), 'cluster', 'pg_wal');
  await mkdir(beginning, { recursive: true });
  for (const [before, after, expected] of [
    [[page(CARD), page(''), page('')], [page(CARD), page(''), page('new')], []],
    [[start, page('')], [start, end], found],
    [[page(''), end], [start, end], found],
  ] as const) {
    await writeFile(join(beginning, 'file'), before.join(''));
    await plant(after.join(''));
    expect(await cardNumbersLeftIn(folder)).toEqual(expected);
  }
});

it('removes what has none, and does not look unless all tests run', async () => {
  vi.stubEnv('TENDER_TEST_SCAN', '1');
  await plant('411111…1111');
  await removeFolder(folder);
  expect(await exists(folder)).toBe(false);
  vi.stubEnv('TENDER_TEST_SCAN', undefined);
  await plant(CARD);
  await removeFolder(folder);
  expect(await exists(folder)).toBe(false);
});
