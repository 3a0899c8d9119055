// A provider for the contract of the connector to one: it keeps the interface's promises (one order of a client order
// id, one deed under an idempotency key, no more money given back than was taken), checks signatures with its own code,
// and loses, delays and garbles what it is told to.

import { createHash, createHmac, randomUUID, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export const LOGIN = 'shop';
export const CONTROL_KEY = '5E7D2B90-F638-4D06-A1C4-9F1C7E523B8A';
export const ENDPOINT = '101';

/** What happens to a request, or to its answer. */
export type Mishap =
  /** The connection ends before the request is read. */
  | 'lose-request'
  /** The request is carried out, and the connection ends instead of an answer. */
  | 'lose-answer'
  /** Nothing is carried out, and no answer ever comes. */
  | 'hang'
  /** The request is carried out, and no answer ever comes. */
  | 'hang-after'
  /** The request is carried out, and the answer ends in its middle. */
  | 'half'
  | 'garble'
  /** A proxy answers, before or after the request was carried out. */
  | 'bad-gateway'
  | 'bad-gateway-after'
  | 'unavailable'
  | 'failure-after'
  /** The request is carried out only when it is let go, long after its connection ended. */
  | 'arrive-late'
  /** A proxy sends the request twice, and gives back the second answer. */
  | 'twice';

export const MISHAPS: readonly Mishap[] = [
  'lose-request',
  'lose-answer',
  'hang',
  'hang-after',
  'half',
  'garble',
  'bad-gateway',
  'bad-gateway-after',
  'unavailable',
  'failure-after',
  'arrive-late',
  'twice',
];

type Outcome = 'approved' | 'declined' | 'filtered' | 'error' | 'processing' | 'unknown' | 'challenge';

export type Deed = {
  readonly type: string;
  readonly serial: string;
  readonly minor: number;
  status: Outcome;
  readonly code?: string | undefined;
};

export type HostOrder = {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly path: string;
  readonly currency: string;
  readonly isForm: boolean;
  readonly values: string;
  readonly deeds: Deed[];
};

type Answer = { readonly http: number; readonly body: Record<string, unknown> };
type Fields = Readonly<Record<string, string>>;
type Arrived = { readonly path: string; readonly fields: Fields; readonly headers: IncomingMessage['headers'] };

export type HostOptions = { readonly publicKey: string };

export class UpstreamHost {
  readonly orders = new Map<string, HostOrder>();
  readonly storedCards = new Map<string, string>();
  readonly requests: Arrived[] = [];
  /** What happens to the next requests; undefined is nothing. A path makes it wait for a request to that path. */
  readonly mishaps: ({ readonly mishap: Mishap; readonly path?: string } | undefined)[] = [];
  /** How the next deeds end; then all are approved. */
  readonly outcomes: { readonly status: Outcome; readonly code?: string }[] = [];
  /** What the next requests are refused with. */
  readonly refusals: { readonly code: string; readonly path: string }[] = [];
  readonly #keys = new Map<string, { readonly values: string; readonly answer: Answer }>();
  readonly #nonces = new Set<string>();
  /** Requests that were answered with an order that another one had made. */
  readonly #repeats = new Set<string>();
  readonly #late: (() => void)[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #publicKey: string;
  #lastId = 1000;
  /** Requests that wait for an answer that never comes. */
  hanging = 0;

  private constructor({ publicKey }: HostOptions) {
    this.#publicKey = publicKey;
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async open(options: HostOptions): Promise<UpstreamHost> {
    const host = new UpstreamHost(options);
    await new Promise<void>((resolve) => host.#server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/paynet`;
  }

  /** What is held, taken and paid out under a name, in minor units. */
  money(clientOrderId: string): { held: number; taken: number; paidOut: number } {
    const sum = (...types: string[]) =>
      (this.orders.get(clientOrderId)?.deeds ?? [])
        .filter(({ type, status }) => types.includes(type) && status === 'approved')
        .reduce((total, { minor }) => total + minor, 0);
    return {
      held: sum('preauth') - sum('capture') - sum('cancel'),
      taken: sum('sale', 'capture') - sum('reversal', 'void'),
      paidOut: sum('payout'),
    };
  }

  /** Lets every request go that is still on its way. */
  letGo(): void {
    for (const arrive of this.#late.splice(0)) arrive();
  }

  paths(): string[] {
    return this.requests.map(({ path }) => path);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const path = (request.url ?? '').replace(/^\/paynet/, '').replace(/\/\d+$/, '');
    const fields = Object.fromEntries(new URLSearchParams(text));
    const arrived = { path, fields, headers: request.headers };
    const mishap = this.#mishapOf(path);
    if (mishap !== 'lose-request' && mishap !== 'arrive-late') this.requests.push(arrived);
    this.#behave(mishap, arrived, response);
  }

  #mishapOf(path: string): Mishap | undefined {
    const [next] = this.mishaps;
    if (next?.path !== undefined && next.path !== path) return undefined;
    this.mishaps.shift();
    return next?.mishap;
  }

  #behave(mishap: Mishap | undefined, arrived: Arrived, response: ServerResponse): void {
    const isLost = mishap === 'lose-request' || mishap === 'hang' || mishap === 'arrive-late';
    const isKept = isLost || mishap === 'bad-gateway' || mishap === 'unavailable';
    if (mishap === 'arrive-late') {
      this.#late.push(() => {
        this.requests.push(arrived);
        this.#answerTo(arrived);
      });
    }
    if (mishap === 'twice') this.#answerTo(arrived);
    this.#end(mishap, isKept ? failed('503') : this.#answerTo(arrived), response);
  }

  #end(mishap: Mishap | undefined, answer: Answer, response: ServerResponse): void {
    switch (mishap) {
      case 'lose-request':
      case 'lose-answer':
      case 'arrive-late':
        response.destroy();
        break;
      case 'hang':
      case 'hang-after':
        this.hanging++;
        break;
      case 'half': {
        const body = JSON.stringify(answer.body);
        response.writeHead(200, { 'content-type': 'application/vnd.pay+json', 'content-length': body.length });
        response.write(body.slice(0, body.length / 2), () => response.destroy());
        break;
      }
      case 'garble':
        response.writeHead(200).end('{"type":"async-resp\u0000');
        break;
      case 'bad-gateway':
      case 'bad-gateway-after':
        response.writeHead(502).end('<html>Bad gateway</html>');
        break;
      case 'failure-after':
        reply(response, failed('500'));
        break;
      default:
        reply(response, answer);
    }
  }

  #answerTo(arrived: Arrived): Answer {
    const { path, fields, headers } = arrived;
    const unsigned = this.#signatureFault(arrived);
    if (unsigned !== undefined) return refused(unsigned);
    const [refusal] = this.refusals;
    if (refusal?.path === path) {
      this.refusals.shift();
      return refused(refusal.code);
    }
    if (path === '/api/v2/status' || path === '/api/v4/status') return this.#status(fields);
    if (path === '/api/v4/create-recurring-payment') return this.#storeCard(fields);
    const key = headers['idempotency-key'];
    const { control: _, cvv2: __, ...said } = fields;
    const values = JSON.stringify([path, said]);
    if (typeof key !== 'string') return this.#act(path, fields, values);
    const earlier = this.#keys.get(key);
    if (earlier) return earlier.values === values ? earlier.answer : refused('32');
    const answer = this.#act(path, fields, values);
    if (answer.http === 200) this.#keys.set(key, { values, answer });
    return answer;
  }

  #act(path: string, fields: Fields, values: string): Answer {
    switch (path) {
      case '/api/v2/capture':
        return this.#followUp('capture', fields, ({ held }) => held);
      case '/api/v2/void':
        return this.#followUp('void', fields, ({ taken }) => taken);
      case '/api/v2/return': {
        const isCancel = fields.return_type === 'cancel';
        return this.#followUp(isCancel ? 'cancel' : 'reversal', fields, ({ held, taken }) => (isCancel ? held : taken));
      }
      default:
        return this.#order(path, fields, values);
    }
  }

  #order(path: string, fields: Fields, values: string): Answer {
    const clientOrderId = fields.client_orderid ?? fields['client-order-id'] ?? '';
    const type = TYPES[path];
    if (type === undefined) return { ...refused('18'), http: 404 };
    const earlier = this.orders.get(clientOrderId);
    if (earlier) return earlier.values === values ? this.#again(earlier) : refused('31');
    const isForm = path.endsWith('-form');
    const order: HostOrder = {
      ...{ orderId: String(++this.#lastId), clientOrderId, path, currency: fields.currency ?? 'USD', isForm, values },
      deeds: [],
    };
    this.orders.set(clientOrderId, order);
    const outcome = isForm ? { status: 'processing' as const } : this.#outcome();
    const serial = randomUUID();
    order.deeds.push({ type, serial, minor: minorOf(fields.amount), ...outcome });
    const form = isForm ? { type: 'async-form-response', 'redirect-url': 'https://provider.example/form' } : {};
    const { http, body } = acknowledged(order, serial);
    return { http, body: { ...body, ...form } };
  }

  #again(order: HostOrder): Answer {
    const serial = randomUUID();
    this.#repeats.add(serial);
    return acknowledged(order, serial);
  }

  #outcome() {
    return this.outcomes.shift() ?? { status: 'approved' as const };
  }

  #followUp(type: string, fields: Fields, cap: (money: ReturnType<UpstreamHost['money']>) => number): Answer {
    const order = this.orders.get(fields.client_orderid ?? '');
    if (!order || order.orderId !== fields.orderid) return refused('30');
    const minor = minorOf(fields.amount);
    // What is under way may yet be taken.
    const pending = order.deeds.filter(({ status, type: other }) => status === 'processing' && other === type);
    const left = cap(this.money(order.clientOrderId)) - pending.reduce((sum, one) => sum + one.minor, 0);
    if (minor > left) return refused(type === 'capture' || type === 'cancel' ? '42' : '43');
    const serial = randomUUID();
    order.deeds.push({ type, serial, minor, ...this.#outcome() });
    return acknowledged(order, serial);
  }

  #status(fields: Fields): Answer {
    const order = this.orders.get(fields.client_orderid ?? '');
    if (!order || (fields.orderid !== undefined && fields.orderid !== order.orderId)) return refused('30');
    const asked = fields['by-request-sn'];
    const deed = asked ? this.#deedOf(order, asked) : order.deeds.at(-1);
    if (!deed) return refused('30');
    const { status, type, serial, code, minor } = deed;
    return {
      http: 200,
      body: {
        type: 'status-response',
        'serial-number': randomUUID(),
        'merchant-order-id': order.clientOrderId,
        'paynet-order-id': order.orderId,
        status: status === 'challenge' ? 'processing' : status,
        'transaction-type': type,
        amount: (minor / 100).toFixed(2),
        currency: order.currency,
        'by-request-sn': asked ?? serial,
        ...(status === 'challenge' && { 'redirect-to': 'https://provider.example/challenge?a=1&b=2' }),
        ...(status === 'approved' && { 'approval-code': '123456', 'processor-rrn': '612345678901' }),
        ...(type === 'pan-eligibility' && { 'sending-eligible': 'true', 'sending-network': 'VISA' }),
        ...(code !== undefined && { 'error-code': code, 'error-message': 'No.' }),
      },
    };
  }

  #deedOf({ deeds }: HostOrder, serial: string): Deed | undefined {
    return this.#repeats.has(serial) ? deeds[0] : deeds.find((one) => one.serial === serial);
  }

  #storeCard(fields: Fields): Answer {
    const { client_orderid: id = '', credit_card_number: number = '' } = fields;
    const isNew = !this.storedCards.has(id);
    if (isNew) this.storedCards.set(id, number);
    const place = [...this.storedCards.keys()].indexOf(id);
    return {
      http: 200,
      body: {
        type: 'create-recurring-payment-response',
        status: 'approved',
        'recurring-payment-id': String(77 + place),
      },
    };
  }

  /** The code of what is wrong with the signature. */
  #signatureFault({ path, fields, headers }: Arrived): string | undefined {
    const { control, login = '', client_orderid = '', orderid = '', amount, currency = '', email = '' } = fields;
    const minor = amount === undefined ? '' : String(minorOf(amount));
    const money = ['/api/v2/capture', '/api/v2/return'].includes(path) ? `${minor}${currency}` : '';
    const formulas: Record<string, string> = {
      '/api/v2/account-verification': `${ENDPOINT}${client_orderid}${email}`,
      '/api/v2/make-rebill': `${login}${client_orderid}${fields.cardrefid}${minor}${currency}`,
      '/api/v2/make-rebill-preauth': `${login}${client_orderid}${fields.cardrefid}${minor}${currency}`,
    };
    const c5 = ['/api/v2/sale', '/api/v2/preauth', '/api/v2/sale-form'].includes(path);
    const text =
      formulas[path] ??
      (c5 ? `${ENDPOINT}${client_orderid}${minor}${email}` : `${login}${client_orderid}${orderid}${money}`);
    if (control !== undefined) {
      const right = createHash('sha1').update(`${text}${CONTROL_KEY}`).digest('hex');
      return right === control && (login === '' || login === LOGIN) ? undefined : '20';
    }
    return this.#oauthFault(path, fields, String(headers.authorization ?? ''));
  }

  #oauthFault(path: string, fields: Fields, header: string): string | undefined {
    const oauth = Object.fromEntries(
      [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decodeURIComponent(value)]),
    );
    const { oauth_signature: signature = '', ...signed } = oauth;
    const encode = (text: string) =>
      encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
    const joined = Object.entries({ ...fields, ...signed })
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&');
    const base = `POST&${encode(`${this.baseUrl}${path}/${ENDPOINT}`)}&${encode(joined)}`;
    const isRight =
      signed.oauth_signature_method === 'RSA-SHA256'
        ? verify('sha256', Buffer.from(base), this.#publicKey, Buffer.from(signature, 'base64'))
        : createHmac('sha1', `${encode(CONTROL_KEY)}&`)
            .update(base)
            .digest('base64') === signature;
    if (!isRight || signed.oauth_consumer_key !== LOGIN) return '20';
    const nonce = signed.oauth_nonce ?? '';
    if (this.#nonces.has(nonce)) return '28';
    this.#nonces.add(nonce);
    return undefined;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '/api/v2/sale': 'sale',
  '/api/v2/sale-form': 'sale',
  '/api/v2/make-rebill': 'sale',
  '/api/v2/preauth': 'preauth',
  '/api/v2/make-rebill-preauth': 'preauth',
  '/api/v2/account-verification': 'account-verification',
  '/api/v2/payout': 'payout',
  '/api/v4/payout': 'payout',
  '/api/v2/pan-eligibility/send': 'pan-eligibility',
  '/api/v2/pan-eligibility/receive': 'pan-eligibility',
  '/api/v2/pan-eligibility/both': 'pan-eligibility',
};

/** Amounts of these tests have two decimals. */
const minorOf = (amount = '0.00') => Math.round(Number(amount) * 100);

function acknowledged({ orderId, clientOrderId }: HostOrder, serial: string): Answer {
  const ids = { 'serial-number': serial, 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId };
  return { http: 200, body: { type: 'async-response', ...ids, status: 'processing' } };
}

function refused(code: string): Answer {
  const body = { type: 'validation-error', 'serial-number': randomUUID(), 'error-code': code, 'error-message': 'No.' };
  return { http: 400, body: { ...body, errors: [{ code, message: 'No.' }] } };
}

function failed(code: string): Answer {
  return {
    http: 500,
    body: { type: 'error', 'serial-number': randomUUID(), 'error-code': code, 'error-message': 'No.' },
  };
}

function reply(response: ServerResponse, { http, body }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(http, { 'content-type': 'application/vnd.pay+json' }).end(JSON.stringify(body));
}
