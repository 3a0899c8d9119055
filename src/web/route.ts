// The port for what payers' browsers, card networks and banks reach, beside the operations that merchants call.
// A route takes every path below its prefix; its replies are sent as they are, and never written to the journal.

import type { IncomingHttpHeaders } from 'node:http';

/** The certificate that a client showed, to us or to a trusted proxy. */
export type ClientCertificate = {
  readonly subject: string | undefined;
  readonly fingerprint: string | undefined;
};

export type WebRequest = {
  readonly method: 'GET' | 'POST';
  /** The path after the prefix, without a leading slash. */
  readonly rest: string;
  readonly query: URLSearchParams;
  /** The query as it arrived, with its question mark: signatures cover it so. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly address: string;
  readonly certificate: ClientCertificate | undefined;
};

export type WebReply = {
  readonly status: number;
  /** `Cache-Control: no-store` is added unless the route says otherwise. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** In the place of the body, where administrators' pages are served: written as it is made, however long. */
  readonly stream?: AsyncIterable<string>;
  /** What is done once the reply is on its way. */
  readonly afterwards?: () => void;
};

export type WebRoute = {
  /** A path below the public base URL, such as `/pay/`. */
  readonly prefix: string;
  /** Whether the path is below the address itself, whatever path the base URL has. */
  readonly atRoot?: boolean;
  /** How long a body may be; as long as that of an operation unless given. */
  readonly maxBytes?: number;
  /** Whom the route does not hear at all: asked before the body is read. */
  refusal?(request: Omit<WebRequest, 'body'>): WebReply | undefined;
  handle(request: WebRequest): Promise<WebReply>;
  /** What is answered when `handle` failed. */
  broken?(request: Omit<WebRequest, 'body'>): WebReply;
};

/** A redirect with GET, so that a reload sends nothing again. */
export function seeOther(location: string): WebReply {
  return { status: 303, headers: { Location: location }, body: '' };
}
