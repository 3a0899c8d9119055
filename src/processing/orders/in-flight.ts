// How much is under way, for those who wait until nothing is. A count, not a set: a set that gains and loses an entry with
// every order makes itself a new table again and again, and the old tables keep what was in them from being cleared away.

export class InFlight {
  #count = 0;
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  /** Counts it until it ends, well or not. */
  track(work: Promise<unknown>): void {
    this.#count += 1;
    work.then(this.#end, this.#end);
  }

  /** Resolves when nothing is under way any more. */
  async drained(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  readonly #end = (): void => {
    this.#count -= 1;
    if (this.#count > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  };
}
