// Closes a server that is still in use: it takes no new connections, every reply from then on says that it is the last
// of its connection, and idle connections are closed. A client that goes on asking gets good replies until then.

import { setMaxListeners } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import { Server as Listener, type Socket } from 'node:net';
import { isAfterLast } from './bounds/last-request.ts';

/** A client that got a reply a moment ago may have sent its next request already. */
const FRESH_MS = 250;
const LOOK_EVERY_MS = 50;

/** The latest reply of a connection, and since when it has been idle, once the server is closing. */
type Connection = { latest: ServerResponse | undefined; restsSince: number | undefined };

const closings = new WeakMap<Socket, AbortSignal>();

/** Aborted when the server of this connection closes: for replies that are too long to be waited for. */
export function closingOf(socket: Socket): AbortSignal | undefined {
  return closings.get(socket);
}

/** Watches the connections of a server, and returns a function that closes it, which resolves after all replies. */
export function gentleClose(server: Server | SecureServer): () => Promise<void> {
  const connections = new Map<Socket, Connection>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one listener per long reply
  // Under TLS a request names the socket that its handshake made.
  server.on(server instanceof SecureServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, { latest: undefined, restsSince: undefined });
    closings.set(socket, closing.signal);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection || isAfterLast(request)) return;
    if (closing.signal.aborted) makeLast(response, connection.latest);
    connection.latest = response;
  });

  const closeResting = () => {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      connection.restsSince = isResting(connection) ? (connection.restsSince ?? now) : undefined;
      if (now - (connection.restsSince ?? now) >= FRESH_MS) socket.destroy();
    }
  };
  return () =>
    new Promise((resolve) => {
      closing.abort();
      for (const { latest } of connections.values()) if (latest) makeLast(latest);
      // `setImmediate` lets the requests that have arrived be read first.
      const looks = setInterval(() => setImmediate(closeResting), LOOK_EVERY_MS);
      setImmediate(closeResting);
      // The net server's `close`: that of the HTTP server would also close connections that got a reply just now.
      Listener.prototype.close.call(server, () => {
        clearInterval(looks);
        resolve();
        server.close();
      });
    });
}

function isResting({ latest }: Connection): boolean {
  return latest === undefined || latest.writableFinished;
}

/** The connection closes after this reply, and no longer after an earlier one that is still to be sent. */
function makeLast(response: ServerResponse, earlier?: ServerResponse): void {
  if (earlier && !earlier.headersSent) earlier.shouldKeepAlive = true;
  if (!response.headersSent) response.shouldKeepAlive = false;
}
