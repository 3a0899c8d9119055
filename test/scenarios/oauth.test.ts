// OAuth 1.0a from the merchant's side, over HTTP, signed by an independent library. Requests lack most of what their
// operations want, so a signature that is accepted is recognised by the request getting further than authentication.

import { createHmac, createPublicKey, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OAuth from 'oauth-1.0a';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, type Settings, startGateway } from '../../src/compose/index.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { Nonces } from '../../src/processing/requests/nonces.ts';
import { nonceStore } from '../../src/storage/requests/oauth-nonces.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { controlKeyPlace } from '../../src/vault/places.ts';
import type { DatabaseKind, OpenedDatabase } from '../contracts/databases.ts';
import { kindsOfThisFile } from '../harness.ts';
import { type TestKeys, testKeys } from '../test-keys.ts';

const DEMO = { login: 'demo', secret: '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638' };
const { testKeys: vectorKeys } = JSON.parse(readFileSync(new URL('../vectors/oauth.json', import.meta.url), 'utf8'));

const HMAC_PATH = '/api/v2/payout';
const RSA_PATH = '/api/v4/payout';

// biome-ignore lint/suspicious/noExplicitAny: a reply is looked at field by field
type Reply = { readonly status: number; readonly body: Record<string, any> };

type Call = {
  readonly path?: string;
  readonly endpoint?: string;
  readonly method?: string;
  readonly fields?: Record<string, string>;
  readonly login?: string;
  /** The control key, or the private key in PEM. */
  readonly secret?: string;
  readonly nonce?: string;
  readonly timestamp?: number | string;
  readonly version?: string;
  /** Changes the header after it was signed. */
  readonly header?: (header: string) => string;
  readonly separator?: string;
  readonly realm?: string;
  /** OAuth parameters repeated in the body, after the signature was made; a function may change them. */
  readonly repeated?: (oauth: Record<string, string>) => Record<string, string>;
  /** Added to the body, unsigned. */
  readonly unsigned?: Record<string, string>;
  readonly gateway?: RunningGateway;
};

/** A gateway on one kind of database, and a merchant's client that signs for it. */
class Bench {
  readonly #kind: DatabaseKind;
  readonly #closing: (() => Promise<unknown>)[] = [];
  #settings: Settings | undefined;
  #gateway: RunningGateway | undefined;
  /** The gateway's clock stands still here, if set. */
  stoppedAt: number | undefined;

  constructor(kind: DatabaseKind) {
    this.#kind = kind;
  }

  async open(): Promise<void> {
    const dataFolder = await this.#folder();
    const server: OpenedDatabase | undefined = this.#kind.kind === 'postgres' ? await this.#kind.open() : undefined;
    if (server) this.#closing.push(() => server.drop());
    const databaseUrl = server?.place.url;
    this.#settings = { mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder, databaseUrl };
    this.#gateway = await this.#start(this.#settings);
    await this.addPublicKey(1, 'vectors', vectorKeys.publicKeySpki);
  }

