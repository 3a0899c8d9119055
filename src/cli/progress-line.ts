// One line on standard error that says how far slow work has come. On a terminal it is written over again and again,
// and moves although the work is silent. Elsewhere it is a line now and then, and only for what really takes long.

import { type ProgressState, progressText } from '../domain/progress-text.ts';

const TOLD_EVERY_MS = 200;
const MOVES_EVERY_MS = 1_000;
const LINE_EVERY_MS = 60_000;
const COLUMNS = 80;

type ProgressStream = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };

export type ProgressOptions = { readonly stream?: ProgressStream; readonly now?: () => number };

export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  readonly #everyMs: number;
  #state: ProgressState | undefined;
  #began: number;
  #toldAt: number;
  #moving: NodeJS.Timeout | undefined;

  constructor({ stream = process.stderr, now = () => performance.now() }: ProgressOptions = {}) {
    this.#stream = stream;
    this.#now = now;
    this.#everyMs = stream.isTTY ? TOLD_EVERY_MS : LINE_EVERY_MS;
    this.#began = now();
    // Where a line stays, short work leaves none.
    this.#toldAt = stream.isTTY ? Number.NEGATIVE_INFINITY : now();
  }

  /** Another `doing` is another piece of work, whose rate is its own. */
  show(state: ProgressState): void {
    const isNew = state.doing !== this.#state?.doing;
    if (isNew) this.#began = this.#now();
    this.#state = state;
    this.#moving ??= setInterval(() => this.#tell(), MOVES_EVERY_MS).unref();
    if (isNew && this.#stream.isTTY) this.#write();
    else this.#tell();
  }

  clear(): void {
    clearInterval(this.#moving);
    this.#moving = undefined;
    const wasShown = this.#state !== undefined;
    this.#state = undefined;
    if (this.#stream.isTTY && wasShown) this.#stream.write('\r\u001b[K');
  }

  #tell(): void {
    if (this.#now() - this.#toldAt >= this.#everyMs) this.#write();
  }

  #write(): void {
    if (!this.#state) return;
    const now = this.#now();
    this.#toldAt = now;
    const text = progressText(this.#state, now - this.#began);
    // A line that is wider than the terminal could not be written over. Some terminals say that they have no width.
    if (this.#stream.isTTY) this.#stream.write(`\r${text.slice(0, (this.#stream.columns || COLUMNS) - 1)}\u001b[K`);
    else this.#stream.write(`tender: ${text}\n`);
  }
}

/** Shows the line while the work lasts, whatever becomes of it. */
export async function withProgress<T>(work: (progress: ProgressLine) => Promise<T>): Promise<T> {
  const progress = new ProgressLine();
  try {
    return await work(progress);
  } finally {
    progress.clear();
  }
}

/** Shows the migrations of a database that is opened. */
export function showsMigrations(progress: ProgressLine): (name: string, done: number, total: number) => void {
  return (at, done, total) => progress.show({ doing: 'Migrating', done, total, unit: 'migrations', at });
}
