// The running gateway's own door for its administrator: the verbs of processing/administration over HTTP, on this machine
// only. Who may read admin.json in the data folder holds the token, and so may everything.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Administration } from '../administration/administration.ts';
import type { Given } from '../administration/verb/inputs.ts';
import { InvalidInput, OutOfReach } from '../administration/verb/invalid-input.ts';
import { percentDecoded } from '../domain/text.ts';
import { outageOf } from '../storage/database.ts';
import type { ProcessIdentity } from '../storage/embedded/process-identity.ts';
import type { Log } from '../telemetry/log.ts';
import { type AdminNote, CALLER_HEADER } from './admin-note.ts';
import { gentleClose } from './gentle-close.ts';

const LOOPBACK = '127.0.0.1';
const TOKEN_BYTES = 32;
const MAX_BODY = 64 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_CALLER = 100;
const TOKEN_ID_DIGITS = 8;

export type AdminDoorParts = {
  readonly administration: Administration;
  readonly log: Log;
  /** Where the note is left. */
  readonly path: string;
  /** Names the database, so that a command meant for another one does not come in here. */
  readonly database: string;
  /** Names this process, so that nobody tells the token to a later one. */
  readonly identity: ProcessIdentity;
};

export async function startAdminDoor(parts: AdminDoorParts): Promise<{ close(): Promise<void> }> {
  const { path, database, identity } = parts;
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    void serve(parts, token, request, response);
  });
  const close = gentleClose(server);
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const url = `http://${LOOPBACK}:${port}`;
  const note = `${JSON.stringify({ url, token, database, ...identity } satisfies AdminNote)}\n`;
  try {
    await leaveNote(path, note);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async close() {
      // Another gateway on the same folder may have left its own since.
      if ((await readFile(path, 'utf8').catch(() => '')) === note) await rm(path, { force: true });
      await close();
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
}

/** Whole or not at all, and for its owner's eyes from the first moment. */
async function leaveNote(path: string, note: string): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, note, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, path);
}

type Reply = { readonly status: number; readonly body: unknown };

const refused = (status: number, error: string): Reply => ({ status, body: { error } });

function unfit({ message, faults }: InvalidInput): Reply {
  return { status: 400, body: { error: message, ...(faults.length > 1 ? { faults } : {}) } };
}

async function serve(
  parts: AdminDoorParts,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, body } = await answer(parts, token, request);
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    // What was not read of a refused body would be taken for the next request.
    ...(request.complete ? {} : { Connection: 'close' }),
  });
  response.end(text);
}

async function answer(
  { administration, log }: AdminDoorParts,
  token: string,
  request: IncomingMessage,
): Promise<Reply> {
  if (!isToken(request.headers.authorization, token)) return refused(401, 'the token is wrong');
  const verb = (request.url ?? '').slice(1);
  if (request.method !== 'POST' || !administration.has(verb)) return refused(404, 'there is no such verb');
  try {
    const given = await readGiven(request);
    const who = `${callerOf(request)} by door ${idOf(token)}`;
    return { status: 200, body: { answer: await administration.ask(verb, given, who) } };
  } catch (error) {
    if (error instanceof InvalidInput) return unfit(error);
    log.error('an administrator could not be served', { operation: verb, error });
    if (outageOf(error) === 'away') return refused(503, 'the gateway cannot reach its database');
    if (error instanceof OutOfReach) return refused(503, error.message);
    return refused(500, 'the gateway failed; its log says why');
  }
}

/** What the caller says of themselves; whoever holds the token may say anything. */
function callerOf({ headers }: IncomingMessage): string {
  const said = headers[CALLER_HEADER];
  const text = typeof said === 'string' ? percentDecoded(said) : undefined;
  return (text ?? '').replace(/\p{Cc}/gu, '').slice(0, MAX_CALLER) || 'somebody';
}

/** Tells one token from another without being of use to anybody. */
function idOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, TOKEN_ID_DIGITS);
}

/** Digests are compared, so that the time tells neither length nor content. */
function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}

async function readGiven(request: IncomingMessage): Promise<Given> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BODY) throw new InvalidInput(`at most ${MAX_BODY / 1024} KiB are taken`);
  }
  try {
    const given = JSON.parse(text);
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  } catch {}
  throw new InvalidInput('a JSON object is needed');
}
