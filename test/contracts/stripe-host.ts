// A server that behaves like Stripe's, as far as a connector can tell: keys with stored answers and comparison of what
// was asked, the states of intents, a search that lags behind, and everything that can go wrong on the way.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../src/domain/clock.ts';
import { Invalid, type Params, type Result, StripeBooks } from './stripe-books.ts';

export const SECRET_KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

/**
 * What becomes of a request. `lost`: it never arrives. `unanswered`: it is carried out and its answer is lost. `held`:
 * it is on its way until it is released. `slow`: it arrives, and is carried out when it is released. `failed`: Stripe
 * breaks down before, `broken`: after carrying it out; both answers are stored under the key. `limited`: too many
 * requests. `garbled`: the answer is no JSON.
 */
export const FAULTS = ['lost', 'unanswered', 'held', 'slow', 'failed', 'broken', 'limited', 'garbled'] as const;

export type Fault = (typeof FAULTS)[number];

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly params: Params;
  readonly headers: IncomingMessage['headers'];
};

type Kept = { readonly what: string; result?: Result };

const FAILED: Result = { status: 500, body: { error: { type: 'api_error', message: 'Something went wrong.' } } };
const LIMITED: Result = { status: 429, body: { error: { type: 'invalid_request_error', code: 'rate_limit' } } };
const IN_USE: Result = {
  status: 409,
  body: { error: { type: 'invalid_request_error', code: 'idempotency_key_in_use' } },
};

/** Requests with the same key must be the same. */
const whatIs = ({ path, params }: Asked) => JSON.stringify([path, Object.entries(params).sort()]);

export class StripeHost {
  readonly books = new StripeBooks();
  readonly asked: Asked[] = [];
  /** Which fault the next request meets. */
  fault: (asked: Asked) => Fault | undefined = () => undefined;
  /** Called when a request is held back. */
  onHeld: () => void = () => {};
  searchLags = false;
  readonly #keys = new Map<string, Kept>();
  readonly #held: (() => void)[] = [];
  readonly #server: Server;
  url = '';

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** As Stripe may do after a day. */
  forgetKeys(): void {
    this.#keys.clear();
  }

  /** Carries out everything that was held back. */
  release(): void {
    for (const carryOut of this.#held.splice(0)) carryOut();
  }

  /** The requests to this path, or to one that ends so. */
  to(end: string): Asked[] {
    return this.asked.filter(({ method, path }) => `${method} ${path}`.endsWith(end));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const params = Object.fromEntries(request.method === 'GET' ? searchParams : new URLSearchParams(body));
    const asked = { method: request.method ?? '', path: pathname, params, headers: request.headers };
    this.asked.push(asked);
    const fault = this.fault(asked);
    if (fault === 'lost') return void request.socket.destroy();
    if (fault === 'held' || fault === 'slow') {
      this.#hold(asked, fault);
      return this.onHeld();
    }
    if (fault === 'limited') return reply(response, LIMITED, false);
    const { result, replayed } = this.#answer(asked, fault);
    if (fault === 'unanswered') return void request.socket.destroy();
    if (fault === 'garbled') return void response.writeHead(result.status).end('<html>');
    reply(response, result, replayed);
  }

  /** The key of a request that Stripe works on is in use, unless it has an answer already. */
  #hold(asked: Asked, fault: 'held' | 'slow'): void {
    const key = asked.headers['idempotency-key'];
    const isWorkedOn = fault === 'slow' && typeof key === 'string' && !this.#keys.has(key);
    if (isWorkedOn) this.#keys.set(key, { what: whatIs(asked) });
    this.#held.push(() => {
      if (isWorkedOn) this.#keys.delete(key);
      this.#answer(asked);
    });
  }

  #answer(asked: Asked, fault?: Fault): { result: Result; replayed: boolean } {
    if (asked.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      return { result: { status: 401, body: { error: { type: 'invalid_request_error' } } }, replayed: false };
    }
    const key = asked.headers['idempotency-key'];
    if (typeof key !== 'string' || asked.method !== 'POST') return { result: this.#run(asked, fault), replayed: false };
    const what = whatIs(asked);
    const kept = this.#keys.get(key);
    if (kept && kept.what !== what) {
      return { result: { status: 400, body: { error: { type: 'idempotency_error' } } }, replayed: false };
    }
    if (kept?.result) return { result: kept.result, replayed: true };
    if (kept) return { result: IN_USE, replayed: false };
    return { result: this.#runOnce(asked, { key, what, fault }), replayed: false };
  }

  #runOnce(asked: Asked, { key, what, fault }: { key: string; what: string; fault: Fault | undefined }): Result {
    try {
      const result = this.#carryOut(asked, fault);
      // What is kept must not change with the books.
      this.#keys.set(key, { what, result: structuredClone(result) });
      return result;
    } catch (error) {
      return invalid(error);
    }
  }

  #run(asked: Asked, fault: Fault | undefined): Result {
    try {
      return this.#carryOut(asked, fault);
    } catch (error) {
      return invalid(error);
    }
  }

  #carryOut(asked: Asked, fault: Fault | undefined): Result {
    if (fault === 'failed') return FAILED;
    const result = structuredClone(this.#route(asked));
    return fault === 'broken' ? FAILED : result;
  }

  #route({ method, path, params }: Asked): Result {
    const { books } = this;
    const [, kind, id, verb] = /^\/v1\/(payment_intents|setup_intents)(?:\/(\w+))?(?:\/(\w+))?$/.exec(path) ?? [];
    const object = kind === 'setup_intents' ? 'setup_intent' : 'payment_intent';
    const name = `${method} ${kind ? `${id ? ':id' : ''}${verb ? `/${verb}` : ''}` : path}`;
    switch (id === 'search' ? 'search' : name) {
      case 'GET /v1/balance':
        return { status: 200, body: { object: 'balance', livemode: false } };
      case 'POST /v1/payment_methods':
        return books.addCard(params);
      case 'POST /v1/refunds':
        return books.refund(params);
      case 'GET /v1/refunds':
        return books.listRefunds(params);
      case 'search':
        return this.searchLags ? { status: 200, body: { object: 'search_result', data: [] } } : books.search(params);
      case 'POST ':
        return books.createIntent(object, params);
      case 'GET :id':
        return books.show(books.find(id as string, object), params);
      case 'POST :id':
        return books.update(books.find(id as string, object), params);
      case 'POST :id/confirm':
        return books.confirm(books.find(id as string, object), params);
      case 'POST :id/cancel':
        return books.cancel(books.find(id as string, object), params);
      case 'POST :id/capture':
        return books.capture(books.find(id as string, object), params);
      default:
        throw new Invalid('url_invalid', { status: 404 });
    }
  }
}

function reply(response: ServerResponse, { status, body }: Result, replayed: boolean): void {
  const headers = { 'content-type': 'application/json', 'request-id': 'req_test' };
  response.writeHead(status, { ...headers, ...(replayed && { 'idempotent-replayed': 'true' }) });
  response.end(JSON.stringify(body));
}

function invalid(error: unknown): Result {
  if (error instanceof Invalid) return error.result;
  throw error;
}

/** A clock that a test moves: time stands still, and whoever sleeps is woken by hand. */
export class HandClock implements Clock {
  at: number;
  readonly #sleepers = new Set<() => void>();

  constructor(at = Date.UTC(2027, 0, 31, 12)) {
    this.at = at;
  }

  now(): number {
    return this.at;
  }

  sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(wake);
        resolve();
      };
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** The time of everybody who waits is up. */
  expire(): void {
    for (const wake of [...this.#sleepers]) wake();
  }
}
