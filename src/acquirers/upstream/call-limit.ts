// How long a call may take, by the clock that tests can put forward. Closing ends every call at once.

import type { Clock } from '../../domain/clock.ts';

export type CallLimit = {
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
  readonly until: number;
};

export class OpenCalls {
  readonly #clock: Clock;
  readonly #open = new Set<AbortController>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async within<T>(limitMs: number, work: (limit: CallLimit) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const done = new AbortController();
    this.#open.add(over);
    if (this.#isClosed) over.abort();
    void this.#clock.sleep(limitMs, done.signal).then(() => over.abort());
    try {
      return await work({ signal: over.signal, until: this.#clock.now() + limitMs });
    } finally {
      this.#open.delete(over);
      done.abort();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const over of this.#open) over.abort();
  }
}
