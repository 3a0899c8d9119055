// The running gateway's door for administrators: the verbs of administration over HTTP, the document that describes
// them, and the pages on which people sign in. The local command line finds a token in admin.json in the data folder,
// which only its user can read; everybody else comes with a token or a session of their own, and may do what their role
// says.

import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Administration } from '../../administration/administration.ts';
import type { Given } from '../../administration/verb/inputs.ts';
import { InvalidInput, NotAllowed, OutOfReach } from '../../administration/verb/invalid-input.ts';
import type { AdminCaller } from '../../domain/people/caller.ts';
import { outageOf } from '../../storage/database.ts';
import type { ProcessIdentity } from '../../storage/embedded/process-identity.ts';
import type { Log } from '../../telemetry/log.ts';
import { refuseBroken } from '../bounds/broken-requests.ts';
import { repeatedHeader } from '../bounds/repeated-header.ts';
import {
  httpServer,
  httpsServer,
  type ListenAt,
  listen,
  MAX_BODY,
  PLAIN_HEADERS,
  readBody,
  type ServesPage,
  type ServesTls,
  sendReply,
  servePage,
} from '../http-server.ts';
import type { AdminNote } from './admin-note.ts';
import { type AdminPages, servePages } from './admin-pages.ts';
import {
  type AuthenticateParts,
  authenticatePerson,
  isRefusal,
  type PersonRefusal,
  WRONG_TOKEN,
} from './authenticate-person.ts';
import { isLoopback, localCaller } from './local-token.ts';

const TOKEN_BYTES = 32;

export type AdminDoorParts = {
  readonly administration: Administration;
  /** Describes the door; it holds no secret and is served without the token. */
  readonly document: object;
  readonly log: Log;
  /** Where `admin.json` is written. */
  readonly path: string;
  /** Names the database, so that a command meant for another one does not come in here. */
  readonly database: string;
  /** A free port of this machine unless given. */
  readonly at?: ListenAt | undefined;
  /** Plain HTTP unless given. */
  readonly tls?: ServesTls | undefined;
  /** Who comes in besides the local command line; nobody unless given. */
  readonly people?: (AuthenticateParts & { readonly pages: AdminPages }) | undefined;
  /** Health and figures, by whole paths, for whoever watches the gateway: nobody is asked who they are. */
  readonly figures?: Readonly<Record<string, ServesPage>> | undefined;
  /** Names this process, so that no command sends the token to a later one. */
  readonly identity: ProcessIdentity;
};

export type AdminDoor = {
  /** Where people come in. */
  readonly port: number;
  close(): Promise<void>;
};

/**
 * Where other machines can reach the door, or it speaks TLS, the local command line has one of its own on this machine:
 * so the token in the note is never heard on a network.
 */
export async function startAdminDoor(parts: AdminDoorParts): Promise<AdminDoor> {
  const { path, database, identity, at = {} } = parts;
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const servesFor = (own: string | undefined) => (request: IncomingMessage, response: ServerResponse) =>
    void serve(parts, own, request, response).catch((error) => {
      parts.log.error('an administrator could not be served', { error });
      response.destroy();
    });
  const isNear = parts.tls === undefined && (at.host === undefined || isLoopback(at.host));
  const door = await listen(serverFor(parts, servesFor(isNear ? token : undefined)), at);
  const local = isNear ? door : await listen(answering(httpServer(servesFor(token))), {}).catch(closing(door));
  const note = `${JSON.stringify({ url: local.url, token, database, ...identity } satisfies AdminNote)}\n`;
  const close = async () => void (await Promise.all(local === door ? [door.close()] : [door.close(), local.close()]));
  await leaveNote(path, note).catch(closing({ close }));
  return {
    port: door.port,
    async close() {
      // Another gateway on the same folder may have written its own note since.
      if ((await readFile(path, 'utf8').catch(() => '')) === note) await rm(path, { force: true });
      await close();
    },
  };
}

function serverFor({ tls }: AdminDoorParts, serves: RequestListener) {
  if (!tls) return answering(httpServer(serves));
  const server = httpsServer(tls.first, serves);
  tls.serves(server);
  return answering(server);
}

/** What is no request is refused in the words of this door. */
function answering<S extends Server | SecureServer>(server: S): S {
  refuseBroken(server, (_, hint) => {
    return { mediaType: 'application/json', body: JSON.stringify({ error: `this is no request: ${hint}` }) };
  });
  return server;
}

function closing({ close }: { close(): Promise<void> }) {
  return async (error: unknown): Promise<never> => {
    await close();
    throw error;
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
  token: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { figures, log, people } = parts;
  const [path = '/'] = (request.url ?? '/').split('?', 1);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const figure = isRead && figures && Object.hasOwn(figures, path) ? figures[path] : undefined;
  if (figure) return serveFigure(log, figure, response);
  if (people?.pages.has(path)) return servePages(people.pages, log, request, response);
  const { status, body } = await answer(parts, token, request);
  const headers = { 'Content-Type': 'application/json', ...PLAIN_HEADERS };
  sendReply(response, { status, headers, body: JSON.stringify(body) });
}

async function serveFigure(log: Log, figure: ServesPage, response: ServerResponse): Promise<void> {
  try {
    await servePage(response, figure);
  } catch (error) {
    log.error('a page for administrators broke', { error });
    sendReply(response, { status: 500, headers: {}, body: '' });
  }
}

async function answer(parts: AdminDoorParts, token: string | undefined, request: IncomingMessage): Promise<Reply> {
  const { administration, document, log } = parts;
  if (request.method === 'GET' && request.url === '/openapi.json') return { status: 200, body: document };
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated !== undefined) return refused(400, `header ${repeated} occurs more than once; send it once`);
  const verb = (request.url ?? '').slice(1);
  try {
    const caller = await callerOf(parts, token, request);
    if (isRefusal(caller)) return refused(caller.status, caller.error);
    if (request.method !== 'POST' || !administration.has(verb)) return refused(404, 'there is no such verb');
    const given = await readGiven(request);
    return { status: 200, body: { answer: await administration.ask(verb, given, caller) } };
  } catch (error) {
    if (error instanceof InvalidInput) return unfit(error);
    if (error instanceof NotAllowed) return refused(403, error.message);
    log.error('an administrator could not be served', { operation: verb, error });
    if (outageOf(error) === 'away') return refused(503, 'the gateway cannot reach its database');
    if (error instanceof OutOfReach) return refused(503, error.message);
    return refused(500, 'the gateway failed; its log says why');
  }
}

/** The local command line, or a person; who is neither learns nothing. */
async function callerOf(
  { people }: AdminDoorParts,
  token: string | undefined,
  request: IncomingMessage,
): Promise<AdminCaller | PersonRefusal> {
  const who = token === undefined ? undefined : localCaller(request, token);
  if (who !== undefined) return { kind: 'local', who };
  return people ? authenticatePerson(people, request) : WRONG_TOKEN;
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
