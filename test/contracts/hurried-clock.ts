// The real time, which can be made to skip ahead: minutes pass for those who wait by this clock, and nobody else waits.

import { type Clock, systemClock } from '../../src/domain/clock.ts';

export class HurriedClock implements Clock {
  #skippedMs = 0;
  readonly #sleepers = new Set<{ readonly until: number; wake(): void }>();

  now = () => Date.now() + this.#skippedMs;

  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    const early = new AbortController();
    const sleeper = { until: this.now() + ms, wake: () => early.abort() };
    this.#sleepers.add(sleeper);
    const end = signal ? AbortSignal.any([signal, early.signal]) : early.signal;
    await systemClock.sleep(ms, end);
    this.#sleepers.delete(sleeper);
  };

  skip(ms: number): void {
    this.#skippedMs += ms;
    for (const sleeper of this.#sleepers) if (sleeper.until <= this.now()) sleeper.wake();
  }
}
