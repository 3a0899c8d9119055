// A whole gateway for scenarios: started in this process on either database, beside a simulated bank, and spoken to
// over real HTTP by a client that signs as a merchant would, from the specification and not with the gateway's own
// code.

import { createHash, createHmac, createSign, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Connector } from '../src/acquirers/connector.ts';
import { type Bank, type BookEntry, type Faults, startBank } from '../src/acquirers/index.ts';
import { type RunningGateway, type Settings, startGateway } from '../src/compose/index.ts';
import { isOwnDecline } from '../src/domain/acquirer/action-codes.ts';
import type { Clock } from '../src/domain/clock.ts';
import { type Endpoint, newEndpoint } from '../src/domain/merchant/merchant.ts';
import { referenceAt } from '../src/domain/order/order.ts';
import { Secret } from '../src/domain/secret.ts';
import type { FirstSignIn } from '../src/processing/people/first-administrator.ts';
import type { OpenTerminal } from '../src/processing/terminals/terminal.ts';
import type { StoredMerchant } from '../src/storage/configuration.ts';
import { openDatabase } from '../src/storage/connection/open-database.ts';
import type { Database, Row, Statement } from '../src/storage/database.ts';
import { changeRecords } from '../src/storage/records/records.ts';
import { createLog } from '../src/telemetry/log.ts';
import { type NetworksOptions, type RunningNetworks, startNetworks } from '../src/threeds/index.ts';
import { controlKeyPlace } from '../src/vault/places.ts';
import { type DatabaseKind, databaseKinds, embedded } from './contracts/databases.ts';
import { removeFolder } from './left-behind.ts';
import { type Beginning, copyFolder, seededBeginning } from './seeded.ts';
import { testKeys } from './test-keys.ts';
import { TestShop } from './test-shop.ts';
import { databaseOfFile } from './tried-on.ts';

export const MEDIA_TYPE = 'application/vnd.pay+json';
export const FORM = 'application/x-www-form-urlencoded';

/** Only what hangs takes so long: on a busy machine everything may take many times as long as on a quiet one. */
const HANGING_MS = 10 * 60_000;
const POLL_MS = 20;

/** A connection learns every statement anew, and tests rarely do more at once than four can. */
const DATABASE_CONNECTIONS = 4;

/**
 * How often the gateway looks for due work, how long it waits for the bank, and after how many of our looks that showed
 * no change we cut that short: about a second, and longer on a machine that is too busy to get anything done in one.
 */
const WORK_POLL_MS = 500;
const BANK_TIMEOUT_MS = 30_000;
const BANK_PATIENCE_LOOKS = 40;

/** A look that takes longer finds a machine so busy that the bank may be waiting for it too: it counts for less. */
const QUICK_LOOK_MS = 20;
const LEAST_LOOK = 0.1;

// ── Time ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A clock that goes as usual, can be put forward, and can stand still. Whoever sleeps past the new time wakes at once;
 * sleepers also wake while it stands.
 */
export class AdjustableClock implements Clock {
  #ahead = 0;
  #stopped: number | undefined;
  readonly #sleepers = new Set<{ readonly until: number; wake(): void }>();

  now(): number {
    return (this.#stopped ?? Date.now()) + this.#ahead;
  }

  /** It stands still until `act` is over, however long that takes on a busy machine. */
  async standStillFor<Result>(act: () => Promise<Result>): Promise<Result> {
    this.#stopped = Date.now();
    try {
      return await act();
    } finally {
      this.#stopped = undefined;
    }
  }

  advance(ms: number): void {
    this.#ahead += ms;
    const now = this.now();
    for (const sleeper of [...this.#sleepers]) if (sleeper.until <= now) sleeper.wake();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        this.#sleepers.delete(sleeper);
        resolve();
      };
      const sleeper = { until: this.now() + ms, wake };
      const timer = setTimeout(wake, ms);
      this.#sleepers.add(sleeper);
      if (signal?.aborted) wake();
      else signal?.addEventListener('abort', wake, { once: true });
    });
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Asks again and again until the answer is true, and gives up loudly. What takes long to answer is asked less often, so
 * that most of the processor is left to what is waited for.
 */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, limitMs = HANGING_MS) {
  const start = Date.now();
  for (let asked = start; !(await isSo()); asked = Date.now()) {
    const now = Date.now();
    if (now - start > limitMs) throw new Error(`gave up waiting ${limitMs} ms until ${what}`);
    await pause(Math.max(POLL_MS, 2 * (now - asked)));
  }
}

// ── What a merchant sends and hears ──────────────────────────────────────────────────────────────────────────────────

/** Wire names and values; undefined leaves a field out. */
export type Fields = Readonly<Record<string, string | undefined>>;

export type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: ReplyBody;
};

// biome-ignore lint/suspicious/noExplicitAny: a reply is looked at field by field
export type ReplyBody = Record<string, any>;

export type PostOptions = {
  /** A header given as undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent instead of the fields. */
  readonly rawBody?: string | Buffer;
  readonly method?: string;
};

export type SignOptions = PostOptions & {
  readonly endpoint?: number | string;
  /** Values that enter the formula in place of those that are sent. */
  readonly signs?: Readonly<Record<string, string>>;
  readonly key?: string;
};

export type FollowUpKind = 'capture' | 'return' | 'void';

