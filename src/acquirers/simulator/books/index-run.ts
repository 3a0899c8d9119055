// A file of the index: sorted words and a filter, written once and never changed. Keys are as likely as one another, so
// the place of a key in the file is known nearly, and one read finds it. Reads do not wait for the event loop: what is
// read is small and nearly always in the memory of the system.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isBefore, keyAt, positionAt, WORD_BYTES, type Words } from './index-words.ts';
import { KeyFilter } from './key-filter.ts';
import { KEY_BITS } from './reference-key.ts';

const KEY_RANGE = 2 ** KEY_BITS;
const LEAST_WINDOW = 256;
const CHUNK_WORDS = 8192;
const NOTHING: readonly number[] = [];

/** What the checkpoint knows of a file. */
export type RunNote = { readonly file: string; readonly size: number; readonly filterBytes: number };

export class IndexRun {
  readonly note: RunNote;
  readonly #fd: number;
  readonly #filter: KeyFilter;
  readonly #window: Words;

  private constructor(note: RunNote, fd: number, filter: KeyFilter) {
    this.note = note;
    this.#fd = fd;
    this.#filter = filter;
    // Twice the deviation that is expected, to both sides.
    this.#window = new Uint32Array(2 * (LEAST_WINDOW + 2 * Math.ceil(Math.sqrt(note.size))));
  }

  /** Throws when the file is not as long as it was when it was written. */
  static open(path: string, note: RunNote): IndexRun {
    const fd = openSync(path, 'r');
    try {
      const { size, filterBytes } = note;
      if (fstatSync(fd).size !== size * WORD_BYTES + filterBytes) throw new Error(`${path} is not whole`);
      const bits = new Uint32Array(filterBytes / Uint32Array.BYTES_PER_ELEMENT);
      readSync(fd, bits, 0, filterBytes, size * WORD_BYTES);
      return new IndexRun(note, fd, new KeyFilter(bits));
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** The positions that stand under a key. */
  find(key: number): readonly number[] {
    return this.#filter.mayHave(key) ? this.#search(key) : NOTHING;
  }

  #search(key: number): readonly number[] {
    const { size } = this.note;
    const windowSize = this.#window.length / 2;
    const expected = Math.floor((key / KEY_RANGE) * size - windowSize / 2);
    let first = Math.max(0, Math.min(expected, size - windowSize));
    let count = this.#read(first);
    while (first > 0 && keyAt(this.#window, 0) >= key) {
      first = Math.max(0, first - windowSize + 1);
      count = this.#read(first);
    }
    const found: number[] = [];
    while (count > 0) {
      for (let index = 0; index < count; index += 1) {
        const known = keyAt(this.#window, index);
        if (known === key) found.push(positionAt(this.#window, index));
        else if (known > key) return found;
      }
      first += count;
      count = this.#read(first);
    }
    return found;
  }

  /** Reads a window of words from there; returns how many there are. */
  #read(first: number): number {
    const count = Math.min(this.#window.length / 2, this.note.size - first);
    if (count > 0) readSync(this.#fd, this.#window, 0, count * WORD_BYTES, first * WORD_BYTES);
    return count;
  }

  /** The words in order, some at a time; a part is good until the next is asked for. */
  async *parts(): AsyncGenerator<Words> {
    const buffer = new Uint32Array(2 * CHUNK_WORDS);
    for (let first = 0; first < this.note.size; first += CHUNK_WORDS) {
      const count = Math.min(CHUNK_WORDS, this.note.size - first);
      readSync(this.#fd, buffer, 0, count * WORD_BYTES, first * WORD_BYTES);
      yield buffer.subarray(0, 2 * count);
    }
  }
}

/** Writes sorted words as a file that is on disk when this resolves. */
export async function writeRun(
  path: string,
  file: string,
  size: number,
  parts: AsyncIterable<Words>,
): Promise<RunNote> {
  const filter = KeyFilter.forKeys(size);
  const handle = await open(path, 'w', 0o600);
  try {
    for await (const part of parts) {
      for (let index = 0; index < part.length / 2; index += 1) filter.add(keyAt(part, index));
      await writeAll(handle, part);
    }
    await writeAll(handle, filter.bits);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  return { file, size, filterBytes: filter.bits.byteLength };
}

/** The words of two files in one order. */
export async function* merged(a: IndexRun, b: IndexRun): AsyncGenerator<Words> {
  const out = new Uint32Array(2 * CHUNK_WORDS);
  const [ofA, ofB] = [new Cursor(a.parts()), new Cursor(b.parts())];
  await ofA.fill();
  await ofB.fill();
  let count = 0;
  while (!ofA.isAtEnd || !ofB.isAtEnd) {
    const isFromA = ofB.isAtEnd || (!ofA.isAtEnd && isBefore(ofA.words, ofA.index, ofB.words, ofB.index));
    const from = isFromA ? ofA : ofB;
    out[2 * count] = from.words[2 * from.index]!;
    out[2 * count + 1] = from.words[2 * from.index + 1]!;
    count += 1;
    from.index += 1;
    if (from.index * 2 === from.words.length) await from.fill();
    if (count === CHUNK_WORDS) {
      yield out;
      count = 0;
    }
  }
  yield out.subarray(0, 2 * count);
}

class Cursor {
  readonly #parts: AsyncIterator<Words>;
  words: Words = new Uint32Array(0);
  index = 0;
  isAtEnd = false;

  constructor(parts: AsyncIterator<Words>) {
    this.#parts = parts;
  }

  async fill(): Promise<void> {
    const { done, value } = await this.#parts.next();
    this.isAtEnd = done === true;
    if (!done) this.words = value;
    this.index = 0;
  }
}

async function writeAll(handle: FileHandle, words: Uint32Array): Promise<void> {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  let written = 0;
  while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
}
