// The gateway's own TLS: what is served under which certificate, who must show one, and what passes in clear.

import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrationOf, type RunningGateway, type Settings, startGateway } from '../../src/compose/index.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { type Issued, testAuthority } from '../certificates.ts';
import { AdjustableClock, Client, DEMO, encode, type Fields, FORM, MEDIA_TYPE, until } from '../harness.ts';
import { Belongings, expectLine, startProcess, tenderProcess } from './tender-process.ts';

const LOOK_MS = 10_000;
const authority = testAuthority('Gateway CA');
const clients = testAuthority('Clients CA');
const strangers = testAuthority('Stranger CA');
const HERE = { at: 'DNS:localhost,IP:127.0.0.1' };

type Got = { readonly status: number; readonly body: string; readonly headers: Record<string, unknown> };

/** Calls under TLS, on a connection of its own. */
function call(url: string, options: RequestOptions & { readonly form?: Fields } = {}): Promise<Got> {
  const { form, ...rest } = options;
  const headers = form ? { accept: MEDIA_TYPE, 'content-type': FORM } : {};
  const method = form ? 'POST' : 'GET';
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca: authority.certificate, method, headers, agent: false, ...rest }, async (reply) => {
      let body = '';
      for await (const part of reply.setEncoding('utf8')) body += part;
      resolve({ status: reply.statusCode ?? 0, body, headers: reply.headers });
    });
    asked.on('error', reject);
    asked.end(form && encode(form));
  });
}

describe('a gateway under TLS', () => {
  const clock = new AdjustableClock();
  const log: string[] = [];
  const good = clients.issue('shop');
  const wrong = strangers.issue('shop');
  let folder: string;
  let gateway: RunningGateway;
  let first: Issued;

  const path = (name: string) => join(folder, name);
  const put = async ({ certificate, privateKey }: Issued) => {
    await writeFile(path('key.pem'), privateKey);
    await writeFile(path('certificate.pem'), certificate);
  };
  const servedNow = () =>
    new Promise<string>((resolve, reject) => {
      const { port } = gateway;
      const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: authority.certificate }, () => {
        resolve(socket.getPeerX509Certificate()?.subject ?? '');
        socket.destroy();
      });
      socket.on('error', reject);
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-tls-'));
    first = authority.issue('first', HERE);
    await put(first);
    await writeFile(path('clients.pem'), clients.certificate);
    const settings: Settings = {
      mode: 'sandbox',
      host: '127.0.0.1',
      port: 0,
      dataFolder: path('data'),
      tlsCertificate: path('certificate.pem'),
      tlsKey: path('key.pem'),
      tlsClientCa: path('clients.pem'),
      adminTlsCertificate: path('certificate.pem'),
      adminTlsKey: path('key.pem'),
    };
    gateway = await startGateway(settings, { log: createLog((line) => log.push(line)), clock });
  });
  afterAll(async () => {
    await gateway?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const shop = () =>
    new Client(
      () => gateway.baseUrl,
      DEMO,
      () => clock.now(),
    );
  const sale = (options: RequestOptions = {}) => {
    const client = shop();
    const form = client.signedSale();
    client.close();
    return call(`${gateway.baseUrl}/api/v2/sale/101`, { form, ...options });
  };

  it('takes payments, and tells browsers to come under TLS only', async () => {
    expect(gateway.baseUrl).toMatch(/^https:\/\/localhost:\d+\/paynet$/);
    const { status, body, headers } = await sale();
    expect([status, JSON.parse(body)]).toMatchObject([200, { type: 'async-response' }]);
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8,}$/);
    expect((await call(`${gateway.localUrl}/healthz`)).status).toBe(200);
    expect((await call(`${gateway.adminUrl}/metrics`)).body).toContain('tender_certificate_seconds_left');
  });

  it('speaks no protocol older than TLS 1.2, and no plain HTTP', async () => {
    const older = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(call(`${gateway.localUrl}/healthz`, older)).rejects.toThrow();
    await expect(call(`${gateway.localUrl}/healthz`, { maxVersion: 'TLSv1.2' })).resolves.toMatchObject({
      status: 200,
    });
    const plain = new Promise((resolve, reject) => {
      plainRequest(`http://127.0.0.1:${gateway.port}/healthz`, resolve).on('error', reject).end();
    });
    await expect(plain).rejects.toThrow();
  });

  it('serves a renewed certificate without a restart, and keeps the last good one', async () => {
    const next = authority.issue('second', HERE);
    expect(await servedNow()).toBe('CN=first');
    // A certificate whose key is not there yet must not be served.
    await writeFile(path('certificate.pem'), next.certificate);
    clock.advance(LOOK_MS);
    await until('the mismatch is told', () => log.join('').includes('does not belong to'));
    expect(await servedNow()).toBe('CN=first');
    await writeFile(path('key.pem'), next.privateKey);
    await until('the new one is served', async () => {
      clock.advance(LOOK_MS);
      return (await servedNow()) === 'CN=second';
    });
    expect((await sale()).status).toBe(200);
    expect(log.join('')).not.toContain('PRIVATE KEY');
  });

  describe('with a merchant that wants mutual TLS', () => {
    const fingerprintOf = ({ certificate }: Issued) => new X509Certificate(certificate).fingerprint256;
    const setTo = async (...fingerprints: string[]) => {
      const { administration } = administrationOf(gateway.store, {
        mode: 'sandbox',
        clock,
        changed: () => gateway.configuration.refresh(),
      });
      await administration.ask('setMerchant', { login: 'demo', allowedCertificates: fingerprints }, 'a test');
    };
    const showing = ({ certificate, privateKey }: Issued) => ({ cert: certificate, key: privateKey });

    afterAll(() => setTo());

    it('takes requests only with its certificate', async () => {
      await setTo(fingerprintOf(good), fingerprintOf(wrong));
      const refusal = [400, { 'error-code': '62' }];
      const answer = async (options?: RequestOptions) => {
        const { status, body } = await sale(options);
        return [status, JSON.parse(body)];
      };
      expect(await answer()).toMatchObject(refusal);
      expect(await answer(showing(clients.issue('shop')))).toMatchObject(refusal);
      // Listed, but no authority that we asked for vouches for it.
      expect(await answer(showing(wrong))).toMatchObject(refusal);
      expect(await answer(showing(good))).toMatchObject([200, { type: 'async-response' }]);
    });
  });
});

