// The HTTP server: finds the operation a path names, reads the body within its bound, and lets the pipe do the rest.
// It also serves /healthz, /readyz, /metrics and /openapi.json, and the routes of browsers, card networks and banks.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { addressBlock } from '../domain/address/address-blocks.ts';
import type { Clock } from '../domain/clock.ts';
import { type ErrorName, errors, fault } from '../domain/errors.ts';
import { readTraceparent } from '../domain/trace-context.ts';
import { serverError, validationError } from '../operations/error-replies.ts';
import type { Operation } from '../operations/operation.ts';
import { MEDIA_TYPE, type ReplyBody } from '../operations/response.ts';
import { newSerialNumber } from '../processing/node/serial-numbers.ts';
import type { Journal } from '../processing/requests/journal.ts';
import type { Strangers } from '../processing/requests/strangers.ts';
import { originOf } from '../signing/oauth1.ts';
import type { Log, LogFields } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Watches } from '../telemetry/seen.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { WebReply, WebRequest, WebRoute } from '../web/route.ts';
import { refuseBroken } from './bounds/broken-requests.ts';
import { BusyReply } from './bounds/busy-reply.ts';
import type { ConnectionLimits } from './bounds/connection-limits.ts';
import { EarlyRefusals } from './bounds/early-refusals.ts';
import { repeatedHeader } from './bounds/repeated-header.ts';
import { clientAddress, clientCertificate, clientHost, clientScheme } from './client-address.ts';
import {
  httpServer,
  httpsServer,
  type ListenAt,
  type Listening,
  listen,
  MAX_BODY,
  PLAIN_HEADERS,
  passOver,
  readBody,
  type ServesPage,
  type ServesTls,
  sendReply,
  servePage,
} from './http-server.ts';
import { type Journaled, journalLine, strangerLine } from './journal-entry.ts';
import { LEGACY_MEDIA_TYPE, legacyBody } from './legacy-reply.ts';
import type { Outcome, Pipe } from './pipe.ts';
import { seenRequest } from './seen-request.ts';
import { loggedRequest, requestSpan } from './told-request.ts';

export type ServerParts = {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly operations: readonly Operation[];
  readonly pages: Readonly<Record<string, ServesPage>>;
  /** The path part of the public base URL, such as /paynet. */
  readonly basePath: string;
  readonly pipe: Pipe;
  readonly routes?: readonly WebRoute[];
  /** The proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are believed. */
  readonly proxies?: BlockList | undefined;
  readonly tls?: ServesTls | undefined;
  readonly strangers: Strangers;
  /** Writes a line about a request, where that is wanted. */
  readonly tells?: ((fields: LogFields) => void) | undefined;
  readonly tracing?: Tracing | undefined;
  readonly connections: ConnectionLimits;
  /** Sees every request, when its reply is on its way. */
  readonly watches?: Watches | undefined;
  /** Where the pages of error codes are, for a sandbox's refusals to name. */
  readonly errorPages?: string | undefined;
  /** Answers a request that came to this origin, where addresses that are given out depend on that. */
  readonly answering?: (<T>(origin: string | undefined, work: () => T) => T) | undefined;
};

