// A reply that is as long as it gets: written as it is made, never faster than its reader takes it, and given up when
// the reader goes away. When it breaks in the midst the connection is cut, so that nobody takes a part for the whole.

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import { TLS_ONLY } from '../http-server.ts';

/** A reader that takes nothing for so long has gone away without a word. */
const IDLE_MS = 60_000;

export type StreamedReply = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly stream: AsyncIterable<string>;
};

/** Resolves when the last of it was taken; throws what `stream` threw, and nothing when the reader went away. */
export async function sendStream(response: ServerResponse, { status, headers, stream }: StreamedReply): Promise<void> {
  const isSecure = (response.req.socket as TLSSocket).encrypted;
  response.writeHead(status, { ...headers, ...(isSecure ? TLS_ONLY : {}) });
  if (response.req.method === 'HEAD') return void response.end();
  // Headers go out at once: the reader learns that it has begun before the first page is read.
  response.flushHeaders();
  response.setTimeout(IDLE_MS, () => response.destroy());
  try {
    await pipeline(Readable.from(untilClosing(stream, response)), response);
  } catch (error) {
    response.destroy();
    if (!isReaderGone(error)) throw error;
  }
}

/** A gateway that closes makes every reply the last of its connection, and does not wait for the end of this one. */
async function* untilClosing(stream: AsyncIterable<string>, response: ServerResponse): AsyncGenerator<string> {
  const { shouldKeepAlive } = response;
  for await (const part of stream) {
    if (response.shouldKeepAlive !== shouldKeepAlive) throw new Error('the gateway closes');
    yield part;
  }
}

function isReaderGone(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return ['ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ECONNRESET'].includes(code);
}
