// A durable log: lines go to the end of a file, and an append resolves only when its line is on disk. All lines that
// arrived during the last sync share one write and one sync. After a failed write the log accepts nothing more. A line
// is found again by its position, also while it is not on disk yet.

import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BookLog, type Located, onDisk } from './book-log.ts';
import { syncFolder } from './sync-folder.ts';

/** Longer than any line we write: a file with more bytes than this before a line break is not our log. */
const MAX_LINE_BYTES = 64 * 1024;
const READ_BYTES = 1024 * 1024;
/** Most lines are shorter. */
const USUAL_LINE_BYTES = 512;
const LINE_BREAK = 0x0a;

/** All lines of one turn of the event loop are written by one call, however quick the last write was. */
const turnEnds = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Is given a line, where it begins, and the log to look up others; a promise is waited for before the next line. */
type Replay = (line: string, position: number, log: BookLog) => unknown;

/**
 * Opens or creates the log, gives every line of it from a position on to `replay`, and cuts off a line that a crash
 * left incomplete.
 */
export async function openLog(path: string, replay: Replay, from = 0): Promise<BookLog> {
  const file = await open(path, 'a+', 0o600);
  try {
    // What a process that was killed has written may still be on its way, and replaying saves what points to it.
    await file.sync();
    const log = new LogFile(file, path, (await file.stat()).size);
    await log.replay(replay, from);
    await file.sync();
    await syncFolder(dirname(path));
    return log;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Lines that are written together. */
type Batch = { readonly lines: string[]; readonly positions: number[] };

class LogFile implements BookLog {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #lineBytes = Buffer.allocUnsafe(MAX_LINE_BYTES);
  #end: number;
  /** Everything before it is on disk. */
  #syncedEnd: number;
  #gathered: Batch = { lines: [], positions: [] };
  /** What is being written; after a failure, what could not be. */
  #written: Batch = { lines: [], positions: [] };
  #batch: Promise<void> | undefined;
  /** The write under way, or the last one. */
  #write: Promise<void> = onDisk;
  #failure: Error | undefined;

  constructor(file: FileHandle, path: string, end: number) {
    this.#file = file;
    this.#path = path;
    this.#end = end;
    this.#syncedEnd = end;
  }

  get end(): number {
    return this.#end;
  }

  /** Replays the whole lines and cuts off what follows the last good one. A bad line before a good one is an error. */
  async replay(replay: Replay, from: number): Promise<void> {
    let tornAt: number | undefined;
    let position = from;
    for await (const lines of wholeLines(this.#file, this.#path, { from })) {
      for (const line of lines) {
        const done = replayed(line, (text) => replay(text, position, this));
        if (done?.rest instanceof Promise) await done.rest;
        if (done && tornAt !== undefined) throw new Error(`${this.#path} is damaged at byte ${tornAt}`);
        if (!done) tornAt ??= position;
        position += line.length + 1;
      }
    }
    const whole = tornAt ?? position;
    if (whole < this.#end) await this.#file.truncate(whole);
    this.#end = whole;
    this.#syncedEnd = whole;
  }

  append(line: string): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#gathered.lines.push(line);
    this.#gathered.positions.push(this.#end);
    this.#end += Buffer.byteLength(line) + 1;
    this.#batch ??= this.#write.then(turnEnds).then(() => this.#writeBatch());
    return this.#batch;
  }

  durable(position: number): Promise<void> {
    if (position < this.#syncedEnd) return onDisk;
    if (this.#failure) return Promise.reject(this.#failure);
    const [first] = this.#gathered.positions;
    return first !== undefined && position >= first ? (this.#batch ?? this.#write) : this.#write;
  }

  synced(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    return this.#batch ?? this.#write;
  }

  read(position: number): string {
    if (position < this.#syncedEnd) return this.#readFromDisk(position);
    return lineAt(this.#gathered, position) ?? lineAt(this.#written, position) ?? this.#readFromDisk(position);
  }

  async *lines(from: number, to: number): AsyncGenerator<readonly Located[]> {
    await this.synced();
    let position = from;
    for await (const lines of wholeLines(this.#file, this.#path, { from, to })) {
      yield lines.map((line) => {
        const located = { position, line: line.toString('utf8') };
        position += line.length + 1;
        return located;
      });
    }
  }

  async close(): Promise<void> {
    await this.synced().catch(() => {});
    this.#failure ??= new Error('The log is closed');
    await this.#file.close();
  }

  #readFromDisk(position: number): string {
    for (const length of [USUAL_LINE_BYTES, MAX_LINE_BYTES]) {
      const read = readSync(this.#file.fd, this.#lineBytes, 0, length, position);
      const end = this.#lineBytes.subarray(0, read).indexOf(LINE_BREAK);
      if (end >= 0) return this.#lineBytes.toString('utf8', 0, end);
    }
    throw new Error(`${this.#path} has no line at byte ${position}`);
  }

  #writeBatch(): Promise<void> {
    const batch = this.#gathered;
    this.#written = batch;
    this.#gathered = { lines: [], positions: [] };
    this.#batch = undefined;
    this.#write = this.#writeAndSync(Buffer.from(`${batch.lines.join('\n')}\n`));
    return this.#write;
  }

  async #writeAndSync(bytes: Buffer): Promise<void> {
    try {
      let written = 0;
      while (written < bytes.length) written += (await this.#file.write(bytes, written)).bytesWritten;
      await this.#file.datasync();
      this.#syncedEnd += bytes.length;
    } catch (cause) {
      // After a failed sync nobody knows what is on disk; only a fresh start can read it back.
      this.#failure = new Error('The log could not be written', { cause });
      throw this.#failure;
    }
  }
}

function lineAt({ lines, positions }: Batch, position: number): string | undefined {
  const index = positions.indexOf(position);
  return index < 0 ? undefined : lines[index];
}

/** What is left to do for a line, or undefined when the line is bad. That this fails does not make the line bad. */
function replayed(line: Buffer, replay: (text: string) => unknown): { readonly rest: unknown } | undefined {
  try {
    return { rest: replay(line.toString('utf8')) };
  } catch {
    return undefined;
  }
}

type Stretch = { readonly from: number; readonly to?: number };

async function* wholeLines(
  file: FileHandle,
  path: string,
  { from, to = Number.POSITIVE_INFINITY }: Stretch,
): AsyncGenerator<readonly Buffer[]> {
  let rest = Buffer.alloc(0);
  for (let position = from; position < to; ) {
    const most = Math.min(READ_BYTES, to - position);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(most), 0, most, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = rest.indexOf(LINE_BREAK); end >= 0; end = rest.indexOf(LINE_BREAK, start)) {
      lines.push(rest.subarray(start, end));
      start = end + 1;
    }
    rest = rest.subarray(start);
    yield lines;
    if (rest.length > MAX_LINE_BYTES) throw new Error(`${path} is not a log: a line exceeds ${MAX_LINE_BYTES} bytes`);
  }
}
