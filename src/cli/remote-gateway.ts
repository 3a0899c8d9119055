// A gateway on another machine, as a command reaches it: by the administrators' interface, with a personal token, over
// TLS whose certificate is checked.

import { readFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { rootCertificates } from 'node:tls';
import { type Command, Option } from 'commander';
import type { AnswerTo, VerbName } from '../administration/administration.ts';
import type { Given } from '../administration/verb/inputs.ts';
import { InvalidInput } from '../administration/verb/invalid-input.ts';
import type { ExitName } from '../domain/exit-codes.ts';
import { ADMIN_API } from '../http/admin/admin-note.ts';
import { isLoopback } from '../http/admin/local-token.ts';
import { Complaint } from './complaint.ts';
import { readGivenText } from './given-file.ts';
import { webAddressOf } from './setting-options.ts';

const ANSWER_TIMEOUT_MS = 60_000;
const MAX_ANSWER = 64 * 1024 * 1024;

/** Where the gateway is, and who asks. */
export type RemotePlace = {
  readonly at: string;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly ca?: string | undefined;
};

/** Lets every command that asks for verbs ask a gateway elsewhere; `isRemote` tells which do. */
export function withRemoteGateway(program: Command, isRemote: (command: Command) => boolean): Command {
  const group = 'A gateway on another machine:';
  const add = (flags: string, says: string, variable: string) => {
    const option = new Option(flags, says).env(variable).helpGroup(group);
    program.addOption(option);
    // An empty variable is one that is not set.
    if (process.env[variable] === '') delete process.env[variable];
    return option;
  };
  const where = "the administrators' address of a gateway, such as https://pay.example.com:9080";
  add('--at <url>', where, 'TENDER_AT').argParser(webAddressOf);
  add('--token-file <path>', 'file with your personal token ("tender token add" makes one)', 'TENDER_TOKEN_FILE');
  add('--token <token>', 'the token itself, which other users of this machine may see', 'TENDER_TOKEN');
  add('--ca <path>', 'certificates in PEM of an authority of your own', 'TENDER_CA');
  return program.hook('preAction', (_, command) => {
    const { at, ...how } = program.opts<Partial<RemotePlace>>();
    if (at === undefined) return;
    if (!isRemote(command)) {
      throw new Complaint(`"tender ${pathOf(command)}" needs the gateway's own machine; leave out --at and TENDER_AT`, {
        exit: 'usage',
      });
    }
    if (program.getOptionValueSource('token') === 'cli') {
      process.stderr.write('tender: other users of this machine can see --token; use --token-file or TENDER_TOKEN\n');
    }
    command.setOptionValue('remote', { at, ...how } satisfies RemotePlace);
  });
}

function pathOf(command: Command): string {
  return command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

type AsksRemote = <V extends VerbName>(verb: V, given?: Given) => Promise<AnswerTo<V>>;

export async function askRemote(place: RemotePlace): Promise<AsksRemote> {
  const url = new URL(place.at);
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new Complaint(`${url.origin} is not under TLS, and everybody on the way could take the token; use https://`, {
      exit: 'usage',
    });
  }
  const token = await tokenOf(place);
  const ca = place.ca === undefined ? undefined : [...rootCertificates, await readFile(place.ca, 'utf8')];
  const door = { url, token, ca };
  return (verb, given = {}) => ask(door, verb, given);
}

async function tokenOf({ token, tokenFile }: RemotePlace): Promise<string> {
  const text = (token ?? (tokenFile === undefined ? undefined : await readGivenText(tokenFile)))?.trim();
  if (text !== undefined && /^[\w-]+$/.test(text)) return text;
  throw new Complaint(
    text === undefined
      ? 'your token is missing: name its file with --token-file or TENDER_TOKEN_FILE, or give it in TENDER_TOKEN'
      : 'a token is one word such as tnd_…; that is none',
    { exit: 'usage' },
  );
}

type RemoteDoor = { readonly url: URL; readonly token: string; readonly ca: readonly string[] | undefined };

type Heard = { readonly answer?: unknown; readonly error?: string; readonly faults?: readonly string[] };

async function ask<V extends VerbName>(door: RemoteDoor, verb: V, given: Given): Promise<AnswerTo<V>> {
  const { origin } = door.url;
  const { status, text } = await send(door, verb, JSON.stringify(given)).catch((error) => {
    throw new Complaint(outageLine(error, origin), { exit: 'unreachable', cause: error });
  });
  const heard = read(text);
  if (status === 200 && heard && 'answer' in heard) return heard.answer as AnswerTo<V>;
  if (typeof heard?.error !== 'string') {
    throw new Complaint(`${origin} does not answer as a gateway's administrators' interface does (HTTP ${status})`, {
      exit: 'unreachable',
    });
  }
  if (status === 400) throw new InvalidInput(...(heard.faults ?? [heard.error]));
  throw new Complaint(`${origin}: ${status === 401 ? `${heard.error}, or it has ended` : heard.error}`, {
    exit: exitOfStatus(status),
  });
}

/** What an exit code tells of a verb that was refused. */
export function exitOfStatus(status: number): ExitName {
  if (status === 503) return 'unreachable';
  return status === 401 || status === 403 ? 'not-allowed' : 'failed';
}

function read(text: string): Heard | undefined {
  try {
    const heard = JSON.parse(text);
    return typeof heard === 'object' && heard !== null ? heard : undefined;
  } catch {
    return undefined;
  }
}

function send({ url, token, ca }: RemoteDoor, verb: string, body: string): Promise<{ status: number; text: string }> {
  const path = `${url.pathname.replace(/\/$/, '')}${ADMIN_API}${verb}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const ask = url.protocol === 'https:' ? request : plainRequest;
  return new Promise((resolve, reject) => {
    const call = ask(
      new URL(path, url),
      { method: 'POST', headers, signal, ...(ca && { ca: [...ca] }) },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (text.length > MAX_ANSWER) call.destroy(new Error('its answer is too long'));
        });
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    call.on('error', reject).end(body);
  });
}

const UNTRUSTED = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/;

/** Why nothing was heard, on one line. */
export function outageLine({ code = '', name, message }: NodeJS.ErrnoException, origin: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `the certificate of ${origin} is for another name`;
  if (code === 'CERT_HAS_EXPIRED') return `the certificate of ${origin} has expired`;
  if (UNTRUSTED.test(code)) {
    return `the certificate of ${origin} is of an authority nobody here knows (${code}); name it with --ca`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `${origin} does not speak TLS as it should (${code})`;
  if (name === 'TimeoutError' || name === 'AbortError') return `${origin} did not answer in time`;
  return `${origin} cannot be reached: ${code || message}`;
}
