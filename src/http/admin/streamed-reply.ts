// A reply that is as long as it gets: written as it is made, never faster than its reader takes it, and given up when
// the reader goes away or is too slow, or the gateway closes. When it breaks in the midst the connection is cut, so
// that nobody takes a part for the whole.

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import { closingOf } from '../gentle-close.ts';
import { TLS_ONLY } from '../http-server.ts';

/** A lot of some hundred rows must be taken within this time: who trickles is no reader, and would stay for ever. */
const LOT_MS = 60_000;

export type StreamedReply = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** In lots. */
  readonly stream: AsyncIterable<string>;
};

/** Resolves when the last of it was taken; throws what `stream` threw, and nothing when it was given up. */
export async function sendStream(
  response: ServerResponse,
  { status, headers, stream }: StreamedReply,
  lotMs = LOT_MS,
): Promise<void> {
  const { socket, method } = response.req;
  const isSecure = (socket as TLSSocket).encrypted;
  response.writeHead(status, { ...headers, ...(isSecure ? TLS_ONLY : {}) });
  if (method === 'HEAD') return void response.end();
  // Headers go out at once: the reader learns that it has begun before the first page is read.
  response.flushHeaders();
  const late = new AbortController();
  const closing = closingOf(socket);
  const signal = closing ? AbortSignal.any([closing, late.signal]) : late.signal;
  const patience = patienceOf(lotMs, late);
  try {
    await pipeline(Readable.from(takenInTime(stream, patience)), response, { signal });
  } catch (error) {
    response.destroy();
    if (!signal.aborted && !isReaderGone(error)) throw error;
  } finally {
    patience.end();
  }
}

type Patience = { begin(): void; end(): void };

function patienceOf(ms: number, late: AbortController): Patience {
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearTimeout(timer);
  const begin = () => {
    end();
    timer = setTimeout(() => late.abort(), ms);
  };
  return { begin, end };
}

/** How long the making of a lot takes is not the reader's fault. */
async function* takenInTime(stream: AsyncIterable<string>, patience: Patience): AsyncGenerator<string> {
  for await (const lot of stream) {
    patience.begin();
    yield lot;
    patience.end();
  }
  // The last of them may still be on its way.
  patience.begin();
}

function isReaderGone(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return ['ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ECONNRESET'].includes(code);
}
