// The ids this node gives to orders, cards, card references and recurring payments: all from one counter in the
// database, so that no two things have the same id, and a card and its order or recurring payment may share one.
// They are taken in blocks ahead of need; a request waits only when they ran out.

import { randomInt } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import { addRange, type IdRange, isLow, LEAST_BLOCK, leftIn, takeId, topUp } from '../../domain/ids/id-blocks.ts';
import { idWarning } from '../../domain/ids/id-space.ts';
import type { IdCounter } from '../../storage/id-counter.ts';
import type { Log } from '../../telemetry/log.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export type OrderIdParts = {
  readonly counter: IdCounter;
  readonly clock: Clock;
  readonly log: Log;
  /** Ids grow by steps from 1 to this, at random. */
  readonly stride?: number | undefined;
};

export class OrderIds {
  readonly #parts: OrderIdParts;
  readonly #stride: number;
  #ranges: readonly IdRange[] = [];
  /** The first id behind all that this node ever had. */
  #end = 1;
  #size = LEAST_BLOCK;
  #filledAt = Number.NEGATIVE_INFINITY;
  #filling: Promise<void> | undefined;
  #waiting = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: OrderIdParts) {
    this.#parts = parts;
    this.#stride = parts.stride ?? 1;
  }

  /** Larger than every id this node gave before. */
  async next(): Promise<number> {
    for (;;) {
      const taken = takeId(this.#ranges, this.#stride === 1 ? 1 : randomInt(1, this.#stride + 1));
      if (taken) {
        this.#ranges = taken.ranges;
        // If it fails now, the next id asks again, and the last one that waits learns why.
        if (isLow(leftIn(this.#ranges), this.#size, this.#stride)) this.fill().catch(() => {});
        return taken.id;
      }
      this.#waiting += 1;
      await this.fill().finally(() => {
        this.#waiting -= 1;
      });
    }
  }

  /** Takes ids from the counter ahead of need. Parallel calls share one turn. */
  fill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  async #fill(): Promise<void> {
    const { counter, clock } = this.#parts;
    const now = clock.now();
    const { size, taken } = topUp({
      size: this.#size,
      left: leftIn(this.#ranges),
      lastedMs: now - this.#filledAt,
      waiting: this.#waiting,
      stride: this.#stride,
    });
    if (taken > 0) {
      const range = await counter.take(taken, this.#end);
      this.#end = range.until;
      this.#ranges = addRange(this.#ranges, range);
      this.#warn(range.until, now);
    }
    this.#size = size;
    this.#filledAt = now;
  }

  #warn(nextId: number, now: number): void {
    const warning = idWarning(nextId);
    if (warning === undefined || now - this.#warnedAt < DAY_MS) return;
    this.#warnedAt = now;
    this.#parts.log.warn(warning, { count: nextId });
  }

  /** Gives back what was not used, so that a gateway alone leaves no gap when it starts again. */
  async close(): Promise<void> {
    await this.#filling?.catch(() => {});
    const unused = this.#ranges.at(-1);
    this.#ranges = [];
    if (unused) await this.#parts.counter.giveBack(unused);
  }
}

/** Lets ids begin at `firstId`. Told the same again it does nothing; ids never go back. */
export async function beginIdsAt(counter: IdCounter, firstId: number): Promise<void> {
  const state = await counter.moveForward(firstId);
  if (state.firstId === firstId) return;
  throw new Error(
    `ids cannot begin at ${firstId}: ${state.nextId} is the next one, and they never go back; leave --first-id out or give a larger one`,
  );
}
