// Writes what is seen in a sandbox to its terminal: kept for a moment and written together, so that no request waits
// for a terminal, and never more than a person could read.

import type { Seen } from '../../telemetry/seen.ts';
import { type Paint, seenLine } from './seen-line.ts';

const WRITE_EVERY_MS = 50;
const MAX_WAITING = 2_000;

export class Lines {
  readonly #stream: { write(text: string): unknown };
  readonly #paint: Paint;
  #waiting: Seen[] = [];
  #leftOut = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: { write(text: string): unknown }, paint: Paint) {
    this.#stream = stream;
    this.#paint = paint;
  }

  readonly see = (seen: Seen): void => {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#leftOut += 1;
      return;
    }
    this.#waiting.push(seen);
    this.#timer ??= setTimeout(() => this.flush(), WRITE_EVERY_MS).unref();
  };

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#waiting.map((seen) => seenLine(seen, this.#paint));
    if (this.#leftOut > 0) lines.push(`${this.#leftOut} more were not shown`);
    this.#waiting = [];
    this.#leftOut = 0;
    if (lines.length > 0) this.#stream.write(`${lines.join('\n')}\n`);
  }
}
