// The administrators' port: the figures and the health of the gateway, for whoever watches it. It is not for the
// internet: it listens on this machine only unless an operator says otherwise.

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  httpServer,
  httpsServer,
  type ListenAt,
  type Listening,
  listen,
  type ServesPage,
  type ServesTls,
  sendReply,
  servePage,
} from '../http-server.ts';

export type AdminPortParts = {
  readonly pages: Readonly<Record<string, ServesPage>>;
  readonly tls?: ServesTls | undefined;
  readonly failed: (error: unknown) => void;
};

export function startAdminPort(parts: AdminPortParts, at: ListenAt): Promise<Listening> {
  const { pages, tls, failed } = parts;
  const listed = new Map(Object.entries(pages));
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const page = request.method === 'GET' || request.method === 'HEAD' ? listed.get(request.url ?? '') : undefined;
    if (!page) return sendReply(response, { status: 404, headers: {}, body: '' });
    servePage(response, page).catch((error) => {
      failed(error);
      sendReply(response, { status: 500, headers: {}, body: '' });
    });
  };
  const secure = tls && httpsServer(tls.first, serve);
  if (secure) tls.serves(secure);
  return listen(secure ?? httpServer(serve), at);
}
