// Goes through streams of bytes and tells where it met a number or a code, in which encoding, and never the number.
// Compressed streams are opened wherever they begin, also within one another.

import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { cardLikeNumbers } from './card-like.ts';
import { PatternSearch } from './pattern-search.ts';
import type { Pattern } from './wanted.ts';

export type ScanFinding = {
  readonly place: string;
  readonly encoding: string;
  /** A masked number, or that it is a security code. */
  readonly shown: string;
  readonly count: number;
};

/** Of a stream within others only so much is opened, and only so deep. */
const COMPRESSED_BYTES = 1024 * 1024;
const OPENED_BYTES = 32 * 1024 * 1024;
const MOST_LAYERS = 2;

export class Scanner {
  readonly #patterns: readonly Pattern[] | undefined;
  readonly #search: PatternSearch | undefined;
  readonly #found = new Map<string, { finding: Omit<ScanFinding, 'count'>; count: number }>();
  bytes = 0;

  /** Without patterns everything is told that looks like a card number. */
  constructor(patterns: readonly Pattern[] | undefined) {
    this.#patterns = patterns;
    this.#search = patterns && searchFor(patterns);
  }

  get findings(): ScanFinding[] {
    return [...this.#found.values()].map(({ finding, count }) => ({ ...finding, count }));
  }

  async scan(place: string, stream: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    // One chunk behind, so that what lies across the border of two chunks is seen whole.
    let previous: Buffer = Buffer.alloc(0);
    for await (const chunk of stream) {
      this.bytes += chunk.length;
      const rest = previous.subarray(-(this.#search?.longest ?? 1));
      this.#find(place, Buffer.concat([rest, chunk]), rest.length, '');
      this.#lookTwice(place, previous, chunk);
      previous = chunk;
    }
    this.#lookTwice(place, previous, Buffer.alloc(0));
  }

  #find(place: string, bytes: Buffer, before: number, layers: string): void {
    this.#search?.find(bytes, before, (which) => {
      const { encoding, shown } = (this.#patterns as readonly Pattern[])[which] as Pattern;
      this.#note({ place, encoding: encoding + layers, shown });
    });
  }

  /** What can be judged only with the bytes that follow. */
  #lookTwice(place: string, chunk: Buffer, following: Buffer): void {
    const window = following.length === 0 ? chunk : Buffer.concat([chunk, following]);
    if (!this.#patterns) this.#noteCardLike(place, window, chunk.length, '');
    this.#openCompressed(place, window, chunk.length, '');
  }

  #noteCardLike(place: string, window: Buffer, until: number, layers: string): void {
    for (const { shown, encoding } of cardLikeNumbers(window, until)) {
      this.#note({ place, encoding: encoding + layers, shown });
    }
  }

  /** Opens the compressed streams that begin before `until`. */
  #openCompressed(place: string, window: Buffer, until: number, layers: string): void {
    if (layers.split(IN).length > MOST_LAYERS) return;
    for (const { at, kind } of beginnings(window, until)) {
      const plain = opened(kind, window.subarray(at, at + COMPRESSED_BYTES));
      if (!plain || plain.length === 0) continue;
      const within = `${IN}${kind}${layers}`;
      this.#find(place, plain, 0, within);
      if (!this.#patterns) this.#noteCardLike(place, plain, plain.length, within);
      this.#openCompressed(place, plain, plain.length, within);
    }
  }

  #note(finding: Omit<ScanFinding, 'count'>): void {
    const mark = `${finding.place}\n${finding.encoding}\n${finding.shown}`;
    const known = this.#found.get(mark);
    if (known) known.count += 1;
    else this.#found.set(mark, { finding, count: 1 });
  }
}

/** One for each list of patterns, because it takes a while to make. */
const searches = new WeakMap<readonly Pattern[], PatternSearch>();

function searchFor(patterns: readonly Pattern[]): PatternSearch {
  const made = searches.get(patterns) ?? new PatternSearch(patterns.map(({ bytes }) => bytes));
  searches.set(patterns, made);
  return made;
}

const IN = ' in ';

type Compression = 'gzip' | 'deflate';

/** The second byte of zlib's header, for each of its levels. */
const ZLIB_LEVELS = new Set([0x01, 0x5e, 0x9c, 0xda]);

function* beginnings(window: Buffer, until: number): Generator<{ at: number; kind: Compression }> {
  const gzip = Buffer.from([0x1f, 0x8b, 0x08]);
  for (let at = window.indexOf(gzip); at !== -1 && at < until; at = window.indexOf(gzip, at + 1)) {
    yield { at, kind: 'gzip' };
  }
  for (let at = window.indexOf(0x78); at !== -1 && at < until; at = window.indexOf(0x78, at + 1)) {
    if (ZLIB_LEVELS.has(window[at + 1] ?? 0)) yield { at, kind: 'deflate' };
  }
}

/** As much as can be read of it, whatever follows; undefined when it is none. */
function opened(kind: Compression, bytes: Buffer): Buffer | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: OPENED_BYTES };
  try {
    return kind === 'gzip' ? inflateRawSync(withoutHeader(bytes), options) : inflateSync(bytes, options);
  } catch {
    return undefined;
  }
}

/** What RFC 1952 puts before the compressed bytes: ten bytes, and what their flags announce. */
function withoutHeader(gzip: Buffer): Buffer {
  const flags = gzip[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + (gzip.length > at + 1 ? gzip.readUInt16LE(at) : 0);
  if (flags & 8) at = gzip.indexOf(0, at) + 1;
  if (flags & 16) at = gzip.indexOf(0, at) + 1;
  if (flags & 2) at += 2;
  return gzip.subarray(at);
}
