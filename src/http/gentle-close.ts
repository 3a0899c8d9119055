// The end of a server that is still being asked: nobody new gets in, every reply from then on says that it is the last
// of its connection, and connections that nobody uses are closed. Whoever goes on asking hears good replies and then
// nothing.

import type { Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';

/** Whoever was answered a moment before the end may have sent the next request already. */
const FRESH_MS = 250;
const LOOK_EVERY_MS = 50;

/** Its latest reply; and since when it was seen to wait for a request, once the server is closing. */
type Connection = { latest: ServerResponse | undefined; restsSince: number | undefined };

/** Watches the connections of a server, and gives back how to close it. That resolves when all replies are out. */
export function gentleClose(server: Server): () => Promise<void> {
  const connections = new Map<Socket, Connection>();
  let isClosing = false;
  server.on('connection', (socket) => {
    connections.set(socket, { latest: undefined, restsSince: undefined });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (!connection) return;
    if (isClosing) makeLast(response, connection.latest);
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
      isClosing = true;
      for (const { latest } of connections.values()) if (latest) makeLast(latest);
      // Each look comes after what has arrived was read.
      const looks = setInterval(() => setImmediate(closeResting), LOOK_EVERY_MS);
      setImmediate(closeResting);
      // The listener's own way: the server's would also close connections that were answered a moment ago.
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

/** Its connection is closed behind it, and no longer behind an earlier one that is still to be sent. */
function makeLast(response: ServerResponse, earlier?: ServerResponse): void {
  if (earlier && !earlier.headersSent) earlier.shouldKeepAlive = true;
  if (!response.headersSent) response.shouldKeepAlive = false;
}
