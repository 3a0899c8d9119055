// The one loop for due work: it claims a lot of items, begins with each of them, and looks again after a pause, or at
// once when the lot was full or somebody wakes it. An item that is not finished comes due again, here or on another
// node, when its lease ends.

import type { Clock } from '../../domain/clock.ts';
import type { Log, LogFields } from '../../telemetry/log.ts';

export type DueWorkOptions<Item> = {
  /** The items and one of them, as the log names them: `callbacks`, `a callback`. */
  readonly name: string;
  readonly one: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The pause between two looks when nothing wakes us. */
  readonly everyMs: number;
  /** The shortest pause between two looks, so that many small ones do not keep the database busy. */
  readonly restMs?: number;
  /** The most items one claim takes; when it takes that many there may be more. */
  readonly lot: number;
  /** No claim is made while this many items are under way. */
  readonly most: number;
  /** Takes due items under a lease, no more than the limit. */
  claim(limit: number): Promise<readonly Item[]>;
  handle(item: Item): Promise<unknown>;
  /** What the log says about an item that failed. */
  about(item: Item): LogFields;
  /** The merchant an item is of, where they are counted. */
  whose?(item: Item): number;
  /** Work that is done before a claim, at most once in `everyMs`. When it fails nothing is claimed. */
  readonly chore?: { readonly everyMs: number; do(): Promise<unknown> };
  /** Gives back items that were claimed but not begun when the loop stops. */
  giveBack?(): void;
};

export class DueWork<Item> {
  readonly #options: DueWorkOptions<Item>;
  // A count, not a set: a set that gains and loses an entry with every order makes itself a new table again and again,
  // and the old tables keep what was in them from being cleared away.
  #underWay = 0;
  readonly #byMerchant = new Map<number, number>();
  #waiting: (() => void)[] = [];
  #wake = new AbortController();
  #lacksRoom = false;
  #choreAt = 0;
  #begun = 0;
  #looks = 0;
  #awaitedLooks: { readonly look: number; readonly end: () => void }[] = [];

  constructor(options: DueWorkOptions<Item>) {
    this.#options = options;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** How many items were begun since the start. */
  get begun(): number {
    return this.#begun;
  }

  underWayOf(merchantId: number): number {
    return this.#byMerchant.get(merchantId) ?? 0;
  }

  /** Makes the loop look at once, because something came due. */
  readonly wake = (): void => this.#wake.abort();

  /** Runs the loop until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, everyMs, restMs, giveBack } = this.#options;
    // One listener serves all looks: signals made with AbortSignal.any would be kept for as long as this one lives.
    signal.addEventListener('abort', this.wake, { once: true });
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const mayBeMore = await this.look();
      if (restMs !== undefined) await clock.sleep(restMs, signal);
      if (!mayBeMore) await clock.sleep(everyMs, this.#wake.signal);
    }
    giveBack?.();
  }

  /** Begins with the items that are due now, and returns whether there may be more. */
  async look(): Promise<boolean> {
    const { name, lot, most, claim, log } = this.#options;
    this.#looks += 1;
    const look = this.#looks;
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
    } finally {
      if (this.#awaitedLooks.length > 0) this.#endLook(look);
    }
  }

  /** Makes a running loop look once more; resolves when that look is over and nothing is under way. */
  async settled(): Promise<void> {
    const look = this.#looks + 1;
    const ended = new Promise<void>((end) => this.#awaitedLooks.push({ look, end }));
    this.wake();
    await ended;
    await this.drained();
  }

  begin(item: Item): void {
    const { about, handle, whose } = this.#options;
    void this.track(handle(item), about(item), whose?.(item));
  }

  /** Counts the work until it ends. A failure is logged; the item comes due again when its lease ends. */
  track<T>(work: Promise<T>, about: LogFields, merchantId?: number): Promise<T | undefined> {
    this.#underWay += 1;
    this.#begun += 1;
    this.#count(merchantId, 1);
    return work.then(
      (result) => this.#end(result, merchantId),
      (error) => {
        const { log, one } = this.#options;
        log.error(`${one} was left to its lease`, { ...about, error });
        return this.#end(undefined, merchantId);
      },
    );
  }

  /** Resolves when nothing is under way any more. */
  async drained(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #endLook(ended: number): void {
    const over = this.#awaitedLooks.filter(({ look }) => look <= ended);
    this.#awaitedLooks = this.#awaitedLooks.filter(({ look }) => look > ended);
    for (const { end } of over) end();
  }

  async #doChore(): Promise<void> {
    const { chore, clock } = this.#options;
    if (!chore || clock.now() < this.#choreAt) return;
    await chore.do();
    this.#choreAt = clock.now() + chore.everyMs;
  }

  #count(merchantId: number | undefined, change: 1 | -1): void {
    if (merchantId === undefined) return;
    const count = this.underWayOf(merchantId) + change;
    if (count === 0) this.#byMerchant.delete(merchantId);
    else this.#byMerchant.set(merchantId, count);
  }

  #end<T>(result: T, merchantId: number | undefined): T {
    this.#underWay -= 1;
    this.#count(merchantId, -1);
    if (this.#lacksRoom && this.#underWay <= this.#options.most / 2) this.wake();
    if (this.#underWay > 0) return result;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
    return result;
  }
}
