// Below {base}/bank/: where banks tell us something without being asked, each below the name of its terminal. Whoever
// is no bank of ours is always answered alike, and learns nothing of which terminals there are.

import type { BankNotices } from '../../processing/terminals/bank-notices.ts';
import type { WebReply, WebRequest, WebRoute } from '../route.ts';

const REFUSED: WebReply = { status: 404, headers: {}, body: '' };

export function bankNoticeRoute(notices: Pick<BankNotices, 'read' | 'follow'>): WebRoute {
  return { prefix: '/bank/', handle: (request) => answer(notices, request) };
}

async function answer(notices: Pick<BankNotices, 'read' | 'follow'>, request: WebRequest): Promise<WebReply> {
  const slash = `${request.rest}/`.indexOf('/');
  const [terminal, path] = [request.rest.slice(0, slash), request.rest.slice(slash)];
  const { method, query, body } = request;
  const reading = await notices.read(terminal, { method, path, query, headers: plainHeaders(request), body });
  if (!reading) return REFUSED;
  const { status, body: said = '', contentType = 'text/plain; charset=utf-8' } = reading;
  return {
    status,
    headers: said === '' ? {} : { 'Content-Type': contentType },
    body: said,
    afterwards: () => notices.follow(terminal, reading),
  };
}

/** Node writes names of headers in small letters. Those that came several times are joined as HTTP says. */
function plainHeaders({ headers }: WebRequest): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
