// The programs that the documentation shows, run as they are against a gateway, in every language whose interpreter is
// installed. They print what their comments say.

import { execFile, spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { embedded } from '../contracts/databases.ts';
import { DEMO, newOrderId, TestGateway, until } from '../harness.ts';
import { testKeys } from '../test-keys.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = join(ROOT, 'docs/examples');
const CLIENT = join(ROOT, 'src/client/index.ts');

/** A program that waits for what never comes is ended. */
const HANGING_MS = 120_000;

type Language = {
  readonly folder: string;
  readonly ending: string;
  readonly command: readonly string[];
  /** What runs the callback's program, which gets the port behind it; the program itself unless given. */
  readonly serves?: (port: number) => readonly string[];
};

const LANGUAGES: readonly Language[] = [
  { folder: 'curl', ending: 'sh', command: ['bash'] },
  { folder: 'python', ending: 'py', command: ['python3'] },
  { folder: 'ruby', ending: 'rb', command: ['ruby'] },
  {
    folder: 'php',
    ending: 'php',
    command: ['php'],
    serves: (port) => ['php', '-S', `127.0.0.1:${port}`, join(EXAMPLES, 'php/callback.php')],
  },
  { folder: 'typescript', ending: 'ts', command: [process.execPath] },
];

const run = promisify(execFile);

async function isInstalled({ folder, command: [program = ''] }: Language): Promise<boolean> {
  if (folder === 'typescript') return existsSync(CLIENT);
  if (folder === 'php') return run('php', ['-r', 'exit(function_exists("curl_init") ? 0 : 1);']).then(yes, no);
  return run(program, ['--version']).then(yes, no);
}

const yes = () => true;
const no = () => false;

/** The headers of Standard Webhooks, which cover the whole query. */
function webhookHeaders(query: string, later = 0): Record<string, string> {
  const seconds = String(Math.floor(Date.now() / 1000) + later);
  const signature = createHmac('sha256', DEMO.key).update(`msg-1.${seconds}.${query}`).digest('base64');
  return { 'webhook-id': 'msg-1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}

function headersIn(headers: Record<string, string>): string[] {
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name] ?? '');
}

const installed = await Promise.all(LANGUAGES.map(isInstalled));

describe('the programs of the documentation', () => {
  const gateway = new TestGateway(embedded, {});
  /** Inside the folder of the sources, because programs are bundled there and find their packages. */
  let folder = '';
  let env: NodeJS.ProcessEnv = {};

  beforeAll(async () => {
    await gateway.open();
    folder = mkdtempSync(join(ROOT, 'node_modules', '.examples-'));
    const keyFile = join(folder, 'private.pem');
    await writeFile(keyFile, testKeys('demo').privateKey);
    env = { ...process.env, TENDER_URL: gateway.demo.baseUrl, TENDER_KEY: DEMO.key, TENDER_PRIVATE_KEY: keyFile };
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await gateway.close();
  });

  /** Node 20 cannot read TypeScript, and the client is the one of these sources. */
  async function programOf({ folder: language, ending }: Language, name: string): Promise<string> {
    const path = join(EXAMPLES, language, `${name}.${ending}`);
    if (ending !== 'ts') return path;
    const outfile = join(folder, `${name}.mjs`);
    await build({
      ...{ entryPoints: [path], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' },
      ...{ packages: 'bundle', alias: { 'tender/client': CLIENT }, logLevel: 'silent' },
    });
    return outfile;
  }

  /** Runs the sale against a server that accepts it, and answers each STATUS with the next of these. */
  async function soldBy(language: Language, ...answers: (readonly [number, object])[]) {
    const server = createHttpServer(({ url = '' }, response) => {
      const accepted = [200, { type: 'async-response' }] as const;
      const [status, reply] = (url.includes('/status/') ? answers.shift() : undefined) ?? accepted;
      response.writeHead(status).end(JSON.stringify(reply));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const [program = '', ...before] = language.command;
    const url = `http://127.0.0.1:${port}/paynet`;
    try {
      return await run(program, [...before, await programOf(language, 'sale')], {
        ...{ env: { ...env, TENDER_URL: url }, cwd: folder, timeout: HANGING_MS },
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  for (const language of LANGUAGES.filter((_, index) => installed[index])) {
    const { folder: name, command, serves } = language;
    const [program = '', ...before] = command;
    const prints = async (example: string, ...args: string[]) =>
      (
        await run(program, [...before, await programOf(language, example), ...args], {
          env,
          cwd: folder,
          timeout: HANGING_MS,
        })
      ).stdout;

    it(`pay, ask and give back in ${name}`, async () => {
      const accepted = await prints('sale');
      expect(accepted).toContain('async-response');
      if (name !== 'curl') expect(accepted).toContain('approved');

      const sold = await gateway.demo.saleUntilFinal({ client_orderid: newOrderId() });
      const ids = [sold['merchant-order-id'], sold['paynet-order-id']];
      expect(await prints('status', ids[0])).toContain('approved');
      const returned = await prints('return', ...ids);
      expect(returned).toContain(name === 'curl' ? 'async-response' : 'reversal approved');
    });

    if (name !== 'curl') {
      it(`ask again when STATUS fails, and end when it is refused, in ${name}`, async () => {
        const broken = [500, { type: 'error', 'error-code': '500' }] as const;
        const end = [200, { type: 'status-response', status: 'declined' }] as const;
        expect(await soldBy(language, broken, end)).toMatchObject({ stdout: 'async-response\ndeclined\n' });
        const refusal = [400, { type: 'validation-error', 'error-code': '30', 'error-message': 'not found' }] as const;
        await expect(soldBy(language, refusal, end)).rejects.toMatchObject({ code: expect.any(Number) });
      });
    }

    it(`hold and capture, and open a payment page in ${name}`, async () => {
      const captured = await prints('preauth-capture');
      expect(captured).toMatch(name === 'curl' ? /"transaction-type":"capture"/ : /capture approved/);
      const [address = ''] = /http[^"\s]+\/pay\/[^"\s]+/.exec(await prints('sale-form')) ?? [];
      expect((await fetch(address)).status).toBe(200);
    });

    it(`sign by OAuth in ${name}`, async () => {
      await gateway.demo.saleUntilFinal({ client_orderid: newOrderId() });
      expect(await prints('payout')).toMatch(name === 'curl' ? /async-response/ : /async-response\napproved/);
      expect(await prints('recurring')).toMatch(name === 'curl' ? /"status":"processing"/ : /approved/);
    });

    it(`believe a callback, and no forged one, in ${name}`, async () => {
      const told = { status: 'approved', orderid: '7', client_orderid: 'inv-7' };
      const control = createHash('sha1')
        .update(`${Object.values(told).join('')}${DEMO.key}`)
        .digest('hex');
      const query = new URLSearchParams({ ...told, amount: '10.42', control });
      const sent = webhookHeaders(`${query}`);
      // The control fits it as well as the genuine one, because nothing separates its values.
      const shifted = `${query}`.replace('orderid=7&client_orderid=inv-7', 'orderid=7i&client_orderid=nv-7');
      const forgeries = [shifted, `${query}`.replace('10.42', '999.00'), `${query}`.replace('inv-7', 'inv-8')];
      const old = webhookHeaders(`${query}`, -301);
      if (name === 'curl') {
        const said = (search: string, headers = sent) => prints('callback', `/called?${search}`, ...headersIn(headers));
        expect(await said(`${query}`)).toBe('genuine\n');
        for (const forged of forgeries) expect(await said(forged)).toBe('forged\n');
        expect(await said(`${query}`, old)).toBe('forged\n');
        return;
      }
      const port = await freePort();
      const [serving = '', ...args] = serves?.(port) ?? [...command, await programOf(language, 'callback'), `${port}`];
      const server = spawn(serving, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
      let printed = '';
      server.stdout.on('data', (text) => {
        printed += text;
      });
      try {
        const called = async (search: string, headers = {}) =>
          (await fetch(`http://127.0.0.1:${port}/?${search}`, { headers })).status;
        await until('the shop listens', () => called('').then(yes, no));
        for (const forged of [`${query}`, ...forgeries]) expect(await called(forged)).toBe(400);
        for (const forged of forgeries) expect(await called(forged, sent)).toBe(400);
        expect(await called(`${query}`, old)).toBe(400);
        expect(printed).toBe('');
        const changedKeys = { ...sent, 'webhook-signature': `v1,b2xk ${sent['webhook-signature']}` };
        expect(await called(`${query}`, changedKeys)).toBe(200);
        await until('it has said so', () => printed === 'inv-7 approved\n');
      } finally {
        server.kill();
      }
    });
  }

  it('are there in all languages for every topic', async () => {
    const topics = ['sale', 'status', 'preauth-capture', 'return', 'sale-form', 'recurring', 'payout', 'callback'];
    for (const { folder: language, ending } of LANGUAGES) {
      for (const topic of topics) {
        const text = await readFile(join(EXAMPLES, language, `${topic}.${ending}`), 'utf8');
        expect([language, topic, text.length > 100]).toEqual([language, topic, true]);
      }
    }
  });
});
