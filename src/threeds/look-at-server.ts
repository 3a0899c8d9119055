// Looks at a server over HTTPS: connects, shows our certificate and asks for nothing. With TLS 1.3 a server refuses a
// certificate only after the connection is made, so the look ends with the answer to a plain request.

import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { TLSSocket } from 'node:tls';
import type { Clock } from '../domain/clock.ts';
import type { ServerSighting } from '../domain/three-d-secure/card-network.ts';
import { OLDEST_TLS, type TlsIdentity } from './http-caller.ts';

const LIMIT_MS = 10_000;

export type LookOptions = { readonly url: URL; readonly tls: TlsIdentity; readonly clock: Clock };

/** Never fails: what goes wrong is part of what was seen. */
export async function lookAtServer({ url, tls, clock }: LookOptions): Promise<ServerSighting> {
  const ending = new AbortController();
  let seen: ServerSighting = {};
  const see = (more: ServerSighting) => {
    seen = { ...seen, ...more };
  };
  const look = new Promise<void>((resolve, reject) => {
    const call = callTo(url, tls, ending.signal);
    call.on('socket', (socket) => {
      socket.once('connect', () => see({ connectedTo: `${socket.remoteAddress} port ${socket.remotePort}` }));
      if (socket instanceof TLSSocket) socket.once('secureConnect', () => see({ tls: shownBy(socket) }));
    });
    call.on('response', (response) => {
      see({ status: response.statusCode });
      resolve();
    });
    call.on('error', reject);
    call.end();
  }).catch((error) => see({ failure: reasonOf(error) }));
  const limit = clock.sleep(LIMIT_MS, ending.signal).then(() => 'late' as const);
  if ((await Promise.race([look, limit])) === 'late') see({ failure: `no answer in ${LIMIT_MS / 1000} seconds` });
  const sighting = seen;
  ending.abort();
  return sighting;
}

/** A server that cannot be trusted is looked at as well: it gets to see our certificate, and nothing else. */
function callTo(url: URL, tls: TlsIdentity, signal: AbortSignal): ClientRequest {
  const options = { method: 'GET', agent: false, signal } as const;
  if (url.protocol === 'http:') return httpRequest(url, options);
  return httpsRequest(url, { ...options, ...tls, minVersion: OLDEST_TLS, rejectUnauthorized: false });
}

function shownBy(socket: TLSSocket): NonNullable<ServerSighting['tls']> {
  return {
    version: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().name,
    certificate: socket.getPeerX509Certificate()?.toString() ?? '',
    distrust: socket.authorized ? undefined : String(socket.authorizationError),
  };
}

/** OpenSSL's own words are the plainest. */
function reasonOf(error: Error & { readonly reason?: string; readonly code?: string }): string {
  return error.reason ?? (error.message || (error.code ?? error.name));
}