describe('production', () => {
  const own = new Belongings();
  afterAll(() => own.drop());

  it('refuses a public address without TLS, and shows its figures to administrators only', async () => {
    const folder = await own.folder();
    const keyFile = join(folder, 'keys');
    await tenderProcess(['vault', 'create-key-file', keyFile]);
    const args = ['--data', join(folder, 'data'), '--mode', 'production', '--key-file', keyFile];
    for (const base of [[], ['--base-url', 'http://pay.example/paynet']]) {
      const refused = await tenderProcess(['start', '--port', '0', ...args, ...base]);
      expect(refused.code).toBe(2);
      expectLine(refused.stderr, /production needs a public address with TLS.*--base-url.*--tls-certificate/);
    }
    const gateway = own.keep(await startProcess([...args, '--base-url', 'https://pay.example/paynet']));
    const { localOrigin, adminOrigin } = gateway;
    const status = async (url: string) => (await fetch(url)).status;
    expect(await status(`${localOrigin}/metrics`)).toBe(404);
    expect(await status(`${adminOrigin}/metrics`)).toBe(200);
    for (const page of ['healthz', 'readyz']) {
      expect(await status(`${localOrigin}/${page}`)).toBe(200);
      expect(await status(`${adminOrigin}/${page}`)).toBe(200);
    }
    // Who does not say who they are is told nothing there.
    expect(await status(`${adminOrigin}/paynet/api/v2/sale/101`)).toBe(401);
  });

  it.each([
    [['--tls-certificate', 'c.pem'], /--tls-certificate and --tls-key go together/, 2],
    [['--admin-tls-key', 'k.pem'], /--admin-tls-certificate and --admin-tls-key go together/, 2],
    [['--tls-client-ca', 'ca.pem'], /--tls-client-ca needs --tls-certificate/, 2],
    [
      ['--tls-certificate', '/nowhere/c.pem', '--tls-key', '/nowhere/k.pem'],
      /\/nowhere\/c\.pem cannot be read: ENOENT/,
      1,
    ],
  ])('says what is wrong with %j', async (args, line, code) => {
    const refused = await tenderProcess(['start', '--port', '0', '--data', join(await own.folder(), 'data'), ...args]);
    expect(refused.code).toBe(code);
    expectLine(refused.stderr, line);
  });
});