  async close(): Promise<void> {
    await this.#gateway?.close();
    for (const step of this.#closing.reverse()) await step();
  }

  async restart(changes: Partial<Settings>): Promise<void> {
    await this.gateway.close();
    this.#gateway = await this.#start({ ...(this.#settings as Settings), ...changes });
  }

  /** Another node on the same server. */
  async second(changes: Partial<Settings>): Promise<RunningGateway> {
    const settings = this.#settings as Settings;
    const keyFile = join(settings.dataFolder, 'key-encryption-keys');
    const second = await this.#start({ ...settings, ...changes, keyFile, dataFolder: await this.#folder() });
    this.#closing.push(() => second.close());
    return second;
  }

  get gateway(): RunningGateway {
    return this.#gateway as RunningGateway;
  }

  get now(): number {
    return this.stoppedAt ?? Date.now();
  }

  async addControlKey(merchantId: number, keyId: string, key: string, from = 0, until?: number): Promise<void> {
    const { configuration, vault } = this.gateway.store;
    const sealed = vault.seal(new Secret(key), controlKeyPlace({ merchantId, keyId }));
    const validity = { validFrom: from, validUntil: until, operations: [] };
    await configuration.addKey({ kind: 'control', merchantId, keyId, sealed, ...validity }, this.now);
    await this.gateway.configuration.refresh();
  }

  async addPublicKey(merchantId: number, keyId: string, publicKey: string, from = 0, until?: number): Promise<void> {
    const validity = { validFrom: from, validUntil: until, operations: [] };
    await this.gateway.store.configuration.addKey({ kind: 'rsa', merchantId, keyId, publicKey, ...validity }, this.now);
    await this.gateway.configuration.refresh();
  }

  async addMerchant(merchantId: number, login: string, endpointId: number, sandbox = true): Promise<void> {
    const { configuration } = this.gateway.store;
    const anything = {
      enabled: true,
      allowedAddresses: [],
      allowedCertificates: [],
      allowedOperations: [],
      strictSigning: false,
      secondPersonAbove: [],
    };
    await configuration.addMerchant({ merchantId, login, name: login, ...anything }, this.now);
    const like = this.gateway.configuration.endpoint(101);
    if (!like) throw new Error('the demo endpoint is missing');
    await configuration.addEndpoint({ ...like, endpointId, merchantId, sandbox }, this.now);
    await this.gateway.configuration.refresh();
  }

  async #folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'tender-oauth-'));
    this.#closing.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  #start(settings: Settings): Promise<RunningGateway> {
    const clock = { now: () => this.now, sleep: systemClock.sleep };
    return startGateway(settings, { clock, log: createLog(() => {}, clock.now) });
  }

  /** The request a call makes: where to, and with which header and body. */
  sign(call: Call): { url: string; path: string; headers: Record<string, string>; body: string; base: string } {
    const { path = HMAC_PATH, endpoint = '101', gateway = this.gateway } = call;
    const method = call.method ?? (path === RSA_PATH ? 'RSA-SHA256' : 'HMAC-SHA1');
    const secret = call.secret ?? (method === 'RSA-SHA256' ? vectorKeys.privateKey : DEMO.secret);
    const fields = call.fields ?? { client_orderid: 'inv-1', note: " a+b é!'()*~% ", empty: '', 'my-own': '1' };
    let base = '';
    const client = new OAuth({
      consumer: { key: call.login ?? DEMO.login, secret },
      signature_method: method,
      parameter_seperator: call.separator ?? ', ',
      ...(call.realm === undefined ? {} : { realm: call.realm }),
      ...(call.version === undefined ? {} : { version: call.version }),
      hash_function: (text, key) => {
        base = text;
        return method === 'RSA-SHA256'
          ? sign('sha256', Buffer.from(text), secret).toString('base64')
          : createHmac('sha1', key).update(text).digest('base64');
      },
    });
    client.getNonce = () => call.nonce ?? randomUUID();
    client.getTimeStamp = () => (call.timestamp ?? Math.floor(this.now / 1000)) as number;
    const called = `${path}/${endpoint}`;
    const signed = client.authorize({ url: gateway.baseUrl + called, method: 'POST', data: { ...fields } });
    const oauth = Object.fromEntries(Object.entries(signed).filter(([name]) => name.startsWith('oauth_')));
    const header = client.toHeader(signed).Authorization;
    const body = new URLSearchParams({ ...fields, ...call.unsigned, ...call.repeated?.(oauth) }).toString();
    const basePath = new URL(gateway.baseUrl).pathname.replace(/\/$/, '');
    return {
      url: `http://127.0.0.1:${gateway.port}${basePath}${called}`,
      path: called,
      headers: { authorization: call.header ? call.header(header) : header },
      body,
      base,
    };
  }

  async call(call: Call = {}): Promise<Reply> {
    return this.post(this.sign(call));
  }

