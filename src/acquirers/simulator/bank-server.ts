// The simulated bank as a process of its own: the bank's messages, books, clearing and faults over HTTP, for this
// machine only unless told otherwise. Everybody who reaches it may command it, unless it was given a password: it holds
// no real money and must never face the internet.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { httpServer, type ListenAt, listen, readBody, sendReply } from '../../http/http-server.ts';
import { type Bank, type BankOptions, openBank } from './bank.ts';
import { AnswerGarbled, type BankLine, ConnectionRefused, lineTo } from './bank-line.ts';
import { settlementFile } from './settlement.ts';
import { readDate, readFaults, readReference, writeEntry } from './wire.ts';
import { UnreadableWire } from './wire-fields.ts';
import { readInstruction } from './wire-instruction.ts';

export type BankServerOptions = BankOptions &
  ListenAt & {
    /** Only who sends it, as Basic authentication of whatever name, is answered. */
    readonly password?: string | undefined;
  };

export type RunningBank = { readonly url: string; readonly bank: Bank; close(): Promise<void> };

const LINES_PER_CHUNK = 256;
const GARBAGE = '{"word":"approv\ufffd\u0000';

export async function startBank({ host, port, password, ...options }: BankServerOptions): Promise<RunningBank> {
  const bank = await openBank(options);
  const routes = routesOf(bank, lineTo(bank));
  const server = httpServer((request, response) => {
    if (password === undefined || knows(request, password)) void answer(routes, request, response);
    else sendJson(response, 401, { error: 'this bank answers its own gateway only' });
  });
  try {
    const { url, cut } = await listen(server, { host, port });
    return { url, bank, close: () => cut().then(() => bank.close()) };
  } catch (error) {
    await bank.close();
    throw error;
  }
}

function knows({ headers: { authorization = '' } }: IncomingMessage, password: string): boolean {
  const given = Buffer.from(authorization.replace(/^Basic /i, ''), 'base64');
  const expected = Buffer.from(password);
  const said = given.subarray(given.indexOf(':') + 1);
  return said.length === expected.length && timingSafeEqual(said, expected);
}

/** The reply of a route: a value that is sent as JSON, or lines that are streamed. */
type Reply = { readonly json: unknown } | { readonly lines: AsyncIterable<string>; readonly type: string };
type Route = (body: string, query: URLSearchParams) => Promise<Reply>;
type Routes = ReadonlyMap<string, Route>;

// A call that the faults leave unanswered ends when the caller hangs up.
const WAITS_FOR_EVER = { signal: new AbortController().signal };

function routesOf(bank: Bank, line: BankLine): Routes {
  return new Map<string, Route>([
    ['POST /v1/instructions', async (body) => ({ json: await line.instruct(readInstruction(body), WAITS_FOR_EVER) })],
    ['POST /v1/inquiries', async (body) => ({ json: await line.inquire(readReference(body), WAITS_FOR_EVER) })],
    ['POST /v1/reversals', async (body) => ({ json: await line.reverse(readReference(body), WAITS_FOR_EVER) })],
    ['GET /v1/books', async () => ({ lines: bookLines(bank), type: 'application/jsonl' })],
    ['POST /v1/clearing', async () => ({ json: await bank.clear() })],
    [
      'GET /v1/settlement',
      async (_body, query) => ({ lines: settlementRows(bank, readDate(query)), type: 'text/csv; charset=utf-8' }),
    ],
    ['GET /v1/faults', async () => ({ json: bank.faults.faults })],
    [
      'PUT /v1/faults',
      async (body) => {
        bank.faults.set(readFaults(body));
        return { json: bank.faults.faults };
      },
    ],
    ['GET /healthz', async () => ({ json: { status: 'ok' } })],
  ]);
}

async function answer(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const [path = '', query] = (request.url ?? '').split('?', 2);
    const route = routes.get(`${request.method} ${path}`);
    if (!route) return sendJson(response, 404, { error: 'no such thing here' });
    const reply = await route(await textOf(request), new URLSearchParams(query));
    if ('json' in reply) return sendJson(response, 200, reply.json);
    response.writeHead(200, { 'content-type': reply.type });
    await pipeline(Readable.from(inChunks(reply.lines)), response);
  } catch (error) {
    if (error instanceof ConnectionRefused || response.headersSent) response.destroy();
    else if (error instanceof AnswerGarbled) response.end(GARBAGE);
    else if (error instanceof UnreadableWire) sendJson(response, 400, { error: error.message });
    else sendJson(response, 500, { error: 'the bank failed' });
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const body = await readBody(request);
  if (body === 'too-large') throw new UnreadableWire('the body is too long');
  if (body === 'aborted') throw new UnreadableWire('the body ended early');
  return body.toString();
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendReply(response, { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
}

async function* bookLines(bank: Bank): AsyncGenerator<string> {
  for await (const entry of bank.entries()) yield `${writeEntry(entry)}\n`;
}

async function* settlementRows(bank: Bank, date: string): AsyncGenerator<string> {
  for await (const line of settlementFile(bank.settlement(date))) yield `${line}\r\n`;
}

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk: string[] = [];
  for await (const line of lines) {
    chunk.push(line);
    if (chunk.length === LINES_PER_CHUNK) {
      yield chunk.join('');
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk.join('');
}