export async function startServer(parts: ServerParts, at: ListenAt): Promise<Listening> {
  const places: Places = {
    pages: new Map(Object.entries(parts.pages)),
    routes: (parts.routes ?? []).map((route) => ({
      under: (route.atRoot ? '' : parts.basePath) + route.prefix,
      route,
    })),
    operations: new Map(parts.operations.map((operation) => [parts.basePath + operation.path, operation])),
  };
  const { answering } = parts;
  const busy = new BusyReply(parts.clock);
  const early = new EarlyRefusals({
    isBusy: () => parts.pipe.isBusy,
    refuses: (url) => isTooMuch(parts, places, url),
    reply: (isSecure) => busy.whole(isSecure),
  });
  const serveOne = (request: IncomingMessage, response: ServerResponse) => {
    early.heard(response);
    if (parts.pipe.isBusy && isTooMuch(parts, places, request.url ?? '/')) {
      early.watch(response);
      return refuseBusy(busy, request, response);
    }
    const work = () => serve(parts, places, request, response);
    const served = answering ? answering(calledOrigin(request, parts.proxies), work) : work();
    served.catch((error) => breakOff(parts, response, error));
  };
  const { tls } = parts;
  const secure = tls && httpsServer(tls.first, serveOne);
  if (secure) tls.serves(secure);
  const server = secure ?? httpServer(serveOne);
  parts.connections.watch(server);
  refuseBroken(server, (status, hint) => {
    const { reply } = refusalOf(newSerialNumber(parts.clock.now()), status, 'no-request', hint);
    return { mediaType: MEDIA_TYPE, body: JSON.stringify(reply) };
  });
  server.on('checkExpectation', (_request, response) => {
    const refused = refusalOf(newSerialNumber(parts.clock.now()), 417, 'expectation-unknown');
    send(response, { status: 417, mediaType: MEDIA_TYPE, body: JSON.stringify(refused.reply) });
  });
  return listen(server, at);
}

function calledOrigin(request: IncomingMessage, proxies: BlockList | undefined): string | undefined {
  return originOf(clientScheme(request, proxies), clientHost(request, proxies));
}

