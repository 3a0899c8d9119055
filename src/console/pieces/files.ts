// Files that pages offer.

import type { WebReply } from '../../web/route.ts';

/** Comma-separated values to be saved; a browser that shows them all the same runs nothing. */
export function csvFile(name: string, content: Pick<WebReply, 'body' | 'stream'>): WebReply {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
    ...content,
  };
}
