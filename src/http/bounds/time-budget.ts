// How much of a process's time something that strangers may ask for is allowed to take: a share of all time, of which
// some may be saved up for those who ask rarely.

export type TimeBudget = { readonly share: number; readonly mostSavedMs: number };

export class SpentTime {
  readonly #budget: TimeBudget;
  #savedMs: number;
  #countedAt: number;

  constructor(budget: TimeBudget, now: number) {
    this.#budget = budget;
    this.#savedMs = budget.mostSavedMs;
    this.#countedAt = now;
  }

  isLeft(now: number): boolean {
    const { share, mostSavedMs } = this.#budget;
    this.#savedMs = Math.min(mostSavedMs, this.#savedMs + (now - this.#countedAt) * share);
    this.#countedAt = now;
    return this.#savedMs > 0;
  }

  /** What it took may be more than was left; then it is waited for longer. */
  spend(ms: number): void {
    this.#savedMs -= ms;
  }
}
