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
    if (asksToClose(request.headers.connection)) endsWith(response);
    return serve(request, response);
  };
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
