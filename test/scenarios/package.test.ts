// The package that `npm pack` makes, as somebody has it who installs it: no sources, no compiler, no tools.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, DEMO } from '../harness.ts';
import { Belongings, startProcess } from './tender-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
/** Less than a tenth more than it is with the console, its charts, its maps and the documentation (0.7 MB). */
const MAX_PACKED_BYTES = 2_350_000;

const own = new Belongings();
afterAll(() => own.drop());

/** Without what `npm test` tells its scripts of the checkout, such as where its package.json is. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)_/.test(name)));

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(command, args, { cwd, env })).stdout;
}

/** Packs a copy, because packing makes `dist` anew and other tests run from ours. */
async function packed(folder: string): Promise<string> {
  const copy = join(folder, 'sources');
  const files = await run(ROOT, 'git', 'ls-files', '--cached', '--others', '--exclude-standard');
  for (const file of files.trim().split('\n')) {
    if (existsSync(join(ROOT, file))) await cp(join(ROOT, file), join(copy, file));
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await run(copy, 'npm', 'pack', '--pack-destination', folder);
  const name = (await readdir(folder)).find((one) => one.endsWith('.tgz'));
  return join(folder, name ?? '');
}

/** With the versions of our own lock file, npm takes what it has in its cache and need not ask the registry. */
async function installed(folder: string, tarball: string): Promise<void> {
  const { version, dependencies, bin } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const needed = Object.entries<{ dev?: true }>(packages).filter(([path, entry]) => path !== '' && !entry.dev);
  const shop = { name: 'a-shop', version: '1.0.0', type: 'module', dependencies: { tender: `file:${tarball}` } };
  const tender = { version, resolved: `file:${tarball}`, dependencies, bin };
  const locked = { '': shop, 'node_modules/tender': tender, ...Object.fromEntries(needed) };
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify(shop));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...shop, lockfileVersion: 3, packages: locked }));
  await run(folder, 'npm', 'ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund');
}

describe('the installed package', () => {
  let tarball: string;
  let shop: string;

  beforeAll(async () => {
    const folder = await own.folder();
    tarball = await packed(folder);
    shop = join(folder, 'a shop');
    await installed(shop, tarball);
  });

  it('is small and holds neither sources nor tools', async () => {
    const files = await readdir(join(shop, 'node_modules/tender'), { recursive: true });
    const declared = /^dist\/(index\.d|client\/[\w-]+\.d|testing\/[\w-]+\.d|docs\/examples\/typescript\/[\w-]+)\.ts$/;
    expect(files.filter((file) => /\.ts$/.test(file) && !declared.test(file))).toEqual([]);
    expect(files.filter((file) => /^(scripts|test|docs)/.test(file))).toEqual([]);
    const shopFiles = files.flatMap((file) => /^examples\/shop\/(.+)$/.exec(file)?.[1] ?? []).toSorted();
    const programs = ['magazine.mjs', 'shop.mjs', 'shop.test.mjs', 'start.mjs', 'vitest.config.mjs'];
    expect(shopFiles).toEqual(['package.json', ...programs].toSorted());
    expect(
      (await readdir(join(shop, 'node_modules'))).filter((name) => /esbuild|typescript|vitest/.test(name)),
    ).toEqual([]);
    expect((await stat(tarball)).size).toBeLessThan(MAX_PACKED_BYTES);
  });

  it('lists every package it needs, with its digest, and not where a builder had it from', async () => {
    const text = await readFile(join(shop, 'node_modules/tender/dist/sbom.cdx.json'), 'utf8');
    const bill: { bomFormat: string; components: { name: string; version: string; hashes: object[] }[] } =
      JSON.parse(text);
    const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const listed = Object.fromEntries(bill.components.map(({ name, version }) => [name, version]));
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(listed).toMatchObject(dependencies);
    for (const { hashes } of bill.components) expect(hashes).toHaveLength(1);
    expect(text).not.toMatch(/\.tgz/);
  });

  it('runs a sandbox that takes a sale, and stops', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect((await run(shop, 'npx', '--no-install', 'tender', '--version')).trim()).toBe(version);

    const launcher = join(shop, 'node_modules/.bin/tender');
    const gateway = own.keep(await startProcess([], { launcher, cwd: shop }));
    const client = new Client(() => gateway.baseUrl, DEMO);
    expect(await client.saleUntilFinal()).toMatchObject({ status: 'approved' });
    client.close();
    expect((await fetch(`${gateway.origin}/demo`)).status).toBe(200);
    expect((await fetch(`${gateway.origin}/docs/reference/operations/sale`)).status).toBe(200);
    const openApi = (await (await fetch(`${gateway.origin}/openapi.json`)).json()) as { info: object };
    expect(openApi.info).toMatchObject({ version });
    expect(await gateway.process.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(shop, 'data', 'database'))).toBe(true);
  });

  it('starts a gateway inside a program that imports it, with types', async () => {
    const program = `import { startTender, type RunningTender, type TenderSettings } from 'tender';
      const settings: TenderSettings = { dataFolder: 'data of a program', log: () => {} };
      const tender: RunningTender = await startTender(settings);
      const ask = () => fetch(new URL('/readyz', tender.baseUrl));
      let answer = await ask();
      // On a busy machine it may be late with its first looks, and says so.
      while (answer.status === 503) answer = await ask();
      await tender.close();
      process.stdout.write(String(answer.status));`;
    expect(await compiledAndRun('program', program)).toBe('200');
  });

  it('lets a program pay, and tests start a gateway, with types', async () => {
    const program = `import { TenderClient, TenderError, verifyCallback, type ClientReplies } from 'tender/client';
      import { startTender } from 'tender/testing';
      const tender = await startTender();
      const { baseUrl, endpoint, login, controlKey, privateKey } = tender;
      const client = new TenderClient({ baseUrl, endpoint, login, controlKey, privateKey });
      await client.sale({
        client_orderid: 'typed-1', order_desc: 'Socks', amount: '10.42', currency: 'USD', email: 'ann@example.com',
        credit_card_number: '4444555566661111', expire_month: '12', expire_year: '2034', cvv2: '123',
        card_printed_name: 'ANN', server_callback_url: tender.callbackUrl,
      });
      const end: ClientReplies['status'] = await client.waitForEnd({ client_orderid: 'typed-1' });
      // @ts-expect-error: an amount is text, because a float cannot hold every amount
      const wrong = () => client.sale({ client_orderid: 'x', amount: 10.42, currency: 'USD', email: 'a@b.example' });
      const refused = await tender.client.status({ client_orderid: 'nobody' }).catch((error) => error);
      const [told] = await tender.callbacks({ client_orderid: 'typed-1' });
      await tender.close();
      const isBelieved: boolean = verifyCallback({ ...told?.params }, controlKey, { headers: 'not checked' }).ok;
      const isKnown = refused instanceof TenderError && refused.code === '30' && typeof wrong === 'function';
      process.stdout.write([end.status, isBelieved, isKnown].join());`;
    expect(await compiledAndRun('client', program)).toBe('approved,true,true');
  });

  /** Checks the types of a program, declarations of the package among them, and gives what it writes. */
  async function compiledAndRun(name: string, program: string): Promise<string> {
    await writeFile(join(shop, `${name}.mts`), program);
    const types = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023', '--types', 'node'];
    const roots = ['--typeRoots', join(ROOT, 'node_modules/@types')];
    await run(shop, process.execPath, TSC, '--ignoreConfig', ...types, ...roots, `${name}.mts`);
    return run(shop, process.execPath, `${name}.mjs`);
  }
});
