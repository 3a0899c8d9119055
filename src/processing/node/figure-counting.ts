// Counts orders for the overview while the gateway runs, beside everything else: lot by lot, each in pieces, and never
// for more than a small share of the time.

import type { Clock } from '../../domain/clock.ts';
import type { FigureCounts } from '../../storage/figures/counting.ts';

const EVERY_MS = 10_000;
/** After each piece it rests so many times as long as the piece took. */
const REST = 9;
const SHORTEST_REST_MS = 20;
/** A sandbox's clock may have gone forward by days during a piece. */
const LONGEST_REST_MS = EVERY_MS;

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
      await this.#countAll(signal).catch((error) => signal.aborted || failed(error));
      await this.#clock.sleep(EVERY_MS, signal);
    }
  }

  async #countAll(signal: AbortSignal): Promise<void> {
    while (await this.#countLot(signal));
  }

  async #countLot(signal: AbortSignal): Promise<boolean> {
    let begun = this.#clock.now();
    const rest = async () => {
      const restMs = Math.max(SHORTEST_REST_MS, REST * (this.#clock.now() - begun));
      await this.#clock.sleep(Math.min(restMs, LONGEST_REST_MS), signal);
      signal.throwIfAborted();
      begun = this.#clock.now();
    };
    const isMore = await this.#counts.countLot(begun, rest);
    if (isMore) await rest();
    return isMore;
  }
}