  async post(request: { url: string; headers: Record<string, string>; body: string }): Promise<Reply> {
    const headers = {
      accept: 'application/vnd.pay+json',
      'content-type': 'application/x-www-form-urlencoded',
      ...request.headers,
    };
    const response = await fetch(request.url, { method: 'POST', headers, body: request.body });
    return { status: response.status, body: (await response.json()) as Reply['body'] };
  }

  /** A request without a signature. */
  async bare(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
    const url = `http://127.0.0.1:${this.gateway.port}/paynet${path}`;
    return this.post({ url, headers, body: new URLSearchParams(fields).toString() });
  }
}

/** Codes that are given before or by authentication: contradiction, no endpoint, 20–29, and breakdowns. */
const STOPPED = new Set(['5', '10', '500', '503', ...Array.from({ length: 10 }, (_, index) => String(20 + index))]);

/** `passed`, or the code that stopped the request. */
function verdict({ status, body }: Reply): string {
  const code = body['error-code'];
  return status === 200 || (code !== undefined && !STOPPED.has(code)) ? 'passed' : code;
}

const withoutSerial = ({ status, body }: Reply) => ({ status, body: { ...body, 'serial-number': '' } });

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`OAuth, on ${kind.name}`, () => {
    const bench = new Bench(kind);
    beforeAll(() => bench.open());
    afterAll(() => bench.close());
    afterEach(() => {
      bench.stoppedAt = undefined;
    });

    describe.each([
      ['HMAC-SHA1', HMAC_PATH],
      ['RSA-SHA256', RSA_PATH],
    ])('a request signed with %s', (_method, path) => {
      it.each<[string, Call]>([
        ['with spaces between the pairs', { separator: ', ' }],
        ['without spaces', { separator: ',' }],
        ['with a realm first', { realm: 'payments, and more' }],
        [
          'with an empty realm first',
          { header: (header) => header.replace('OAuth ', 'OAuth realm="",'), separator: ',' },
        ],
        ['with a realm last', { header: (header) => `${header}, realm="x"` }],
        ['with the scheme in lower case', { header: (header) => header.replace('OAuth', 'oauth') }],
        ['with its OAuth parameters repeated in the body', { repeated: (oauth) => oauth }],
        ['with all but the signature repeated', { repeated: ({ oauth_signature: _, ...oauth }) => oauth }],
        ['through a group', { endpoint: '200', fields: { client_orderid: 'a', currency: 'USD' } }],
        ['through the alias for groups', { endpoint: 'group/200', fields: { client_orderid: 'a', currency: 'USD' } }],
        ['with its own login in the body', { fields: { login: 'demo', client_orderid: 'a' } }],
        ['with an empty body', { fields: {} }],
        ['with a nonce of 128 characters', { nonce: 'n/+='.repeat(32) }],
      ])('passes %s', async (_title, call) => {
        expect(verdict(await bench.call({ path, ...call, ...(call.nonce ? { nonce: unique(call.nonce) } : {}) }))).toBe(
          'passed',
        );
      });

      it.each<[string, string, Call]>([
        ['a body that was changed', '20', { unsigned: { amount: '1' } }],
        ['another login', '20', { login: 'nobody' }],
        ['another key', '20', { secret: path === RSA_PATH ? testKeys('stranger').privateKey : 'another' }],
        [
          'a signature that is no base64',
          '20',
          { header: (header) => header.replace(/(oauth_signature=")[^"]+/, '$1%20') },
        ],
        ['another scheme', '25', { header: () => 'Basic ZGVtbzpkZW1v' }],
        ['an unreadable header', '25', { header: (header) => `${header},` }],
        ['a parameter twice', '25', { header: (header) => `${header}, oauth_nonce="n"` }],
        ['no nonce', '25', { header: (header) => header.replace(/oauth_nonce="[^"]*", /, '') }],
        ['an empty nonce', '25', { nonce: '' }],
        ['a nonce that is too long', '25', { nonce: 'n'.repeat(129) }],
        ['another version', '25', { version: '2.0' }],
        ['an unknown method', '26', { method: 'PLAINTEXT' }],
        ['a time that is no number', '27', { timestamp: 'now' }],
        ['another nonce in the body', '5', { repeated: (oauth) => ({ ...oauth, oauth_nonce: 'other' }) }],
        ['another signature in the body', '5', { repeated: (oauth) => ({ ...oauth, oauth_signature: 'other' }) }],
        ['another login in the body', '5', { fields: { login: 'somebody' } }],
      ])('is refused with %s: %s', async (_title, code, call) => {
        const reply = await bench.call({ path, ...call });
        expect(reply.status).toBe(400);
        expect(verdict(reply)).toBe(code);
      });

      it('passes within 300 s of our clock, not beyond', async () => {
        bench.stoppedAt = Math.floor(Date.now() / 1000) * 1000;
        const seconds = bench.stoppedAt / 1000;
        for (const [timestamp, expected] of [
          [seconds - 300, 'passed'],
          [seconds + 300, 'passed'],
          [seconds - 301, '27'],
          [seconds + 301, '27'],
        ] as const) {
          expect(verdict(await bench.call({ path, timestamp })), String(timestamp - seconds)).toBe(expected);
        }
        bench.stoppedAt += 1;
        expect(verdict(await bench.call({ path, timestamp: seconds - 300 }))).toBe('27');
        const { body } = await bench.call({ path, timestamp: 1, login: 'nobody' });
        expect(body['error-message']).toContain(`which is ${seconds}`);
      });

      it('passes once: the same nonce at the same time is refused, and told what to do', async () => {
        const request = bench.sign({ path });
        expect(verdict(await bench.post(request))).toBe('passed');
        const again = await bench.post(request);
        expect(verdict(again)).toBe('28');
        expect(again.body['error-message']).toContain('new nonce');
        expect(again.body['expected-string']).toBeUndefined();
      });

      it('passes once, however many arrive together', async () => {
        const request = bench.sign({ path });
        const verdicts = await Promise.all(Array.from({ length: 30 }, async () => verdict(await bench.post(request))));
        expect(verdicts.filter((one) => one === 'passed')).toHaveLength(1);
        expect(verdicts.filter((one) => one === '28')).toHaveLength(29);
      });

      it('passes with a nonce of another time, and with one a stranger tried first', async () => {
        const nonce = randomUUID();
        const timestamp = Math.floor(Date.now() / 1000);
        expect(verdict(await bench.call({ path, nonce, timestamp, unsigned: { x: '1' } }))).toBe('20');
        expect(verdict(await bench.call({ path, nonce, timestamp }))).toBe('passed');
        expect(verdict(await bench.call({ path, nonce, timestamp: timestamp - 1 }))).toBe('passed');
        expect(verdict(await bench.call({ path, nonce, timestamp, fields: { x: '2' } }))).toBe('28');
      });

      // Only a sandbox tells that nobody has the login: test/attacks/timing.test.ts has it that production does not.
      it('shows what we signed in a sandbox, and says that nobody has the login', async () => {
        const fields = { client_orderid: 'a', note: 'é' };
        const message = 'INVALID_CONTROL_CODE: login, end point, key or signature do not fit this request';
        const wrong = { field: 'oauth_signature', code: '20', message };
        const nobody = 'No merchant of this sandbox has the login "nobody"; check oauth_consumer_key';
        const secret = path === RSA_PATH ? testKeys('stranger').privateKey : 'x';
        const cases: [Call, object[]][] = [
          [{ login: 'nobody' }, [wrong, { field: 'oauth_consumer_key', code: '63', message: nobody }]],
          [{ secret }, [wrong]],
        ];
        for (const [call, errors] of cases) {
          const request = bench.sign({ path, fields, ...call });
          const { body } = await bench.post(request);
          expect(body).toMatchObject({ 'error-code': '20', errors });
          expect(body['expected-string']).toBe(request.base);
        }
      });
    });

    it('takes only the method the operation names, though the signature be right', async () => {
      const hmac = await bench.call({ path: RSA_PATH, method: 'HMAC-SHA1' });
      expect(hmac.body.errors).toEqual([
        {
          field: 'oauth_signature_method',
          code: '26',
          message: 'Parameter oauth_signature_method must be RSA-SHA256 for this operation',
        },
      ]);
      expect(verdict(await bench.call({ path: HMAC_PATH, method: 'RSA-SHA256' }))).toBe('26');
      const stranger = await bench.call({ path: RSA_PATH, method: 'HMAC-SHA1', login: 'nobody' });
      expect(withoutSerial(stranger)).toEqual(withoutSerial(hmac));
    });

    it('takes a version that is left out', async () => {
      const request = bench.sign({});
      const header = request.headers.authorization?.replace(/, oauth_version="1.0"/, '') ?? '';
      const base = request.base.replace('%26oauth_version%3D1.0', '');
      const signature = createHmac('sha1', `${DEMO.secret}&`).update(base).digest('base64');
      const authorization = header.replace(/(oauth_signature=")[^"]+/, `$1${encodeURIComponent(signature)}`);
      expect(verdict(await bench.post({ ...request, headers: { authorization } }))).toBe('passed');
    });

    it('says what is missing when there is no header', async () => {
      const { body } = await bench.bare(`${HMAC_PATH}/101`, { client_orderid: 'a' });
      expect(body.errors).toEqual([
        {
          field: 'Authorization',
          code: '25',
          message: 'Header Authorization must carry an OAuth 1.0a signature: it is missing',
        },
      ]);
    });

    it('repeats no card number and no security code, neither in the reply nor in the journal', async () => {
      const fields = { credit_card_number: '4111111111111111', cvv2: '987', client_orderid: 'secretive' };
      const { body } = await bench.call({
        path: '/api/v4/transfer',
        method: 'RSA-SHA256',
        fields,
        unsigned: { x: '1' },
      });
      expect(body['expected-string']).toContain('credit_card_number%3D~hidden~%26cvv2%3D~hidden~%26');
      const rows = async () =>
        bench.gateway.store.database.query({
          name: 'test-journal',
          text: `select request::text || reply::text as line from journal where request ->> 'client_orderid' = 'secretive'`,
        });
      await expect.poll(async () => (await rows()).length).toBe(1);
      const [row] = await rows();
      // Beside the code's name: its digits alone may be part of a nonce or a serial number.
      expect(row?.line).toMatch(/cvv2/);
      expect(row?.line).not.toMatch(/4111111111111111|cvv2(%3D|\W)*987/);
    });

    it('changes keys without an outage: both pass while they overlap, the old one no longer after its time', async () => {
      const old = pkcs1(testKeys('demo'));
      const next = pkcs1(testKeys('merchants'));
      const now = Date.now();
      bench.stoppedAt = now;
      await bench.addPublicKey(1, 'old-rsa', old.publicKey, 0, now + 60_000);
      await bench.addPublicKey(1, 'next-rsa', next.publicKey, now - 60_000);
      await bench.addControlKey(1, 'old-control', 'old', 0, now + 60_000);
      await bench.addControlKey(1, 'next-control', 'next', now - 60_000);
      const verdicts = async () => [
        verdict(await bench.call({ path: RSA_PATH, secret: old.privateKey })),
        verdict(await bench.call({ path: HMAC_PATH, secret: 'old' })),
        verdict(await bench.call({ path: RSA_PATH, secret: next.privateKey })),
        verdict(await bench.call({ path: HMAC_PATH, secret: 'next' })),
      ];
      bench.stoppedAt = now - 60_001;
      expect(await verdicts()).toEqual(['passed', 'passed', '20', '20']);
      bench.stoppedAt = now;
      expect(await verdicts()).toEqual(['passed', 'passed', 'passed', 'passed']);
      bench.stoppedAt = now + 60_000;
      expect(await verdicts()).toEqual(['20', '20', 'passed', 'passed']);
    });

    it("knows a merchant's own nonces only, and its own endpoints only", async () => {
      await bench.addMerchant(2, 'other', 901);
      await bench.addControlKey(2, 'control', 'other-key');
      await bench.addMerchant(3, 'quiet', 902, false);
      await bench.addControlKey(3, 'control', 'quiet-key');
      const other = { login: 'other', secret: 'other-key' };
      const nonce = randomUUID();
      const timestamp = Math.floor(Date.now() / 1000);
      expect(verdict(await bench.call({ nonce, timestamp }))).toBe('passed');
      expect(verdict(await bench.call({ nonce, timestamp, ...other, endpoint: '901' }))).toBe('passed');

      const foreign = await bench.call({ ...other, endpoint: '101' });
      const none = await bench.call({ ...other, endpoint: '777' });
      expect(verdict(foreign)).toBe('10');
      expect(JSON.parse(JSON.stringify(withoutSerial(foreign)).replaceAll('101', '777'))).toEqual(withoutSerial(none));

      const quiet = await bench.call({ login: 'quiet', secret: 'wrong', endpoint: '902' });
      expect([verdict(quiet), quiet.body['expected-string']]).toEqual(['20', undefined]);
    });

    it('checks a signature that is sent where none is demanded, and passes without', async () => {
      const form = '/api/v2/payout-form';
      expect(verdict(await bench.bare(`${form}/101`, { client_orderid: 'a' }))).toBe('passed');
      expect(verdict(await bench.bare(`${form}/101`, { login: 'demo' }))).toBe('passed');
      expect(verdict(await bench.bare(`${form}/101`, { login: 'nobody' }))).toBe('20');
      expect(verdict(await bench.bare(`${form}/777`, {}))).toBe('10');
      expect(verdict(await bench.bare(`${form}/101`, {}, { authorization: 'Bearer x' }))).toBe('25');
      for (const method of ['HMAC-SHA1', 'RSA-SHA256']) {
        expect(verdict(await bench.call({ path: form, method }))).toBe('passed');
        expect(verdict(await bench.call({ path: form, method, unsigned: { amount: '1' } }))).toBe('20');
      }
      expect(verdict(await bench.call({ path: form, method: 'PLAINTEXT' }))).toBe('26');

      const page = '/api/v2/payment-form/101';
      expect(verdict(await bench.bare(page, { client_orderid: 'a' }))).toBe('passed');
      expect(verdict(await bench.bare(page, { client_orderid: 'a', control: '0'.repeat(40) }))).toBe('20');
      expect(verdict(await bench.bare('/api/v2/payment-form/777', {}))).toBe('10');
    });

    it('forgets nonces only when their time is over for every clock', async () => {
      const store = nonceStore(bench.gateway.store.database);
      const now = 1_000_000_000_000;
      const at = (saidAt: number) => ({ merchantId: 9, saidAt, nonce: `n"\\${saidAt}` });
      const old = Array.from({ length: 5_200 }, (_, index) => at(now - 600_001 - index * 1000));
      const taken = [at(now - 600_000), at(now), at(now)];
      expect(await store.take([...old, ...taken])).toEqual([...old.map(() => true), true, true, false]);
      const stopping = new AbortController();
      const clock = { now: () => now, sleep: async () => stopping.abort() };
      await new Nonces(store, clock).run(stopping.signal, (error) => {
        throw error;
      });
      expect(await store.take([...taken, at(now - 600_001)])).toEqual([false, false, false, true]);
      expect(await store.forget(now + 1, 100)).toBe(3);
    });

    if (kind.kind === 'postgres') {
      it('passes once, on whichever node it arrives first', async () => {
        // Both nodes are known by one public address, as behind a balancer.
        const baseUrl = 'https://pay.example.com/paynet';
        await bench.restart({ baseUrl });
        const second = await bench.second({ baseUrl });
        for (let round = 0; round < 5; round++) {
          const request = bench.sign({});
          const urls = [bench.gateway, second].map(({ port }) => `http://127.0.0.1:${port}/paynet${request.path}`);
          const calls = Array.from({ length: 20 }, (_, index) =>
            bench.post({ ...request, url: urls[index % 2] as string }),
          );
          const verdicts = (await Promise.all(calls)).map(verdict);
          expect(verdicts.filter((one) => one === 'passed')).toHaveLength(1);
          expect(verdicts.filter((one) => one === '28')).toHaveLength(19);
        }
        const many = Array.from({ length: 40 }, () => bench.sign({}));
        const onBoth = await Promise.all(
          [bench.gateway, second].map(async ({ port }, node) => {
            const ordered = node === 0 ? many : [...many].reverse();
            const url = `http://127.0.0.1:${port}/paynet${HMAC_PATH}/101`;
            return Promise.all(ordered.map(async (request) => verdict(await bench.post({ ...request, url }))));
          }),
        );
        const flat = onBoth.flat();
        expect(flat.filter((one) => one === 'passed')).toHaveLength(40);
        expect(flat.filter((one) => one === '28')).toHaveLength(40);
      });
    }

    it.each([
      ['a proxy on the default port', 'https://Pay.example.com:443/paynet', 'https://pay.example.com/paynet'],
      ['a proxy on another port', 'https://pay.example.com:8443/gate', 'https://pay.example.com:8443/gate'],
      ['a proxy without a path', 'http://pay.example.com', 'http://pay.example.com'],
    ])('is signed with the public address, behind %s', async (_title, baseUrl, signed) => {
      await bench.restart({ baseUrl });
      const request = bench.sign({ unsigned: { x: '1' } });
      const { body } = await bench.post(request);
      expect(body['expected-string']).toContain(`POST&${encodeURIComponent(`${signed}${HMAC_PATH}/101`)}&`);
      const gateway = { ...bench.gateway, baseUrl: signed };
      expect(verdict(await bench.call({ gateway }))).toBe('passed');
      const path = new URL(signed).pathname.replace(/\/$/, '');
      const elsewhere = { ...bench.gateway, baseUrl: `http://other.example${path}` };
      expect(verdict(await bench.call({ gateway: elsewhere }))).toBe('20');
      // In a sandbox the address that was called counts too.
      const inside = { ...bench.gateway, baseUrl: `http://127.0.0.1:${bench.gateway.port}${path}` };
      expect(verdict(await bench.call({ gateway: inside }))).toBe('passed');
    });

    it('explains nothing in production', async () => {
      // Production does not start with the demo key, which everybody knows.
      const secret = 'a-control-key-of-its-own';
      await bench.addControlKey(1, 'own', secret);
      await bench.gateway.store.configuration.retireKey(1, 'demo-control', bench.now - 1);
      await bench.restart({ mode: 'production' });
      const reply = await bench.call({ secret, unsigned: { x: '1' } });
      expect([verdict(reply), reply.body['expected-string']]).toEqual(['20', undefined]);
      expect(verdict(await bench.call({ secret }))).toBe('passed');
      const inside = { ...bench.gateway, baseUrl: `http://127.0.0.1:${bench.gateway.port}/paynet` };
      expect(verdict(await bench.call({ secret, gateway: inside }))).toBe('20');
    });
  });
}

/** As long as the given one, and used once. */
function unique(nonce: string): string {
  return randomUUID() + nonce.slice(36);
}

/** The same keys, the public one in the older form. */
function pkcs1({ privateKey, publicKey }: TestKeys): TestKeys {
  return { privateKey, publicKey: createPublicKey(publicKey).export({ type: 'pkcs1', format: 'pem' }).toString() };
}
