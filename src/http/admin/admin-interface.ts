// The administrators' interface: every verb of administration is `POST /admin/api/{verb}` with a JSON object, and one
// document describes them all. Who asks is looked at before anything else is told.

import type { IncomingMessage } from 'node:http';
import type { Administration } from '../../administration/administration.ts';
import type { Given } from '../../administration/verb/inputs.ts';
import {
  AskedTooMuch,
  InvalidInput,
  NotAllowed,
  OtherThanBefore,
  OutOfReach,
} from '../../administration/verb/invalid-input.ts';
import type { AdminCaller } from '../../domain/people/caller.ts';
import { isRepeatKey } from '../../domain/people/repeat-key.ts';
import { shown } from '../../domain/text.ts';
import { outageOf } from '../../storage/database.ts';
import type { Log } from '../../telemetry/log.ts';
import { repeatedHeader } from '../bounds/repeated-header.ts';
import { MAX_BODY, readBody } from '../http-server.ts';
import { ADMIN_API } from './admin-note.ts';
import {
  type AuthenticateParts,
  authenticatePerson,
  isRefusal,
  type PersonRefusal,
  WRONG_TOKEN,
} from './authenticate-person.ts';
import { localCaller } from './local-token.ts';

export type AdminInterfaceParts = {
  readonly administration: Administration;
  /** Describes the interface; it holds no secret and is served to everybody. */
  readonly document: object;
  readonly log: Log;
  /** Who comes in besides the local command line; nobody unless given. */
  readonly people?: AuthenticateParts | undefined;
};

export type AdminReply = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

const RETRY_SECONDS = '1';

const refused = (status: number, error: string, headers = {}): AdminReply => ({ status, body: { error }, headers });

function unfit({ message, faults }: InvalidInput): AdminReply {
  return { status: 400, body: { error: message, ...(faults.length > 1 ? { faults } : {}) } };
}

/** `token` is that of the local command line, where it may come in. */
export async function answerAdministrator(
  parts: AdminInterfaceParts,
  token: string | undefined,
  request: IncomingMessage,
): Promise<AdminReply> {
  const { document, log } = parts;
  const { method, url = '' } = request;
  const verb = url.startsWith(ADMIN_API) ? url.slice(ADMIN_API.length) : '';
  if (method === 'GET' && verb === 'openapi.json') return { status: 200, body: document };
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated !== undefined) return refused(400, `header ${repeated} occurs more than once; send it once`);
  try {
    const caller = await callerOf(parts, token, request);
    if (isRefusal(caller)) return refused(caller.status, caller.error);
    return verb === '' ? refused(404, 'there is nothing here') : await ask(parts, verb, caller, request);
  } catch (error) {
    return failure(error, verb, log);
  }
}

async function ask(
  { administration }: AdminInterfaceParts,
  verb: string,
  caller: AdminCaller,
  request: IncomingMessage,
): Promise<AdminReply> {
  if (request.method !== 'POST' || !administration.has(verb)) {
    return refused(404, `this gateway has no verb ${shown(verb)}; it may be of another version`);
  }
  const repeatKey = request.headers['idempotency-key'];
  if (repeatKey !== undefined && !isRepeatKey(repeatKey)) {
    return refused(400, 'header idempotency-key: 1 to 64 visible characters of ASCII are needed');
  }
  const body = await readBody(request);
  if (body === 'too-large') return refused(413, `at most ${MAX_BODY / 1024} KiB are taken`);
  if (body === 'aborted') return refused(400, 'the body ended early');
  const answer = await administration.ask(verb, givenIn(body), caller, { repeatKey });
  return { status: 200, body: { answer } };
}

function failure(error: unknown, verb: string, log: Log): AdminReply {
  if (error instanceof InvalidInput) return unfit(error);
  if (error instanceof NotAllowed) return refused(403, error.message);
  if (error instanceof OtherThanBefore) return refused(409, error.message);
  if (error instanceof AskedTooMuch) return refused(429, error.message, { 'Retry-After': RETRY_SECONDS });
  log.error('an administrator could not be served', { operation: verb, error });
  if (outageOf(error) === 'away') return refused(503, 'the gateway cannot reach its database');
  if (error instanceof OutOfReach) return refused(503, error.message);
  return refused(500, 'the gateway failed; its log says why');
}

/** The local command line, or a person; who is neither learns nothing. */
async function callerOf(
  { people }: AdminInterfaceParts,
  token: string | undefined,
  request: IncomingMessage,
): Promise<AdminCaller | PersonRefusal> {
  const who = token === undefined ? undefined : localCaller(request, token);
  if (who !== undefined) return { kind: 'local', who };
  return people ? authenticatePerson(people, request) : WRONG_TOKEN;
}

function givenIn(body: Buffer): Given {
  try {
    const given = JSON.parse(body.toString());
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  } catch {}
  throw new InvalidInput('a JSON object is needed');
}
