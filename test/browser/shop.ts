// The page of a test shop a payer comes back to: it writes down what browsers bring, and checks its control from the
// documentation and not with the gateway's own code.

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sha1 } from '../harness.ts';

export type Return = {
  readonly path: string;
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly isRightlySigned: boolean;
};

/** An address that sends browsers on to another origin, as shops do that have moved. */
export const MOVED = '/moved';

export class ReturnPage {
  readonly returns: Return[] = [];
  readonly #server: Server;

  private constructor(key: string) {
    this.#server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      request.on('end', () => {
        const { url: path = '', method = '', headers } = request;
        const fields = Object.fromEntries(new URLSearchParams(body));
        const { status, orderid, client_orderid, control } = fields;
        const isRightlySigned = control === sha1(`${status}${orderid}${client_orderid}${key}`);
        if (path !== '/favicon.ico') this.returns.push({ path, method, fields, headers, isRightlySigned });
        if (path === MOVED) return response.writeHead(307, { location: this.#elsewhere() }).end();
        response.writeHead(200, { 'content-type': 'text/html' }).end('<title>The shop</title><h1>Welcome back</h1>');
      });
    });
  }

  static async open(key: string): Promise<ReturnPage> {
    const page = new ReturnPage(key);
    await new Promise<void>((resolve) => page.#server.listen(0, '127.0.0.1', resolve));
    return page;
  }

  url(path = '/back'): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  #elsewhere(): string {
    return this.url().replace('127.0.0.1', 'localhost');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
