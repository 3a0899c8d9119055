// The last request of a connection: behind one that says `Connection: close`, or whose reply says so, nothing is
// served. Node's parser sees to most of it. It takes `close` behind a tab, and in HTTP/1.0 beside `keep-alive`, for
// something else; and a body that nobody waits for any longer may be followed by a request that would be carried out
// and never answered.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that got, or are about to get, their last reply. */
const ended = new WeakSet<Socket>();

/** Serves requests up to the one that is the last of its connection. */
export function untilLast(serve: RequestListener): RequestListener {
  return (request, response) => {
    if (isAfterLast(request)) return;
    if (asksToClose(request.headers.connection) || isFramedOddly(request)) endsWith(response);
    return serve(request, response);
  };
}

/** A proxy may not know chunks in HTTP/1.0 and see another end of the body; RFC 9112 (6.1) asks to end there. */
function isFramedOddly({ httpVersionMinor, headers }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined;
}

/** Whether a request follows the last one that its connection carries. */
export function isAfterLast({ socket }: IncomingMessage): boolean {
  return ended.has(socket);
}

/** Makes this reply the last of its connection. */
export function endsWith(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  ended.add(response.req.socket);
}

/** Whether one of the words of the header is `close`. */
export function asksToClose(header: string | undefined): boolean {
  if (header === undefined || header === 'keep-alive') return false;
  return header.split(',').some((word) => word.replace(/[\s"]/g, '').toLowerCase() === 'close');
}
