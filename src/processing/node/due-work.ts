// The one loop for what comes due: it claims a lot, begins with each of it, and looks again after a pause, or at once
// when the lot was full or somebody wakes it. What it does not finish comes due again, here or on another node, when
// its lease ends.

import type { Clock } from '../../domain/clock.ts';
import type { Log, LogFields } from '../../telemetry/log.ts';

export type DueWorkOptions<Item> = {
  /** What is looked for, and one of it, as the log names them: `callbacks`, `a callback`. */
  readonly name: string;
  readonly one: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The pause between two looks when nothing wakes us. */
  readonly everyMs: number;
  /** The shortest pause between two looks, so that many small ones do not keep the database busy. */
  readonly restMs?: number;
  /** The most one claim takes: as many mean that there may be more. */
  readonly lot: number;
  /** The most that may be under way when something is claimed. */
  readonly most: number;
  /** Takes what is due, no more than the limit, under a lease. */
  claim(limit: number): Promise<readonly Item[]>;
  handle(item: Item): Promise<unknown>;
  /** What the log tells about one that failed. */
  about(item: Item): LogFields;
  /** What is done before a claim, but not more often than this; a look at which it fails claims nothing. */
  readonly chore?: { readonly everyMs: number; do(): Promise<unknown> };
  /** Gives back what was claimed and has not begun when the loop stops. */
  giveBack?(): void;
};

export class DueWork<Item> {
  readonly #options: DueWorkOptions<Item>;
  // A count, not a set: a set that gains and loses an entry with every order makes itself a new table again and again,
  // and the old tables keep what was in them from being cleared away.
  #underWay = 0;
  #waiting: (() => void)[] = [];
  #wake = new AbortController();
  #lacksRoom = false;
  #choreAt = 0;

  constructor(options: DueWorkOptions<Item>) {
    this.#options = options;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Something came due: look at once. */
  readonly wake = (): void => this.#wake.abort();

  /** Looks after whatever comes due until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, everyMs, restMs, giveBack } = this.#options;
    // One listener for all looks: signals made of this one with AbortSignal.any would be kept for as long as it is.
    signal.addEventListener('abort', this.wake, { once: true });
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const mayBeMore = await this.look();
      if (restMs !== undefined) await clock.sleep(restMs, signal);
      if (!mayBeMore) await clock.sleep(everyMs, this.#wake.signal);
    }
    giveBack?.();
  }

  /** Begins with what is due now, and tells whether there may be more. */
  async look(): Promise<boolean> {
    const { name, lot, most, claim, log } = this.#options;
    try {
      await this.#doChore();
      const limit = Math.min(lot, most - this.#underWay);
      this.#lacksRoom = limit <= 0;
      if (this.#lacksRoom) return false;
      const items = await claim(limit);
      for (const item of items) this.begin(item);
      return items.length === limit;
    } catch (error) {
      log.warn(`looking for due ${name} failed`, { error });
      return false;
    }
  }

  begin(item: Item): void {
    const { about, handle } = this.#options;
    void this.track(handle(item), about(item));
  }

  /** Counts it until it ends; what fails is told and left to its lease. */
  track<T>(work: Promise<T>, about: LogFields): Promise<T | undefined> {
    this.#underWay += 1;
    return work.then(this.#end, (error) => {
      const { log, one } = this.#options;
      log.error(`${one} was left to its lease`, { ...about, error });
      return this.#end(undefined);
    });
  }

  /** Resolves when nothing is under way any more. */
  async drained(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #doChore(): Promise<void> {
    const { chore, clock } = this.#options;
    if (!chore || clock.now() < this.#choreAt) return;
    await chore.do();
    this.#choreAt = clock.now() + chore.everyMs;
  }

  readonly #end = <T>(result: T): T => {
    this.#underWay -= 1;
    if (this.#lacksRoom && this.#underWay <= this.#options.most / 2) this.wake();
    if (this.#underWay > 0) return result;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
    return result;
  };
}
