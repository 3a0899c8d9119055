// What is no valid HTTP request, has too large a head or is too slow: it is refused, and its connection ends. An error
// behind a whole request must not be answered in the place of that one, which may move money or change a gateway.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';

/** How long a connection with a malformed request stays open, so that its client can read the reply. */
const LINGER_MS = 2_000;

type Refusal = { readonly mediaType: string; readonly body: string };
type SaysRefusal = (status: number, hint: string) => Refusal;

export function refuseBroken(server: Server | SecureServer, says: SaysRefusal): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const before = latest.get(socket);
    if (before?.req.complete && !before.writableFinished && socket.writable) endAfter(before, socket);
    else refuse(error, socket, says);
  });
}

/** Status, reason and hint by Node's error code. */
const NO_REQUEST: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'its headers are longer than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'it did not arrive in time'],
};
const NO_HTTP = [400, 'Bad Request', 'it breaks the rules of HTTP/1.1'] as const;

function refuse({ code }: NodeJS.ErrnoException, socket: Duplex, says: SaysRefusal): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
  const [status, reason, hint] = NO_REQUEST[code ?? ''] ?? NO_HTTP;
  const { mediaType, body } = says(status, hint);
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    `Content-Type: ${mediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  endSoon(socket, [...head, 'Cache-Control: no-store', 'Connection: close', '', body].join('\r\n'));
}

function endAfter(response: ServerResponse, socket: Duplex): void {
  if (!response.shouldKeepAlive) return;
  response.shouldKeepAlive = false;
  response.once('finish', () => endSoon(socket, ''));
}

/** A client that never closes its side must not keep the connection for ever. */
function endSoon(socket: Duplex, lastWords: string): void {
  socket.end(lastWords);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
