// Merchants from a file, as an operator imports them: all of them or none, and every fault by its line and column.

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeGateway } from '../harness.ts';
import { tender } from './tender-process.ts';

const MANY = 10_000;

describeGateway('a file of merchants', {}, (gateway) => {
  let folder: string;
  let files = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-import-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const fileOf = async (text: string) => {
    const path = join(folder, `merchants-${++files}.csv`);
    await writeFile(path, text);
    return path;
  };
  const run = (...args: string[]) => tender(['merchant', 'import', ...args, '--data', gateway.dataFolder]);
  const merchants = async () => (await gateway.query('select login from merchants')).map(({ login }) => String(login));

  it('makes merchants with endpoints whose keys work at once', async () => {
    const file = await fileOf(
      '\uFEFFlogin,merchant_name,currency,endpoint_id,endpoint_maximum\r\n' +
        'anne,"Anne, ""the"" shop",EUR,7001,500.00\r\nanne,,USD,,\r\nbert,,USD,7002,\r\n',
    );
    const keys = join(folder, 'keys.csv');
    const { stdout, code } = await run(file, '--keys', keys);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Added 2 merchants and 3 endpoints.']);
    const lines = (await readFile(keys, 'utf8')).trim().split('\n');
    expect([(await stat(keys)).mode & 0o777, lines.length]).toEqual([0o600, 3]);
    const [, , key = ''] = lines.find((line) => line.startsWith('bert,'))?.split(',') ?? [];
    expect(stdout).not.toContain(key);
    const sale = await gateway.client({ login: 'bert', key }).saleUntilFinal({}, { endpoint: 7002 });
    expect(sale.status).toBe('approved');
    const [anne] = await gateway.query(`select name from merchants where login = 'anne'`);
    expect(anne).toEqual({ name: 'Anne, "the" shop' });
    const again = await run(file, '--keys', keys);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('keys.csv')]);
  });

  it('names every fault and then makes nothing, nor a file of keys', async () => {
    const before = await merchants();
    const file = await fileOf(
      'login,currency,endpoint_id,endpoint_maximum,merchant_strict_signing\n' +
        'good,USD,,,\n1bad,USD,,,\ndemo,USD,,,\nworse,XXX,,,maybe\nbadid,USD,101,,\nbadmax,USD,,1.001,\n',
    );
    const keys = join(folder, 'no-keys.csv');
    const { stderr, code } = await run(file, '--keys', keys);
    expect(code).toBe(1);
    for (const fault of [
      'line 3, column login: "1bad"',
      'line 4, column login: there is a merchant "demo" already',
      'line 5, column merchant_strict_signing: on or off is needed',
      'line 5, column currency: "XXX"',
      'line 6, column endpoint_id: 101 is an endpoint or a group already',
      'line 7, column endpoint_maximum:',
    ]) {
      expect(stderr).toContain(fault);
    }
    expect(await merchants()).toEqual(before);
    await expect(stat(keys)).rejects.toThrow('ENOENT');
  });

  it('is only looked at by a dry run, and its columns are printed', async () => {
    const before = await merchants();
    const { stdout } = await run(await fileOf('login,currency\nzoe,USD\n'), '--dry-run');
    expect(stdout).toBe('1 merchant and 1 endpoint would be added.\n');
    expect(await merchants()).toEqual(before);
    const template = await fileOf((await run('--template')).stdout);
    expect((await run(template, '--dry-run')).stdout).toBe('1 merchant and 1 endpoint would be added.\n');
    expect((await run(template)).stderr).toContain('--keys');
    expect((await run(await fileOf('login,nonsense\na,b\n'), '--dry-run')).stderr).toContain('no column "nonsense"');
  });

  it('may have ten thousand rows', async () => {
    const rows = Array.from({ length: MANY }, (_, at) => `many${at},USD`);
    const keys = join(folder, 'many-keys.csv');
    const { stdout, stderr } = await run(await fileOf(`login,currency\n${rows.join('\n')}\n`), '--keys', keys);
    expect([stderr, stdout.split('\n')[0]]).toEqual(['', `Added ${MANY} merchants and ${MANY} endpoints.`]);
    expect((await readFile(keys, 'utf8')).trim().split('\n')).toHaveLength(MANY + 1);
    expect((await merchants()).length).toBeGreaterThan(MANY);
  });
});
