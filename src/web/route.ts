// What a payer's browser and the 3-D Secure networks reach, beside the operations that merchants call.
// A route takes every path below its prefix; what it answers is sent as it is, and never written to the journal.

import type { IncomingHttpHeaders } from 'node:http';

export type WebRequest = {
  readonly method: 'GET' | 'POST';
  /** Below the prefix, without a leading slash: the rest of the path. */
  readonly rest: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly address: string;
};

export type WebReply = {
  readonly status: number;
  /** `Cache-Control: no-store` is added unless the route says otherwise. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

export type WebRoute = {
  /** Such as `/pay/`; below the public base URL. */
  readonly prefix: string;
  handle(request: WebRequest): Promise<WebReply>;
};