export const CARD = '4111111111111111';

export const saleFields = {
  client_orderid: undefined as string | undefined,
  order_desc: 'A pair of socks',
  amount: '1042',
  currency: 'USD',
  email: 'ann@example.com',
  first_name: 'Ann',
  last_name: 'Example',
  address1: '1 Main Street',
  city: 'Springfield',
  zip_code: '12345',
  country: 'US',
  phone: '+12025550123',
  ipaddress: '203.0.113.7',
  credit_card_number: CARD,
  card_printed_name: 'ANN EXAMPLE',
  expire_month: '12',
  expire_year: '2031',
  cvv2: '123',
};

export const newOrderId = () => `inv-${randomUUID()}`;

export const sha1 = (text: string) => createHash('sha1').update(text, 'utf8').digest('hex');

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };

/** Minor units, as the formulas want them: "10.42" is 1042, and a figure without a point is taken as minor already. */
export function minorUnits(amount: string, currency = 'USD'): string {
  const [whole = '', fraction] = amount.split('.');
  if (fraction === undefined) return amount;
  return `${whole}${fraction.padEnd(DECIMALS[currency] ?? 2, '0')}`.replace(/^0+(?=\d)/, '');
}

export type OAuthOptions = PostOptions & {
  readonly endpoint?: number | string;
  readonly method?: 'HMAC-SHA1' | 'RSA-SHA256';
  /** The private key in PEM for RSA-SHA256, the control key for HMAC-SHA1. */
  readonly key?: string;
  readonly idempotencyKey?: string;
  readonly nonce?: string;
};

/** RFC 3986, as OAuth wants it. */
const percent = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** What signatures name the gateway, whatever address it is called at. */
const publicAddress = (baseUrl: string) => baseUrl.replace('//127.0.0.1', '//localhost');

