// The token in admin.json: for the command line of the same user on the same machine, and for nothing else. Whatever
// came through a proxy or to another name than this machine's own is not local, whoever holds the token.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { percentDecoded } from '../../domain/text.ts';
import { CALLER_HEADER, osUser } from './admin-note.ts';

const MAX_CALLER = 100;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an address or a name means this machine alone. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/, '');
  if (plain === 'localhost') return true;
  const version = isIP(plain);
  return version !== 0 && loopback.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** Who asks by the local token, for the audit chain; undefined when it is not that. */
export function localCaller(request: IncomingMessage, token: string): string | undefined {
  if (!isToken(request.headers.authorization, token) || !isLocal(request)) return undefined;
  const said = saidCaller(request);
  return `local ${osUser()}${said === '' ? '' : ` (says: ${said})`}`;
}

function isLocal({ headers, socket }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const isNear = isLoopback(socket.remoteAddress ?? '') && isLoopback(socket.localAddress ?? '') && isLoopback(host);
  return isNear && FORWARDED.every((name) => headers[name] === undefined);
}

/** The caller's name as the caller gives it: a holder of the token may give any. */
function saidCaller({ headers }: IncomingMessage): string {
  const said = headers[CALLER_HEADER];
  const text = typeof said === 'string' ? percentDecoded(said) : undefined;
  return (text ?? '').replace(/\p{Cc}/gu, '').slice(0, MAX_CALLER);
}

/** Digests are compared, so that the time tells neither length nor content. */
function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}
