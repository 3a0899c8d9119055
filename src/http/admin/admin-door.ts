// The running gateway's own door for its administrator: the verbs of administration over HTTP, on this machine only,
// and the document that describes them. A user who can read admin.json in the data folder has the token, and so may do
// everything.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Administration } from '../../administration/administration.ts';
import type { Given } from '../../administration/verb/inputs.ts';
import { InvalidInput, OutOfReach } from '../../administration/verb/invalid-input.ts';
import { percentDecoded } from '../../domain/text.ts';
import { outageOf } from '../../storage/database.ts';
import type { ProcessIdentity } from '../../storage/embedded/process-identity.ts';
import type { Log } from '../../telemetry/log.ts';
import { repeatedHeader } from '../bounds/repeated-header.ts';
import { httpServer, listen, MAX_BODY, readBody, sendReply } from '../http-server.ts';
import { type AdminNote, CALLER_HEADER } from './admin-note.ts';

const TOKEN_BYTES = 32;
const MAX_CALLER = 100;
const TOKEN_ID_DIGITS = 8;

export type AdminDoorParts = {
  readonly administration: Administration;
  /** Describes the door; it holds no secret and is served without the token. */
  readonly document: object;
  readonly log: Log;
  /** Where `admin.json` is written. */
  readonly path: string;
  /** Names the database, so that a command meant for another one does not come in here. */
  readonly database: string;
  /** Names this process, so that no command sends the token to a later one. */
  readonly identity: ProcessIdentity;
};

export async function startAdminDoor(parts: AdminDoorParts): Promise<{ close(): Promise<void> }> {
  const { path, database, identity } = parts;
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const server = httpServer((request, response) => void serve(parts, token, request, response));
  const { url, close } = await listen(server, {});
  const note = `${JSON.stringify({ url, token, database, ...identity } satisfies AdminNote)}\n`;
  try {
    await leaveNote(path, note);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async close() {
      // Another gateway on the same folder may have written its own note since.
      if ((await readFile(path, 'utf8').catch(() => '')) === note) await rm(path, { force: true });
      await close();
    },
  };
}

/** Writes the note whole or not at all, readable by its owner only from the first moment. */
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
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  sendReply(response, { status, headers, body: JSON.stringify(body) });
}

async function answer(
  { administration, document, log }: AdminDoorParts,
  token: string,
  request: IncomingMessage,
): Promise<Reply> {
  if (request.method === 'GET' && request.url === '/openapi.json') return { status: 200, body: document };
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated !== undefined) return refused(400, `header ${repeated} occurs more than once; send it once`);
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

/** The caller's name as the caller gives it: a holder of the token may give any. */
function callerOf({ headers }: IncomingMessage): string {
  const said = headers[CALLER_HEADER];
  const text = typeof said === 'string' ? percentDecoded(said) : undefined;
  return (text ?? '').replace(/\p{Cc}/gu, '').slice(0, MAX_CALLER) || 'somebody';
}

/** Tells one token from another, and cannot be used in its place. */
function idOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, TOKEN_ID_DIGITS);
}

/** Digests are compared, so that the time tells neither length nor content. */
function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}

async function readGiven(request: IncomingMessage): Promise<Given> {
  const body = await readBody(request);
  if (body === 'too-large') throw new InvalidInput(`at most ${MAX_BODY / 1024} KiB are taken`);
  if (body === 'aborted') throw new InvalidInput('the body ended early');
  try {
    const given = JSON.parse(body.toString());
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  } catch {}
  throw new InvalidInput('a JSON object is needed');
}