/** The Authorization header of one request, made as the specification's signing steps say. */
export function oauthHeader(
  url: string,
  fields: Fields,
  {
    login,
    key,
    method,
    now,
    nonce = randomUUID(),
  }: { login: string; key: string; method: 'HMAC-SHA1' | 'RSA-SHA256'; now: number; nonce?: string | undefined },
): string {
  const oauth = {
    oauth_consumer_key: login,
    oauth_nonce: nonce,
    oauth_signature_method: method,
    oauth_timestamp: String(Math.floor(now / 1000)),
    oauth_version: '1.0',
  };
  const joined = Object.entries({ ...fields, ...oauth })
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => [percent(name), percent(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const base = `POST&${percent(url)}&${percent(joined)}`;
  const signature =
    method === 'HMAC-SHA1'
      ? createHmac('sha1', `${percent(key)}&`)
          .update(base)
          .digest('base64')
      : createSign('RSA-SHA256').update(base).sign(key, 'base64');
  const pairs = Object.entries({ ...oauth, oauth_signature: signature });
  return `OAuth ${pairs.map(([name, value]) => `${name}="${percent(value)}"`).join(', ')}`;
}

/** A merchant's side of the interface. */
export class Client {
  readonly login: string;
  readonly key: string;
  /** The endpoint that is meant where none is named: the demo merchant's first; the next asks for 3-D Secure. */
  readonly home: number;
  /** The merchant's private key, where it has one. */
  privateKey = '';
  readonly #baseUrl: () => string;
  readonly #now: () => number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(
    baseUrl: () => string,
    merchant: { login: string; key: string; home?: number },
    now: () => number = Date.now,
  ) {
    this.#baseUrl = baseUrl;
    this.#now = now;
    this.login = merchant.login;
    this.key = merchant.key;
    this.home = merchant.home ?? 101;
  }

  get baseUrl(): string {
    return this.#baseUrl();
  }

  /** `path` follows the base address: `/api/v2/sale/101`. */
  post(path: string, fields: Fields, { headers = {}, rawBody, method = 'POST' }: PostOptions = {}): Promise<Reply> {
    const body = rawBody ?? encode(fields);
    const all = {
      accept: MEDIA_TYPE,
      'content-type': FORM,
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >;
    return this.#send(path, { method, headers: sent }, method === 'GET' ? undefined : body);
  }

  /**
   * A connection that idled may be closed by the gateway at the moment the next request takes it: nobody has read that
   * request, and it goes out again on a connection of its own, as clients in the field do it.
   */
  #send(path: string, options: RequestOptions, body: string | Buffer | undefined, agent?: Agent): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const call = request(this.#baseUrl() + path, { ...options, agent: agent ?? this.#agent });
      call.on('error', (error: NodeJS.ErrnoException) => {
        const idled = call.reusedSocket && error.code === 'ECONNRESET' && agent === undefined;
        if (idled) this.#send(path, options, body, new Agent()).then(resolve, reject);
        else reject(error);
      });
      call.on('response', async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        const { headers, statusCode = 0 } = response;
        resolve({ status: statusCode, headers, text, body: bodyOf(text, headers['content-type']) });
      });
      call.end(body);
    });
  }

  /** A request signed with OAuth: v2 operations with the control key, v4 operations with the private key. */
  oauth(path: string, fields: Fields, options: OAuthOptions = {}): Promise<Reply> {
    const { endpoint = this.home, idempotencyKey } = options;
    const { method = path.startsWith('/api/v4/') ? 'RSA-SHA256' : 'HMAC-SHA1' } = options;
    const { key = method === 'RSA-SHA256' ? this.privateKey : this.key } = options;
    const signer = { login: this.login, key, method, now: this.#now(), nonce: options.nonce };
    const full = `${path}/${endpoint}`;
    const headers = {
      authorization: oauthHeader(publicAddress(this.#baseUrl()) + full, fields, signer),
      'idempotency-key': idempotencyKey,
      ...options.headers,
    };
    return this.post(full, fields, { headers });
  }

  /** A complete, rightly signed sale of 10.42 USD, apart from what is asked to be different. */
  sale(overrides: Fields = {}, options: SignOptions = {}): Promise<Reply> {
    return this.post(`/api/v2/sale/${options.endpoint ?? this.home}`, this.signedSale(overrides, options), options);
  }

  /** The fields such a sale is made of, its control among them. */
  signedSale(overrides: Fields = {}, { endpoint = this.home, signs = {}, key = this.key }: SignOptions = {}): Fields {
    const fields: Fields = { ...saleFields, client_orderid: newOrderId(), ...overrides };
    if ('control' in fields) return fields;
    const pathId = String(endpoint).replace('group/', '');
    const { client_orderid = '', amount = '', currency, email = '' } = fields;
    const minor = minorUnits(amount, currency);
    const values = { endpointId: pathId, client_orderid, amount: minor, email, ...signs };
    const control = sha1(`${values.endpointId}${values.client_orderid}${values.amount}${values.email}${key}`);
    return { ...fields, control };
  }

  /** Hands in what came of a step of 3-D Secure that the merchant runs itself. */
  upload(
    kind: 'method-url' | 'cres' | 'pares',
    order: ReplyBody,
    fields: Fields,
    options: SignOptions = {},
  ): Promise<Reply> {
    const { endpoint = this.home + 1, key = this.key } = options;
    const names = { 'client-order-id': order['merchant-order-id'], orderid: order['paynet-order-id'] };
    const sent: Fields = { login: this.login, ...names, ...fields };
    const control = sha1(`${sent.login}${sent['client-order-id']}${sent.orderid}${key}`);
    return this.post(`/api/3ds/v1/upload-${kind}-result/${endpoint}`, { control, ...sent }, options);
  }

  /** A preauthorization, signed as a sale is. */
  preauth(overrides: Fields = {}, options: SignOptions = {}): Promise<Reply> {
    return this.post(`/api/v2/preauth/${options.endpoint ?? this.home}`, this.signedSale(overrides, options), options);
  }

  /** A preauthorization of 100.00 USD and its end. */
  async preauthUntilFinal(overrides: Fields = {}, options: SignOptions = {}): Promise<ReplyBody> {
    const accepted = await this.preauth({ amount: '100.00', ...overrides }, options);
    if (accepted.status !== 200) throw new Error(`PREAUTH answered ${accepted.status} ${accepted.text}`);
    return this.untilFinal(accepted.body['merchant-order-id'], options);
  }

  /** A rightly signed capture, return or void of an order, known from a reply that speaks of it. */
  followUp(kind: FollowUpKind, order: ReplyBody, fields: Fields = {}, options: SignOptions = {}): Promise<Reply> {
    const { endpoint = this.home, signs = {}, key = this.key } = options;
    const names = { client_orderid: order['merchant-order-id'], orderid: order['paynet-order-id'] };
    const sent: Fields = { login: this.login, ...names, ...fields };
    const { amount = '', currency = '' } = sent;
    const values: Fields = { ...sent, amount: minorUnits(amount, currency), currency, ...signs };
    const money = kind === 'void' ? '' : `${values.amount}${values.currency}`;
    const control = sha1(`${values.login}${values.client_orderid}${values.orderid}${money}${key}`);
    return this.post(`/api/v2/${kind}/${endpoint}`, { control, ...sent }, options);
  }

  /** A follow-up and the end of the transaction it made. */
  async followUpUntilFinal(
    kind: FollowUpKind,
    order: ReplyBody,
    fields: Fields = {},
    options: SignOptions = {},
  ): Promise<ReplyBody> {
    const { status, text, body } = await this.followUp(kind, order, fields, options);
    if (status !== 200) throw new Error(`${kind} answered ${status} ${text}`);
    return this.untilFinal(body['merchant-order-id'], { ...options, bySerial: body['serial-number'] });
  }

  /** A rightly signed status request: fields `client_orderid`, `orderid`, `by-request-sn`. */
  status(fields: Fields, options: SignOptions = {}): Promise<Reply> {
    const { endpoint = this.home, signs = {}, key = this.key } = options;
    const sent: Fields = { login: this.login, ...fields };
    const values = { login: sent.login, client_orderid: sent.client_orderid, orderid: sent.orderid, ...signs };
    const { login = '', client_orderid = '', orderid = '' } = values;
    const control = sha1(`${login}${client_orderid}${orderid}${key}`);
    return this.post(`/api/v2/status/${endpoint}`, { control, ...sent }, options);
  }

  /**
   * The status of an order once it is final: of its latest transaction, or of the one a request made. An order that
   * nobody signed is found by our own id only.
   */
  async untilFinal(
    clientOrderId: string,
    options: SignOptions & { limitMs?: number; bySerial?: string; orderId?: string } = {},
  ): Promise<ReplyBody> {
    let last: ReplyBody = {};
    const { headers: _, bySerial, orderId: orderid, ...asking } = options;
    const isFinal = async () => {
      const reply = await this.status({ client_orderid: clientOrderId, orderid, 'by-request-sn': bySerial }, asking);
      if (reply.status !== 200) throw new Error(`STATUS answered ${reply.status} ${reply.text}`);
      last = reply.body;
      return last.status !== 'processing' && last.status !== 'unknown';
    };
    await until(`order ${clientOrderId} is final`, isFinal, options.limitMs);
    return last;
  }

  /** A sale and its end. */
  async saleUntilFinal(overrides: Fields = {}, options: SignOptions = {}): Promise<ReplyBody> {
    const accepted = await this.sale(overrides, options);
    if (accepted.status !== 200) throw new Error(`SALE answered ${accepted.status} ${accepted.text}`);
    return this.untilFinal(accepted.body['merchant-order-id'], options);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Replies are JSON; those in the old flavour are pairs, here without the line feed after each value. */
function bodyOf(text: string, mediaType = ''): ReplyBody {
  if (text === '') return {};
  if (!mediaType.startsWith('text/html')) return JSON.parse(text);
  return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, value.replace(/\n$/, '')]));
}

export function encode(fields: Fields): string {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined) as [string, string][];
  return new URLSearchParams(pairs).toString();
}

