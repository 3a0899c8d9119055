// A durable log: lines go to the end of a file, and an append resolves only when its line is on disk. All lines that
// arrived during the last sync share one write and one sync. After a failed write the log accepts nothing more.

import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export type BookLog = {
  /** Resolves when the line, which holds no line break, is on disk. */
  append(line: string): Promise<void>;
  /** Resolves when everything appended so far is on disk. */
  synced(): Promise<void>;
  close(): Promise<void>;
};

/** Longer than any line we write: a file with more bytes than this before a line break is not our log. */
const MAX_LINE_BYTES = 64 * 1024;
const READ_BYTES = 1024 * 1024;
const LINE_BREAK = 0x0a;

const onDisk = Promise.resolve();

/** All lines of one turn of the event loop are written by one call, however quick the last write was. */
const turnEnds = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A log that forgets, for tests and for sandboxes that need not survive a restart. */
export const memoryLog: BookLog = { append: () => onDisk, synced: () => onDisk, close: () => onDisk };

/** Opens or creates the log, gives every line of it to `replay`, and cuts off a line that a crash left incomplete. */
export async function openLog(path: string, replay: (line: string) => void): Promise<BookLog> {
  const file = await open(path, 'a+', 0o600);
  try {
    const whole = await replayLines(file, path, replay);
    if (whole < (await file.stat()).size) await file.truncate(whole);
    await file.sync();
    await syncFolder(dirname(path));
    return new LogFile(file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

class LogFile implements BookLog {
  readonly #file: FileHandle;
  #lines: string[] = [];
  #batch: Promise<void> | undefined;
  /** The write under way, or the last one. */
  #write: Promise<void> = onDisk;
  #failure: Error | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  append(line: string): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#lines.push(line);
    this.#batch ??= this.#write.then(turnEnds).then(() => this.#writeBatch());
    return this.#batch;
  }

  synced(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    return this.#batch ?? this.#write;
  }

  async close(): Promise<void> {
    await this.synced().catch(() => {});
    this.#failure ??= new Error('The log is closed');
    await this.#file.close();
  }

  #writeBatch(): Promise<void> {
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#batch = undefined;
    this.#write = this.#writeAndSync(Buffer.from(text));
    return this.#write;
  }

  async #writeAndSync(bytes: Buffer): Promise<void> {
    try {
      let written = 0;
      while (written < bytes.length) written += (await this.#file.write(bytes, written)).bytesWritten;
      await this.#file.datasync();
    } catch (cause) {
      // After a failed sync nobody knows what is on disk; only a fresh start can read it back.
      this.#failure = new Error('The log could not be written', { cause });
      throw this.#failure;
    }
  }
}

/** Replays the whole lines and returns where the last good one ends. A bad line in front of a good one is an error. */
async function replayLines(file: FileHandle, path: string, replay: (line: string) => void): Promise<number> {
  let tornAt: number | undefined;
  let position = 0;
  for await (const line of wholeLines(file, path)) {
    const torn = !isReplayed(line, replay);
    if (!torn && tornAt !== undefined) throw new Error(`${path} is damaged at byte ${tornAt}`);
    if (torn) tornAt ??= position;
    position += line.length + 1;
  }
  return tornAt ?? position;
}

function isReplayed(line: Buffer, replay: (line: string) => void): boolean {
  try {
    replay(line.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

async function* wholeLines(file: FileHandle, path: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = rest.indexOf(LINE_BREAK); end >= 0; end = rest.indexOf(LINE_BREAK, start)) {
      yield rest.subarray(start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
    if (rest.length > MAX_LINE_BYTES) throw new Error(`${path} is not a log: a line exceeds ${MAX_LINE_BYTES} bytes`);
  }
}

/** A new file survives a crash only when its folder is synced too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
