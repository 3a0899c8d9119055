// Counts orders for the overview while the gateway runs, beside everything else: one node at a time, lot by lot, and
// never for more than a small share of the time.

import type { Clock } from '../../domain/clock.ts';
import type { FigureCounts } from '../../storage/figures/counting.ts';

const EVERY_MS = 10_000;
/**
 * After a lot it rests so many times as long as the lot took. Under load the span that is under way is counted again
 * and again, whole, and the embedded database serves nobody meanwhile.
 */
const REST = 49;
const SHORTEST_REST_MS = 20;

export class FigureCounting {
  readonly #counts: FigureCounts;
  readonly #clock: Clock;

  constructor(counts: FigureCounts, clock: Clock) {
    this.#counts = counts;
    this.#clock = clock;
  }

  /** Counts until the signal is aborted; what failed is tried again later. */
  async run(signal: AbortSignal, failed: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      await this.#countAll(signal).catch(failed);
      await this.#clock.sleep(EVERY_MS, signal);
    }
  }

  async #countAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const begun = this.#clock.now();
      if (!(await this.#counts.countLot(begun))) return;
      const tookMs = this.#clock.now() - begun;
      await this.#clock.sleep(Math.max(SHORTEST_REST_MS, REST * tookMs), signal);
    }
  }
}