function asStatement(text: string): Statement {
  return { name: `test-${createHash('md5').update(text).digest('hex')}`, text };
}

// ── The gateway ──────────────────────────────────────────────────────────────────────────────────────────────────────

export const DEMO = { login: 'demo', key: '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638' };
export const DEMO_MERCHANT_ID = 1;

export type GatewayOptions = {
  readonly mode?: Settings['mode'];
  readonly leaseMs?: number;
  readonly acquirerTimeoutMs?: number;
  readonly faults?: Partial<Faults>;
  readonly holdMs?: number;
  readonly callbackTimeoutMs?: number;
  readonly networkLimits?: Settings['networkLimits'];
  /** Settings that few tests give. */
  readonly settings?: Partial<Settings>;
  /** What names lead to, for callbacks. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** How the simulated 3-D Secure networks are; `none` leaves the service without. */
  readonly networks?: Partial<NetworksOptions> | 'none';
  /** Whether it begins from what a start on nothing leaves (test/seeded.ts), or from nothing. */
  readonly begins?: 'seeded' | 'empty';
  /** What hashing a password costs: next to nothing, or as much as in production. */
  readonly passwords?: 'cheap' | 'dear';
  /** Connectors of the test itself. */
  readonly connectors?: readonly Connector[];
  /** Terminals beside the simulated bank, or in its place. */
  readonly terminals?: readonly OpenTerminal[];
};

/** A thousandth of what it costs in production. */
const CHEAP_PASSWORDS = { logN: 6, r: 8, p: 1 };

/** Where the keys of security codes are, in the data folder of a test. */
const CODE_KEYS = 'code-keys';

type Running = { readonly gateway: RunningGateway; readonly bank: Bank; readonly bankUrl: string };

/** Open between `open` and `close`, which `describeGateway` calls around the tests. */
export class TestGateway {
  readonly clock = new AdjustableClock();
  readonly #clients: Client[] = [];
  readonly #others: (() => Promise<void>)[] = [];
  #merchants = 0;
  /** Everything the gateway wrote to its log. */
  readonly log: string[] = [];
  /** The demo merchant's client. */
  readonly demo = this.client(DEMO);
  readonly #kind: DatabaseKind;
  readonly #options: GatewayOptions;
  #running: Running | undefined;
  #closing: (() => Promise<unknown>)[] = [];
  #settings: Settings | undefined;
  #coordinatorUrl: string | undefined;
  #networks: RunningNetworks | undefined;

  constructor(kind: DatabaseKind, options: GatewayOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  async open(): Promise<void> {
    const {
      mode = 'sandbox',
      leaseMs,
      acquirerTimeoutMs,
      callbackTimeoutMs,
      networkLimits,
      faults,
      holdMs,
    } = this.#options;
    const dataFolder = await mkdtemp(join(tmpdir(), 'tender-scenario-'));
    this.#closing.push(() => removeFolder(dataFolder));
    const beginning = await this.#beginning();
    if (beginning) await copyFolder(beginning.folder, dataFolder);
    const copyOf = beginning?.database;
    const server = await this.#kind.newServer?.({ copyOf });
    if (server) this.#closing.push(() => server.drop());
    this.#coordinatorUrl = server?.coordinatorUrl;
    const { bank, url, close } = await startBank({ clock: this.clock, books: 'memory', faults, holdMs });
    this.#closing.push(close);
    const { networks = {} } = this.#options;
    if (networks !== 'none') {
      this.#networks = await startNetworks({ clock: this.clock, ...networks });
      this.#closing.push(() => this.networks.close());
    }
    this.#settings = {
      mode,
      host: '127.0.0.1',
      port: 0,
      dataFolder,
      // In production it must be in memory, which the folder of a test may not be.
      codeKeyFolder: mode === 'sandbox' ? join(dataFolder, CODE_KEYS) : undefined,
      databaseUrl: server?.url,
      databaseConnections: DATABASE_CONNECTIONS,
      bankUrl: url,
      networksUrl: this.#networks?.url,
      leaseMs,
      acquirerTimeoutMs,
      callbackTimeoutMs,
      networkLimits,
      ...this.#options.settings,
    };
    const { privateKey } = testKeys('demo');
    // A sandbox that finds the demo merchant's key makes none.
    if (mode === 'sandbox') await writeFile(join(dataFolder, 'demo-private-key.pem'), privateKey);
    await this.#start(this.#settings, { bank, bankUrl: url });
    if (mode === 'sandbox' && !beginning) await this.#addDemoKey();
    this.demo.privateKey = mode === 'sandbox' ? privateKey : '';
  }