/** An error while serving a request ends that request alone. */
function breakOff({ clock, log }: ServerParts, response: ServerResponse, error: unknown): void {
  log.error('a request broke', { error });
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify(serverError(newSerialNumber(clock.now()), fault('internal')));
  response.writeHead(500, {
    'Content-Type': MEDIA_TYPE,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

/** What is served at which path: pages by whole paths, routes by what a path begins with. */
type Places = {
  readonly pages: ReadonlyMap<string, ServesPage>;
  readonly routes: readonly { readonly under: string; readonly route: WebRoute }[];
  readonly operations: ReadonlyMap<string, Operation>;
};

async function serve(
  parts: ServerParts,
  { pages, routes, operations }: Places,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now();
  const repeated = repeatedHeader(request.rawHeaders);
  const called = pathOf(request.url ?? '/');
  // Proxies keep some pages from strangers by their paths, so a page has one path only.
  const page = pages.get(called);
  if (page && (request.method === 'GET' || request.method === 'HEAD')) return servePage(response, page);
  const web = routes.find(({ under }) => called.startsWith(under));
  if (web && repeated !== undefined) return sendWeb(response, { status: 400, headers: {}, body: '' });
  if (web) return serveRoute(parts, web, request, response);

  const at = parts.clock.now();
  const serialNumber = newSerialNumber(at);
  const address = clientAddress(request, parts.proxies);
  const waitSeconds = parts.strangers.secondsToWait(address);
  if (waitSeconds !== undefined) {
    return turnAway(parts, request, response, { serialNumber, address, waitSeconds });
  }
  const route = findRoute(operations, plainPath(called));
  const outcome =
    repeated === undefined
      ? await traced(parts, request, route, () => answer(parts, request, route, { called, serialNumber, address }))
      : refusalOf(serialNumber, 400, 'header-repeated', repeated);
  const written = JSON.stringify(outcome.reply);
  const { status, reply, legacy } = outcome;
  const { errorPages } = parts;
  const help = errorPages && outcome.errorCode !== undefined ? `${errorPages}${outcome.errorCode}` : undefined;
  send(response, legacy ? legacyReply(reply) : { status, mediaType: MEDIA_TYPE, body: written, help });
  const milliseconds = performance.now() - started;
  parts.tells?.(loggedRequest(request, { operation: route?.operation.name, outcome, milliseconds }));
  const operation = route?.operation;
  parts.metrics.observeRequest(operation?.name ?? 'none', status, milliseconds);
  const pathId = route?.pathId;
  if (outcome.signed) parts.connections.recognise(request.socket);
  const journaled = { serialNumber, at, operation, pathId, outcome, written, milliseconds };
  keep(parts, journaled, address);
  parts.watches?.(seenRequest(journaled));
}

/** Answers within a step of a trace, where traces are wanted. */
function traced(
  { basePath, tracing }: ServerParts,
  { method, headers }: IncomingMessage,
  route: Route | undefined,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  if (!tracing) return work();
  const began = performance.now();
  return tracing.request(readTraceparent(headers.traceparent), work, (outcome) =>
    requestSpan({ method, basePath, operation: route?.operation, outcome, milliseconds: performance.now() - began }),
  );
}

/** Notes who asked, and writes the journal's line: a short one about a stranger, as long as there are few. */
function keep({ journal, strangers }: ServerParts, journaled: Journaled, address: string): void {
  const { signed, status } = journaled.outcome;
  if (signed) strangers.recognise(address);
  // What is broken here is nobody's fault who asks.
  else if (status < 500) strangers.count(address);
  // An unsigned request that was taken has made an order.
  if (signed || (status === 200 && journaled.outcome.merchantId !== undefined)) {
    journal.add(journalLine(journaled));
    return;
  }
  const block = addressBlock(address);
  if (journal.strangers.admits(block)) journal.add(strangerLine(journaled, block));
}

/** Refuses a stranger from where too much was asked: the body is not read, and no line is written. */
async function turnAway(
  { journal, metrics }: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
  { serialNumber, address, waitSeconds }: { serialNumber: string; address: string; waitSeconds: number },
): Promise<void> {
  const started = performance.now();
  await passOver(request);
  const { reply } = refusalOf(serialNumber, 429, 'too-many-requests', String(waitSeconds));
  send(response, { status: 429, mediaType: MEDIA_TYPE, body: JSON.stringify(reply), waitSeconds });
  metrics.observeRequest('none', 429, performance.now() - started);
  journal.strangers.leaveOut(addressBlock(address));
}

/** Whether this is an operation that there is no time for. */
function isTooMuch({ pipe }: ServerParts, { operations }: Places, url: string): boolean {
  const route = findRoute(operations, plainPath(pathOf(url)));
  return route !== undefined && pipe.isTooBusyFor(route.operation, route.pathId);
}

/** Refuses a request when there is too much to do. Later ones on this connection are refused before they are parsed. */
function refuseBusy(busy: BusyReply, request: IncomingMessage, response: ServerResponse): void {
  const reply = () => sendReply(response, { status: busy.status, headers: busy.headers, body: busy.body() });
  if (Number(request.headers['content-length'] ?? Number.NaN) <= MAX_BODY) request.once('end', reply).resume();
  else void passOver(request).then(reply);
}

/** Proxies may write the whole URL: `POST http://host/paynet/…`. */
function pathOf(url: string): string {
  const path = url.startsWith('/') || !URL.canParse(url) ? url : new URL(url).pathname;
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}

/** Clients join their base address and a path with one slash, with two, and put one at the end. */
function plainPath(path: string): string {
  const single = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
  return single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single;
}

async function answer(
  parts: ServerParts,
  request: IncomingMessage,
  route: Route | undefined,
  { called, serialNumber, address }: { called: string; serialNumber: string; address: string },
): Promise<Outcome> {
  const refused = (status: number, error: ErrorName, hint?: string) => refusalOf(serialNumber, status, error, hint);
  if (!route) return refused(404, 'path-not-found');
  if (request.method !== 'POST') return refused(405, 'method-not-allowed');
  const body = await readBody(request);
  if (body === 'too-large') return refused(400, 'body-too-large', `at most ${MAX_BODY / 1024} KiB are taken`);
  if (body === 'aborted') return refused(400, 'body-not-a-form', 'it ended early');
  // Fields are listed one by one: objects of one shape are read much faster than copies with something added.
  return parts.pipe.run({
    operation: route.operation,
    pathId: route.pathId,
    groupOnly: route.groupOnly,
    path: called,
    scheme: clientScheme(request, parts.proxies),
    host: clientHost(request, parts.proxies),
    headers: request.headers,
    body,
    address,
    certificate: clientCertificate(request, parts.proxies),
    serialNumber,
  });
}

function refusalOf(serialNumber: string, status: number, error: ErrorName, hint?: string): Outcome {
  const faults = [fault(error, hint === undefined ? {} : { hint })] as const;
  const reply = validationError(serialNumber, faults);
  const { code: errorCode } = errors[error];
  return { status, reply, legacy: false, parameters: undefined, merchantId: undefined, errorCode, signed: false };
}

type Route = { readonly operation: Operation; readonly pathId: string; readonly groupOnly: boolean };

/** `/paynet/api/v2/sale/101`, or `/paynet/api/v2/sale/group/200`. */
function findRoute(operations: ReadonlyMap<string, Operation>, path: string): Route | undefined {
  const slash = path.lastIndexOf('/');
  const pathId = path.slice(slash + 1);
  const prefix = path.slice(0, slash);
  const groupOnly = prefix.endsWith('/group');
  const operation = operations.get(groupOnly ? prefix.slice(0, -'/group'.length) : prefix);
  return operation && pathId !== '' && pathId !== 'group' ? { operation, pathId, groupOnly } : undefined;
}

type Written = {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
  /** When the request may be sent again. */
  readonly waitSeconds?: number;
  /** The page that explains the error. */
  readonly help?: string | undefined;
};

function legacyReply(reply: ReplyBody): Written {
  return { status: 200, mediaType: LEGACY_MEDIA_TYPE, body: legacyBody(reply) };
}

function send(response: ServerResponse, { status, mediaType, body, waitSeconds, help }: Written): void {
  const headers: Record<string, string> = { 'Content-Type': mediaType, 'Cache-Control': 'no-store' };
  // Old replies call themselves pages, and repeat what was sent.
  if (mediaType === LEGACY_MEDIA_TYPE) Object.assign(headers, PLAIN_HEADERS);
  if (status === 405) headers.Allow = 'POST';
  if (help !== undefined) headers.Link = `<${help}>; rel="help"`;
  if (waitSeconds !== undefined) headers['Retry-After'] = String(waitSeconds);
  sendReply(response, { status, headers, body });
}

/** A browser may be a stranger's, so errors are reported without details. */
async function serveRoute(
  { log, proxies }: ServerParts,
  { under, route }: Places['routes'][number],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, headers } = request;
  const { prefix } = route;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    return sendWeb(response, { status: 405, headers: { Allow: 'GET, HEAD, POST' }, body: '' });
  }
  const url = new URL(request.url ?? '/', 'http://localhost');
  const head: Omit<WebRequest, 'body'> = {
    method: method === 'POST' ? 'POST' : 'GET',
    rest: url.pathname.slice(under.length),
    query: url.searchParams,
    search: url.search,
    headers,
    address: clientAddress(request, proxies),
    certificate: clientCertificate(request, proxies),
  };
  const refusal = route.refusal?.(head);
  if (refusal) return sendWeb(response, refusal);
  const body = await readBody(request, route.maxBytes);
  if (body === 'too-large' || body === 'aborted') {
    return sendWeb(response, { status: body === 'aborted' ? 400 : 413, headers: {}, body: '' });
  }
  try {
    sendWeb(response, await route.handle({ ...head, body }));
  } catch (error) {
    log.error('a page broke', { detail: prefix, error });
    const plain = { status: 500, headers: { 'Content-Type': 'text/plain' }, body: 'Something went wrong.' };
    sendWeb(response, route.broken?.(head) ?? plain);
  } finally {
    // A payer may have typed a card number.
    body.fill(0);
  }
}

/** What every page is sent with, unless it says otherwise itself. */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

function sendWeb(response: ServerResponse, { status, headers, body, afterwards }: WebReply): void {
  sendReply(response, {
    status,
    headers: { ...PAGE_HEADERS, ...headers },
    body,
  });
  afterwards?.();
}
