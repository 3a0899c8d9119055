// The log of the books: lines that are added at the end and found again by where they begin.

export type Located = { readonly position: number; readonly line: string };

export type BookLog = {
  /** Where the next line will begin. */
  readonly end: number;
  /** Resolves when the line, which holds no line break, is on disk. */
  append(line: string): Promise<void>;
  /** The line that begins there. */
  read(position: number): string;
  /** Resolves when the line that begins there is on disk. */
  durable(position: number): Promise<void>;
  /** The lines from `from` up to `to`, many at a time, once they are on disk. Both are where a line begins. */
  lines(from: number, to: number): AsyncIterable<readonly Located[]>;
  /** Resolves when everything appended so far is on disk. */
  synced(): Promise<void>;
  close(): Promise<void>;
};

export const onDisk = Promise.resolve();

/** A log that is forgotten, for tests and for sandboxes that need not survive a restart. */
export class MemoryLog implements BookLog {
  readonly #lines: string[] = [];

  get end(): number {
    return this.#lines.length;
  }

  append(line: string): Promise<void> {
    this.#lines.push(line);
    return onDisk;
  }

  read(position: number): string {
    return this.#lines[position]!;
  }

  durable(): Promise<void> {
    return onDisk;
  }

  async *lines(from: number, to: number): AsyncGenerator<readonly Located[]> {
    yield this.#lines.slice(from, to).map((line, index) => ({ position: from + index, line }));
  }

  synced(): Promise<void> {
    return onDisk;
  }

  async close(): Promise<void> {}
}