  /** What a sandbox with nothing but usual settings begins from, if it is there. */
  async #beginning(): Promise<Beginning | undefined> {
    const { mode = 'sandbox', settings, begins = 'seeded' } = this.#options;
    if (mode !== 'sandbox' || settings || begins === 'empty') return undefined;
    return seededBeginning(this.#kind.kind, (folder) => {
      return new TestGateway(this.#kind, { begins: 'empty' }).#leaveBeginning(folder);
    });
  }

  /** Starts and stops on nothing, and leaves what it stored in a folder and in the database it names. */
  async #leaveBeginning(folder: string): Promise<string | undefined> {
    await this.open();
    await this.#running?.gateway.close();
    this.#running = undefined;
    await rm(join(this.dataFolder, CODE_KEYS), { recursive: true, force: true });
    await copyFolder(this.dataFolder, folder);
    const copyOf = this.databaseUrl && new URL(this.databaseUrl).pathname.slice(1);
    const kept = copyOf && (await this.#kind.newServer?.({ copyOf }))?.name;
    await this.close();
    return kept;
  }

  async #addDemoKey(): Promise<void> {
    const { publicKey } = testKeys('demo');
    const key = { kind: 'rsa', merchantId: DEMO_MERCHANT_ID, keyId: 'demo-rsa', publicKey } as const;
    await this.store.configuration.addKey(
      { ...key, validFrom: 0, validUntil: undefined, operations: [] },
      this.clock.now(),
    );
    await this.refresh();
  }

  /** A second gateway on the same database, and a merchant's client that speaks to it. PostgreSQL only. */
  async second(merchant = this.demo): Promise<Client> {
    const { origin } = await this.secondGateway();
    const client = this.client(merchant, () => `${origin}/paynet`);
    client.privateKey = merchant.privateKey;
    return client;
  }

  /** The same, for whoever speaks to it otherwise. */
  async secondGateway(): Promise<{ readonly origin: string }> {
    const settings = this.#settings as Settings;
    const keyFile = join(settings.dataFolder, 'key-encryption-keys');
    const dataFolder = await mkdtemp(join(tmpdir(), 'tender-scenario-'));
    const log = createLog(
      (line) => this.log.push(line),
      () => this.clock.now(),
    );
    const { connectors } = this.#options;
    const other = await startGateway(
      { ...settings, dataFolder, keyFile },
      { log, clock: this.clock, connectors, passwordCost: this.#passwordCost },
    );
    this.#others.push(async () => {
      await other.close();
      await removeFolder(dataFolder);
    });
    return { origin: `http://127.0.0.1:${other.port}` };
  }

  /** Somebody who takes callbacks; the demo merchant unless another key is given. */
  async shop(key = DEMO.key): Promise<TestShop> {
    const shop = await TestShop.open({ key, now: () => this.clock.now() });
    this.#closing.push(() => shop.close());
    return shop;
  }

  /** Stops the gateway and starts it anew on the same data; the bank goes on. */
  async restart(changes: Partial<Settings> = {}): Promise<void> {
    const { gateway, bank, bankUrl } = this.#mustRun();
    this.#running = undefined;
    await gateway.close();
    await this.#start({ ...(this.#settings as Settings), ...changes }, { bank, bankUrl });
  }

  async #start(settings: Settings, around: Omit<Running, 'gateway'>): Promise<void> {
    const log = createLog(
      (line) => this.log.push(line),
      () => this.clock.now(),
    );
    const resolve = async (host: string) => this.#options.names?.[host] ?? [];
    const { connectors, terminals = [] } = this.#options;
    const surroundings = { log, clock: this.clock, resolve, connectors, terminals, passwordCost: this.#passwordCost };
    this.#running = { ...around, gateway: await startGateway(settings, surroundings) };
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    for (const closeOther of this.#others) await closeOther();
    await this.#running?.gateway.close();
    for (const step of this.#closing.reverse()) await step();
  }

  get #passwordCost() {
    return this.#options.passwords === 'dear' ? undefined : CHEAP_PASSWORDS;
  }

  #mustRun(): Running {
    if (!this.#running) throw new Error('the gateway is not open');
    return this.#running;
  }

  /** Where people sign in. */
  get adminUrl(): string {
    return this.#mustRun().gateway.adminUrl;
  }

  /** What its start would say of who signs in first. */
  firstSignIn(isSeen: boolean): Promise<FirstSignIn> {
    return this.#mustRun().gateway.firstSignIn(isSeen);
  }

  get kind(): DatabaseKind['kind'] {
    return this.#kind.kind;
  }

  /** Undefined of the embedded database. */
  get databaseUrl(): string | undefined {
    return (this.#settings as Settings).databaseUrl;
  }

  get dataFolder(): string {
    return (this.#settings as Settings).dataFolder;
  }

  /** Where the keys of security codes are. */
  get codeKeyFolder(): string {
    const parent = (this.#settings as Settings).codeKeyFolder as string;
    return join(parent, readdirSync(parent)[0] as string);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#mustRun().gateway.port}`;
  }

  get bank(): Bank {
    return this.#mustRun().bank;
  }

  /** The simulated 3-D Secure networks. */
  get networks(): RunningNetworks {
    if (!this.#networks) throw new Error('there are no networks');
    return this.#networks;
  }

  get store(): RunningGateway['store'] {
    return this.#mustRun().gateway.store;
  }

  get database(): Database {
    return this.#mustRun().gateway.store.database;
  }

  /** Why no trigger can be put on its tables, if so. */
  get noTriggers(): string | undefined {
    return this.#kind.noTriggers;
  }

  /** By SQL; on a cluster by way of the one server that may. */
  async changeSchema(sql: string): Promise<void> {
    if (this.#coordinatorUrl === undefined) return this.database.script(sql);
    const database = await openDatabase({ url: this.#coordinatorUrl, poolSize: 1 });
    await database.script(sql).finally(() => database.close());
  }

  /** Changes by SQL what administration changes, and signs it as administration does. */
  async administer(sql: string): Promise<void> {
    await changeRecords(this.database, this.store.records, (session) => session.query(asStatement(sql)));
  }

  client(merchant: { login: string; key: string }, baseUrl = () => `${this.origin}/paynet`): Client {
    const client = new Client(baseUrl, merchant, () => this.clock.now());
    this.#clients.push(client);
    return client;
  }

  /**
   * Puts the clock forward until nothing is left to do by itself: to where everything is due when nobody is at work,
   * past the bank's time-outs when whoever is at work waits for an answer that does not come, which so many looks tell.
   */
  async untilAllFinal({ looks: patience = BANK_PATIENCE_LOOKS } = {}): Promise<void> {
    const { acquirerTimeoutMs = BANK_TIMEOUT_MS } = this.#options;
    let seen = '';
    let looks = 0;
    const isDone = async () => {
      const began = performance.now();
      const [now] = await this.query(
        `select count(*)::int as open, count(*) filter (where lease_owner is not null)::int as busy, max(due_at) as due
         from transactions where due_at is not null`,
      );
      const { open, busy, due } = now as { open: number; busy: number; due: Date };
      const changes = String((await this.query('select sum(version) as changes from orders'))[0]?.changes);
      if (open === 0) return true;
      const look = Math.max(LEAST_LOOK, Math.min(1, QUICK_LOOK_MS / (performance.now() - began)));
      looks = changes === seen ? looks + look : 0;
      seen = changes;
      if (busy === 0) this.clock.advance(Math.max(WORK_POLL_MS, due.getTime() - this.clock.now()));
      else if (looks > patience) {
        this.clock.advance(acquirerTimeoutMs);
        looks = 0;
      }
      return false;
    };
    await until('every transaction is final', isDone);
  }

  /** The journal's line about the request that was answered so. */
  async journalLine(body: ReplyBody): Promise<Row> {
    let line: Row | undefined;
    const isWritten = async () => {
      [line] = await this.query(`select * from journal where serial_number = '${body['serial-number']}'`);
      return line !== undefined;
    };
    await until('the journal is written', isWritten);
    return line as Row;
  }

  async query(text: string): Promise<Row[]> {
    return this.database.query(asStatement(text));
  }

  async books(): Promise<BookEntry[]> {
    const entries: BookEntry[] = [];
    for await (const entry of this.bank.entries()) entries.push(entry);
    return entries;
  }

  /** The bank's name for a transaction of an order. */
  async bankReference(orderId: string, seq = 1): Promise<string> {
    const [row] = await this.query(`select created_at from orders where order_id = ${orderId}`);
    if (!row) throw new Error(`there is no order ${orderId}`);
    const orderedAt = (row.created_at as Date).getTime();
    return referenceAt({ orderId: Number(orderId), orderedAt, seq, leg: 1 });
  }

  /** The bank's entries for one order. */
  async bookedFor(orderId: string): Promise<BookEntry[]> {
    return (await this.books()).filter(({ reference }) => reference.startsWith(`${orderId}-`));
  }

  /** What the gateway's books and the bank's disagree about; nothing when all is well. */
  async discrepancies(): Promise<string[]> {
    return discrepancies((text) => this.query(text), await this.books());
  }

  // Configuration, as an operator would change it, and noticed by the gateway at once.

  async addMerchant(
    merchant: Partial<StoredMerchant> & { merchantId: number; login: string },
    key: string,
  ): Promise<Client> {
    const { configuration } = this.#mustRun().gateway.store;
    const anything = {
      enabled: true,
      allowedAddresses: [],
      allowedCertificates: [],
      allowedOperations: [],
      strictSigning: false,
      secondPersonAbove: [],
    };
    await configuration.addMerchant({ name: merchant.login, ...anything, ...merchant }, this.clock.now());
    await this.addControlKey(merchant.merchantId, 'first', key);
    const client = this.client({ login: merchant.login, key });
    const { privateKey, publicKey } = testKeys('merchants');
    client.privateKey = privateKey;
    const { merchantId } = merchant;
    const validity = { validFrom: 0, validUntil: undefined, operations: [] };
    await configuration.addKey({ kind: 'rsa', merchantId, keyId: 'rsa', publicKey, ...validity }, this.clock.now());
    await this.#mustRun().gateway.configuration.refresh();
    return client;
  }

  async addControlKey(
    merchantId: number,
    keyId: string,
    key: string,
    validity: { from?: number; until?: number; operations?: readonly string[] } = {},
  ) {
    const { configuration, vault } = this.#mustRun().gateway.store;
    const sealed = vault.seal(new Secret(key), controlKeyPlace({ merchantId, keyId }));
    const { from = 0, until: validUntil, operations = [] } = validity;
    await configuration.addKey(
      { kind: 'control', merchantId, keyId, sealed, validFrom: from, validUntil, operations },
      this.clock.now(),
    );
    await this.#mustRun().gateway.configuration.refresh();
  }

  async changeMerchant(merchantId: number, changes: Partial<StoredMerchant>): Promise<void> {
    const { store, configuration } = this.#mustRun().gateway;
    const { merchants } = await store.configuration.read();
    const merchant = merchants.find((one) => one.merchantId === merchantId) as StoredMerchant;
    await store.configuration.setMerchant({ ...merchant, ...changes });
    await configuration.refresh();
  }

  async addEndpoint(endpoint: Partial<Endpoint> & { endpointId: number }): Promise<void> {
    const { store, configuration } = this.#mustRun().gateway;
    const plain = newEndpoint({ ...PLAIN_ENDPOINT, endpointId: endpoint.endpointId });
    await store.configuration.addEndpoint({ ...plain, ...endpoint }, this.clock.now());
    await configuration.refresh();
  }

  async changeEndpoint(endpointId: number, changes: Partial<Endpoint>): Promise<void> {
    const { store, configuration } = this.#mustRun().gateway;
    const endpoint = configuration.endpoint(endpointId) as Endpoint;
    await store.configuration.setEndpoint({ ...endpoint, ...changes });
    await configuration.refresh();
  }

  /** Makes the gateway notice a change of the configuration at once. */
  async refresh(): Promise<void> {
    await this.#mustRun().gateway.configuration.refresh();
  }

  /** What a merchant's accounts hold, in minor units. */
  async balances(merchantId = DEMO_MERCHANT_ID, currency = 'USD'): Promise<Record<string, number>> {
    const rows = await this.query(
      `select account, balance from accounts where merchant_id = ${merchantId} and currency = '${currency}'`,
    );
    return Object.fromEntries(rows.map(({ account, balance }) => [account, Number(balance)]));
  }

  /** What one account of the demo merchant holds. */
  async balance(account = 'merchant', currency = 'USD'): Promise<bigint> {
    return BigInt((await this.balances(DEMO_MERCHANT_ID, currency))[account] ?? 0);
  }

  /** A merchant of its own with one USD endpoint, which has the merchant's number too. */
  async newMerchant(changes: Partial<Endpoint> = {}): Promise<{ client: Client; id: number }> {
    const id = 1_000 + this.#merchants++;
    const client = await this.addMerchant({ merchantId: id, login: `shop${id}` }, `key-of-shop-${id}`);
    await this.addEndpoint({ endpointId: id, merchantId: id, ...changes });
    return { client, id };
  }

  /** Every table's rows as text, bytes as hexadecimal digits. */
  async everythingStored(): Promise<string> {
    const tables = await this.query(`select table_name from information_schema.tables where table_schema = 'public'`);
    let text = '';
    for (const { table_name } of tables) {
      for (const { row } of await this.query(`select to_jsonb(t)::text as row from ${table_name} t`))
        text += `${row}\n`;
    }
    return text;
  }

  async addGroup(group: { groupId: number; endpointIds: number[]; merchantId?: number }): Promise<void> {
    const { store, configuration } = this.#mustRun().gateway;
    await store.configuration.addGroup({ merchantId: DEMO_MERCHANT_ID, ...group });
    await configuration.refresh();
  }
}

const PLAIN_ENDPOINT = {
  merchantId: DEMO_MERCHANT_ID,
  name: 'An endpoint of a test',
  currency: 'USD',
  sandbox: true,
  descriptor: 'TENDER*TEST',
};

/**
 * The databases for the file that asks: both, or the one of them that suffices now (test/tried-on.ts), in whose place
 * the other stands where it is not there.
 */
export function kindsOfThisFile(): readonly DatabaseKind[] {
  const only = databaseOfFile(expect.getState().testPath ?? '');
  if (only === undefined || databaseKinds.length === 1) return databaseKinds;
  return [databaseKinds.find(({ kind, available }) => kind === only && available) ?? embedded];
}

/** The same scenarios on every database that the file is for, with one gateway for all of them. */
export function describeGateway(title: string, options: GatewayOptions, tests: (gateway: TestGateway) => void): void {
  for (const kind of kindsOfThisFile()) {
    describe.skipIf(!kind.available)(`${title}, on ${kind.name}`, () => {
      const gateway = new TestGateway(kind, options);
      beforeAll(() => gateway.open());
      afterAll(() => gateway.close());
      tests(gateway);
    });
  }
}

// ── The books compared ───────────────────────────────────────────────────────────────────────────────────────────────

/** Which outcomes the instructions of a transaction may have had at the bank, leg by leg, given how it ended here. */
const NEVER_PAID = ['reversed', 'declined', 'none'];
const BANK_OUTCOMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  approved: [['approved'], ['approved']],
  declined: [
    ['declined', 'reversed'],
    ['declined', 'none'],
  ],
  error: [NEVER_PAID, NEVER_PAID],
  // To another terminal.
  'passed-on': [NEVER_PAID],
  expired: [['none'], ['none']],
  abandoned: [['none'], ['none']],
  'given-up': [['none'], ['none']],
  filtered: [['none'], ['none']],
};

/**
 * Holds the gateway's tables against the bank's books and its ledger against its orders: every difference, in words.
 */
export async function discrepancies(
  query: (text: string) => Promise<Row[]>,
  books: readonly BookEntry[],
): Promise<string[]> {
  const found: string[] = [];
  const transactions = await query(
    `select o.order_id::text as order_id, t.seq, t.type, t.legs, t.stage, t.decline_code, t.amount::text as amount, o.currency,
       o.created_at, o.operation = 'payout' and o.reversed > 0 as returned
     from orders o join transactions t using (merchant_id, order_id, shard)`,
  );
  const byReference = new Map<string, BookEntry[]>();
  for (const entry of books) byReference.set(entry.reference, [...(byReference.get(entry.reference) ?? []), entry]);

  for (const {
    order_id,
    seq,
    type,
    legs,
    stage,
    decline_code,
    amount,
    currency,
    created_at,
    returned,
  } of transactions) {
    const order = { orderId: Number(order_id), orderedAt: (created_at as Date).getTime() };
    for (let leg = 1; leg <= Number(legs); leg++) {
      const reference = referenceAt({ ...order, seq: Number(seq), leg });
      const entries = byReference.get(reference) ?? [];
      byReference.delete(reference);
      if (entries.length > 1) found.push(`${reference} is booked ${entries.length} times`);
      const [entry] = entries;
      const outcome = entry?.outcome ?? 'none';
      // A payer who was not authenticated never got as far as the bank.
      const isUnasked = stage === 'declined' && isOwnDecline(String(decline_code));
      // A bank that returns a payout takes it back by itself: what books that here was never sent to it.
      const bookedAs = type === 'reversal' ? 'expired' : 'error';
      const judged = returned && stage === 'approved' ? bookedAs : stage;
      const allowed = isUnasked ? ['none'] : BANK_OUTCOMES[judged as string]?.[leg - 1];
      if (!allowed) found.push(`${reference} is not final but ${stage}`);
      else if (!allowed.includes(outcome)) found.push(`${reference} is ${stage} here and ${outcome} at the bank`);
      if (
        entry &&
        type !== 'pan-eligibility' &&
        `${entry.amount.minor} ${entry.amount.currency}` !== `${amount} ${currency}`
      ) {
        found.push(
          `${reference} is ${amount} ${currency} here and ${entry.amount.minor} ${entry.amount.currency} there`,
        );
      }
    }
  }
  for (const [reference] of byReference) found.push(`the bank has ${reference}, which is no transaction here`);
  return [...found, ...(await ledgerDiscrepancies(query))];
}

async function ledgerDiscrepancies(query: (text: string) => Promise<Row[]>): Promise<string[]> {
  const unbalanced = await query(
    `select currency, sum(amount)::text as rest from ledger_entries group by currency having sum(amount) <> 0`,
  );
  const wrongAccounts = await query(
    `select account, currency, a.balance::text as balance, e.total::text as total
     from accounts a full join (
       select shard, merchant_id, account, currency, sum(amount) as total from ledger_entries group by 1, 2, 3, 4
     ) e using (shard, merchant_id, account, currency)
     where a.balance is distinct from e.total`,
  );
  const wrongMerchants = await query(
    `select merchant_id, currency, o.moved::text as moved, a.balance::text as balance
     from (
       select shard, merchant_id, currency, sum(case
         when t.type in ('sale', 'capture') and stage = 'approved' then t.amount
         when t.type = 'reversal' and operation = 'payout' and stage = 'approved' then t.amount
         when t.type in ('void', 'reversal', 'chargeback') and stage = 'approved' then -t.amount
         when (t.type = 'payout' or t.type = 'transfer' and legs = 1)
           and stage in ('approved', 'sending', 'asking', 'undoing', 'stuck') then -t.amount
         else 0 end) as moved
       from orders join transactions t using (merchant_id, order_id, shard) group by 1, 2, 3
     ) o
     full join (select * from accounts where account = 'merchant') a using (shard, merchant_id, currency)
     where coalesce(o.moved, 0) <> coalesce(a.balance, 0)`,
  );
  return [
    ...unbalanced.map(({ currency, rest }) => `the ledger is off by ${rest} ${currency}`),
    ...wrongAccounts.map(
      (row) => `account ${row.account} says ${row.balance} ${row.currency}, its entries ${row.total}`,
    ),
    ...wrongMerchants.map((row) => `orders moved ${row.moved} ${row.currency}, the merchant has ${row.balance}`),
  ];
}
