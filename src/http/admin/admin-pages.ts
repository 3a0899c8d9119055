// The pages for people beside the verbs: read within the same bounds, and answered as they are. An error is told
// without details.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Log } from '../../telemetry/log.ts';
import type { WebReply, WebRoute } from '../../web/route.ts';
import { clientAddress, clientCertificate } from '../client-address.ts';
import { readBody, sendReply } from '../http-server.ts';
import { sendStream } from './streamed-reply.ts';

export type AdminPages = {
  /** The only route, below /. */
  readonly route: WebRoute;
  /** Whether a path is a page; all others are verbs. */
  readonly has: (path: string) => boolean;
  readonly proxies: BlockList | undefined;
};

const BROKEN: WebReply = { status: 500, headers: { 'Content-Type': 'text/plain' }, body: 'Something went wrong.' };

const ALWAYS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

export async function servePages(
  { route, proxies }: AdminPages,
  log: Log,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    return send(response, { status: 405, headers: { Allow: 'GET, HEAD, POST' }, body: '' });
  }
  const body = await readBody(request);
  if (body === 'too-large' || body === 'aborted') return send(response, { status: 413, headers: {}, body: '' });
  const url = new URL(request.url ?? '/', 'http://localhost');
  const reply = await route
    .handle({
      method: method === 'POST' ? 'POST' : 'GET',
      rest: url.pathname.slice(route.prefix.length),
      query: url.searchParams,
      search: url.search,
      headers,
      body,
      address: clientAddress(request, proxies),
      certificate: clientCertificate(request, proxies),
    })
    .catch((error) => {
      log.error('a page broke', { detail: url.pathname, error });
      return BROKEN;
    });
  if (reply.stream === undefined) return send(response, reply);
  const { stream, status } = reply;
  await sendStream(response, { status, headers: { ...ALWAYS, ...reply.headers }, stream });
}

function send(response: ServerResponse, { status, headers, body }: WebReply): void {
  sendReply(response, { status, headers: { ...ALWAYS, ...headers }, body });
}
