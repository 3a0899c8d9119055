// The running gateway's door for administrators: the interface with the verbs of administration, and the pages on which
// people sign in. The local command line finds a token in admin.json in the data folder, which only its user can read;
// everybody else comes with a token or a session of their own, and may do what their role says.

import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { ProcessIdentity } from '../../storage/embedded/process-identity.ts';
import type { Log } from '../../telemetry/log.ts';
import { refuseBroken } from '../bounds/broken-requests.ts';
import {
  httpServer,
  httpsServer,
  type ListenAt,
  listen,
  PLAIN_HEADERS,
  type ServesPage,
  type ServesTls,
  sendReply,
  servePage,
} from '../http-server.ts';
import { type AdminInterfaceParts, answerAdministrator } from './admin-interface.ts';
import type { AdminNote } from './admin-note.ts';
import { type AdminPages, servePages } from './admin-pages.ts';
import type { AuthenticateParts } from './authenticate-person.ts';
import { isLoopback } from './local-token.ts';

const TOKEN_BYTES = 32;

export type AdminDoorParts = AdminInterfaceParts & {
  /** Where `admin.json` is written. */
  readonly path: string;
  /** Names the database, so that a command meant for another one does not come in here. */
  readonly database: string;
  /** The token of the local command line; one of this door's own unless given. */
  readonly token?: string | undefined;
  /** A free port of this machine unless given. */
  readonly at?: ListenAt | undefined;
  /** Plain HTTP unless given. */
  readonly tls?: ServesTls | undefined;
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
  const { path, database, identity, at = {}, token = newLocalToken() } = parts;
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

export function newLocalToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
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
  const { status, body, headers } = await answerAdministrator(parts, token, request);
  const always = { 'Content-Type': 'application/json', ...PLAIN_HEADERS };
  sendReply(response, { status, headers: { ...always, ...headers }, body: JSON.stringify(body) });
}

async function serveFigure(log: Log, figure: ServesPage, response: ServerResponse): Promise<void> {
  try {
    await servePage(response, figure);
  } catch (error) {
    log.error('a page for administrators broke', { error });
    sendReply(response, { status: 500, headers: {}, body: '' });
  }
}
