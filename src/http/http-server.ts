// One way to serve HTTP, for the gateway, the administrator's door, the simulated bank and the card networks: the same
// limits, and the same way to listen, to read a body, to reply and to end.

import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { endsWith, untilLast } from './bounds/last-request.ts';
import { gentleClose } from './gentle-close.ts';
import type { Tls } from './tls.ts';

const LOOPBACK = '127.0.0.1';

/**
 * The largest body that is taken by default, and how much of a larger one is read, so that its sender gets the reply.
 */
export const MAX_BODY = 128 * 1024;
const MAX_DRAINED = 8 * 1024 * 1024;

/** How long a request may take to arrive, and how long an idle connection is kept: longer than proxies keep theirs. */
const REQUEST_TIMEOUT_MS = 30_000;
export const KEEP_ALIVE_MS = 75_000;

/** How long the head of a request may take, counted from the connection for the first one, and how often we look. */
const HEAD_TIMEOUT_MS = 10_000;
const LOOK_EVERY_MS = 2_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const BOUNDS = {
  headersTimeout: HEAD_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: LOOK_EVERY_MS,
};

/**
 * How many connections may wait to be accepted, as far as the system lets them. Of those that come when all places are
 * taken it drops the last step without a word: what such a client sends waits for its own repetitions, for seconds.
 */
const MOST_WAITING = 4096;

/** A browser that has seen it once calls with TLS only, for a year. */
export const TLS_ONLY = { 'Strict-Transport-Security': 'max-age=31536000' };

/** A server that does not listen yet. */
export function httpServer(serve: RequestListener): Server {
  return withAllHeaders(createServer(BOUNDS, untilLast(serve)));
}

/** What a server under TLS begins with; it makes itself known, because its certificate may change. */
export type ServesTls = { readonly first: Tls; serves(server: SecureServer): void };

/** The same under TLS. Whether a client's certificate is good is asked where one is demanded. */
export function httpsServer({ context, asksClients }: Tls, serve: RequestListener): SecureServer {
  const clients = { requestCert: asksClients, rejectUnauthorized: false };
  const options = { ...BOUNDS, ...context, ...clients, handshakeTimeout: HANDSHAKE_TIMEOUT_MS };
  return withAllHeaders(createSecureServer(options, untilLast(serve)));
}

/**
 * Node forgets headers beyond the first thousand, without a word: whoever sends so many would hide those that a proxy
 * adds at the end, such as whose address it is. Their size is bounded anyway.
 */
function withAllHeaders<S extends Server | SecureServer>(server: S): S {
  server.maxHeadersCount = 0;
  return server;
}

export type ListenAt = {
  readonly host?: string | undefined;
  /** 0, the default, takes a free port. */
  readonly port?: number | undefined;
  /** Whether workers beside this process listen there too; connections then come to them in turn. */
  readonly isShared?: boolean | undefined;
};

export type Listening = {
  readonly url: string;
  readonly port: number;
  /** Answers the requests that are under way; resolves when all replies are sent. */
  close(): Promise<void>;
  /** Ends every connection, whatever is under way. */
  cut(): Promise<void>;
};

export async function listen(
  server: Server | SecureServer,
  { host = LOOPBACK, port = 0, isShared = false }: ListenAt,
): Promise<Listening> {
  const close = gentleClose(server);
  await new Promise<void>((resolve, reject) => {
    // The listener stays: a connection that cannot be accepted must not end the process.
    server.on('error', reject);
    server.listen({ port, host, exclusive: !isShared, backlog: MOST_WAITING }, resolve);
  });
  const at = server.address() as AddressInfo;
  const scheme = server instanceof SecureServer ? 'https' : 'http';
  const url = `${scheme}://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`;
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, port: at.port, close, cut };
}

export function readBody(request: IncomingMessage, maxBytes = MAX_BODY): Promise<Buffer | 'too-large' | 'aborted'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else if (length > MAX_DRAINED) resolve('too-large');
    });
    request.on('end', () => {
      if (length > maxBytes) resolve('too-large');
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}

/** Lets a body pass unread, unless it is too long, so that its sender gets the reply and keeps the connection. */
export function passOver(request: IncomingMessage, maxBytes = MAX_BODY): Promise<void> {
  return new Promise((resolve) => {
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) resolve();
    });
    for (const event of ['end', 'error', 'close']) request.on(event, () => resolve());
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) resolve();
  });
}

export type HttpReply = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
};

export function sendReply(response: ServerResponse, { status, headers, body }: HttpReply): void {
  const { complete, method } = response.req;
  // In a row: an object that is copied and added to has a shape of its own each time, which costs more than the rest.
  const all: OutgoingHttpHeader[] = [];
  for (const name in headers) addHeader(all, name, headers[name]);
  all.push('Content-Length', Buffer.byteLength(body));
  if ((response.req.socket as TLSSocket).encrypted) {
    for (const [name, value] of Object.entries(TLS_ONLY)) addHeader(all, name, value);
  }
  // The rest of the request's body, which still comes, would be taken for the next request.
  if (!complete) endsWith(response);
  if (!response.shouldKeepAlive) all.push('Connection', 'close');
  response.writeHead(status, all);
  response.end(method === 'HEAD' ? undefined : body);
}

function addHeader(all: OutgoingHttpHeader[], name: string, value: OutgoingHttpHeader | undefined): void {
  if (value !== undefined) all.push(name, value);
}

/** For what is no page, or a page without scripts and styles: a browser that shows it all the same runs nothing. */
export const PLAIN_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** A page beside what a server is for. */
export type Page = {
  readonly contentType: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

export type ServesPage = () => Page | Promise<Page>;

export async function servePage(response: ServerResponse, page: ServesPage): Promise<void> {
  const { contentType, status = 200, headers, body } = await page();
  const always = { 'Content-Type': contentType, ...PLAIN_HEADERS };
  sendReply(response, { status, headers: { ...always, ...headers }, body });
}
