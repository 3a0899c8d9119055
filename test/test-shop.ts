// A merchant's shop as callbacks see it: a web server that writes down what it is told, checks every signature from the
// documentation and not with the gateway's own code, and misbehaves when it is asked to.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the shop does with a callback: a status to answer with, or something worse. */
export type Behaviour =
  | number
  | 'hang'
  | 'close'
  | { readonly afterMs: number; readonly status: number }
  | { readonly redirectTo: string }
  | { readonly body: string; readonly status: number };

export type Told = {
  /** Path and query as they came. */
  readonly url: string;
  readonly path: string;
  readonly method: string;
  /** Names in the order they came. */
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
  /** What is wrong with its signatures. */
  readonly complaints: readonly string[];
};

export type ShopOptions = {
  /** The merchant's, or that of the merchant who is told at this path. */
  readonly key: string | ((path: string) => string);
  readonly now?: () => number;
};

/** A signed message may be this old. */
const TOLERANCE_S = 300;

export class TestShop {
  readonly told: Told[] = [];
  /** What is done with every callback, unless `next` says otherwise. */
  behaviour: Behaviour = 200;
  /** What is done with the next ones, in turn. */
  readonly next: Behaviour[] = [];
  readonly #server: Server;
  readonly #options: ShopOptions;

  private constructor(options: ShopOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      const { url = '', method = '', headers } = request;
      const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
      const fields = Object.fromEntries(new URLSearchParams(query));
      const path = url.split('?')[0] ?? '';
      const complaints = this.#complaintsAbout(path, query, fields, headers);
      this.told.push({ url, path, method, fields, headers, at: this.#now(), complaints });
      behave(this.next.shift() ?? this.behaviour, response);
    });
  }

  static async open(options: ShopOptions): Promise<TestShop> {
    const shop = new TestShop(options);
    await new Promise<void>((resolve) => shop.#server.listen(0, '127.0.0.1', resolve));
    return shop;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/callback'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** What was told of one order. */
  of(order: { readonly [name: string]: string }): Told[] {
    return this.told.filter(({ fields }) => fields.orderid === order['paynet-order-id']);
  }

  get complaints(): string[] {
    return this.told.flatMap(({ complaints }) => complaints);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  #complaintsAbout(path: string, query: string, fields: Record<string, string>, headers: IncomingHttpHeaders) {
    const key = typeof this.#options.key === 'string' ? this.#options.key : this.#options.key(path);
    const found: string[] = [];
    const { status = '', orderid = '', client_orderid = '', control } = fields;
    const expected = createHash('sha1').update(`${status}${orderid}${client_orderid}${key}`).digest('hex');
    if (control !== expected) found.push(`control ${control} of ${query}`);
    const id = headers['webhook-id'];
    const seconds = headers['webhook-timestamp'];
    const signed = createHmac('sha256', key).update(`${id}.${seconds}.${query}`).digest();
    const signatures = String(headers['webhook-signature']).split(' ');
    const fits = signatures.some((one) => {
      const [version, signature = ''] = one.split(',');
      const sent = Buffer.from(signature, 'base64');
      return version === 'v1' && sent.length === signed.length && timingSafeEqual(sent, signed);
    });
    if (!fits) found.push(`webhook-signature ${headers['webhook-signature']} of ${query}`);
    if (Math.abs(Number(seconds) - this.#now() / 1000) > TOLERANCE_S) found.push(`webhook-timestamp ${seconds}`);
    return found;
  }
}

function behave(behaviour: Behaviour, response: ServerResponse): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'close') response.destroy();
  else if (typeof behaviour === 'number') response.writeHead(behaviour).end(behaviour === 200 ? 'OK' : 'no');
  else if ('afterMs' in behaviour) setTimeout(() => response.writeHead(behaviour.status).end(), behaviour.afterMs);
  else if ('redirectTo' in behaviour) response.writeHead(302, { location: behaviour.redirectTo }).end();
  else response.writeHead(behaviour.status).end(behaviour.body);
}
