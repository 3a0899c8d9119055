// Requests that are refused before they are parsed. Most of what a refusal costs is what Node does for any request, and
// when three times as many come as can be done, two of three are refusals. So a connection that got one has its bytes
// looked at before the parser sees them, for as long as there is too much to do: a plain request (plain-head.ts) that
// comes whole and by itself, and would be refused, is answered at once.
//
// This is done only where it is certain that a request begins with these bytes: when the parser read the same request
// from the bytes before as we did, and nothing else, or when those were answered here. Everything else goes to the
// parser.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { closingOf } from '../gentle-close.ts';
import { isAfterLast } from './last-request.ts';
import { type PlainHead, plainHead } from './plain-head.ts';

export type EarlyRefusalOptions = {
  /** Whether anybody may be refused now. */
  readonly isBusy: () => boolean;
  /** Whether a request for this URL is refused, which it then is. */
  readonly refuses: (url: string) => boolean;
  /** The whole reply, of Latin letters. */
  readonly reply: (isSecure: boolean) => string;
};

type Watched = {
  /** The reply to the latest request that the parser read, and how many it read since we last counted. */
  latest: ServerResponse;
  heard: number;
  /** Whether it is certain that a request begins with the next byte. */
  isAtBeginning: boolean;
};

export class EarlyRefusals {
  readonly #options: EarlyRefusalOptions;
  readonly #watched = new WeakMap<Socket, Watched>();

  constructor(options: EarlyRefusalOptions) {
    this.#options = options;
  }

  /** To be told of every request that the parser read. */
  heard(response: ServerResponse): void {
    const watched = this.#watched.get(response.req.socket);
    if (!watched) return;
    watched.latest = response;
    watched.heard += 1;
  }

  /** Looks at what comes on this connection from when the reply is sent. */
  watch(response: ServerResponse): void {
    const { socket } = response.req;
    if (this.#watched.has(socket)) return;
    const watched: Watched = { latest: response, heard: 0, isAtBeginning: false };
    this.#watched.set(socket, watched);
    response.once('close', () => this.#goBetween(socket, watched));
  }

  /**
   * Puts us before the listener by which Node's server gets what its parser does not read by itself. A connection that
   * Node does not read at the moment would never be read again: its next refusal tries anew.
   */
  #goBetween(socket: Socket, watched: Watched): void {
    if (socket.isPaused()) return void this.#watched.delete(socket);
    const [parse, ...others] = socket.listeners('data');
    if (socket.destroyed || !parse || others.length > 0) return;
    socket.removeListener('data', parse as (chunk: Buffer) => void);
    socket.on('data', (chunk: Buffer) =>
      this.#take(chunk, { socket, watched, parse: (some) => parse.call(socket, some) }),
    );
  }

  #take(chunk: Buffer, to: { socket: Socket; watched: Watched; parse: (chunk: Buffer) => void }): void {
    const { socket, watched, parse } = to;
    // Node's server has let go of it and given its parser to others: at a CONNECT it takes away only its own listener.
    if (socket.destroyed) return;
    const head = this.#options.isBusy() && watched.latest.req.complete ? plainHead(chunk) : undefined;
    if (head?.size !== chunk.length) {
      watched.isAtBeginning = false;
      parse(chunk);
    } else if (watched.isAtBeginning && isFree(socket, watched.latest) && this.#options.refuses(head.path)) {
      socket.write(this.#options.reply((socket as TLSSocket).encrypted === true), 'latin1');
    } else {
      watched.heard = 0;
      parse(chunk);
      watched.isAtBeginning = isAlike(head, watched);
    }
  }
}

/** Whether everything before is answered, and the answers taken, on a connection that goes on. */
function isFree(socket: Socket, latest: ServerResponse): boolean {
  if (!latest.writableFinished || !latest.shouldKeepAlive || isAfterLast(latest.req)) return false;
  return socket.writable && socket.writableLength === 0 && closingOf(socket)?.aborted !== true;
}

/** Whether the parser read the same request as we did: bytes before it would have been one header more. */
function isAlike({ headers }: PlainHead, { latest, heard }: Watched): boolean {
  return heard === 1 && latest.req.rawHeaders.length === 2 * headers;
}
