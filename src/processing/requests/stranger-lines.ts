// How many lines of the journal are written about strangers: so many an hour for one address range and for all of
// them. What is left out is counted, and told in one line for each range when the hour is over.

const HOUR_MS = 60 * 60_000;

/** One address range, /24 or /64, and all of them together, in an hour on one node. */
export const MAX_LINES = { block: 500, all: 1_000 };

/** Ranges that are counted one by one, and those of them that get a line of their own. */
const MAX_BLOCKS = 5_000;
const MAX_SUMMARIES = 50;
/** What is not counted one by one. */
const OTHERS = 'others';

type Counted = { lines: number; leftOut: number };

export type LeftOut = { readonly block: string; readonly leftOut: number };

export class StrangerLines {
  #hour = 0;
  #all = 0;
  #blocks = new Map<string, Counted>();

  /** Whether a line about a request from this address range may be written; if not, the request is counted. */
  admits(block: string): boolean {
    const counted = this.#countedOf(block);
    const fits = this.#all < MAX_LINES.all && counted.lines < MAX_LINES.block;
    if (!fits) {
      counted.leftOut += 1;
      return false;
    }
    counted.lines += 1;
    this.#all += 1;
    return true;
  }

  /** Counts a request that gets no line anyway. */
  leaveOut(block: string): void {
    this.#countedOf(block).leftOut += 1;
  }

  /** What was left out, once its hour is over; most first, and no more than a few. */
  endedBy(now: number): LeftOut[] {
    const hour = Math.floor(now / HOUR_MS);
    return hour === this.#hour ? [] : this.end(hour);
  }

  /** What was left out so far; counting begins anew. */
  end(hour = this.#hour): LeftOut[] {
    const all = [...this.#blocks].map(([block, { leftOut }]) => ({ block, leftOut }));
    const told = all.filter(({ leftOut }) => leftOut > 0).sort((a, b) => b.leftOut - a.leftOut);
    this.#blocks = new Map();
    this.#all = 0;
    this.#hour = hour;
    const rest = told.splice(MAX_SUMMARIES).reduce((sum, { leftOut }) => sum + leftOut, 0);
    return rest === 0 ? told : [...told, { block: OTHERS, leftOut: rest }];
  }

  #countedOf(block: string): Counted {
    const key = this.#blocks.has(block) || this.#blocks.size < MAX_BLOCKS ? block : OTHERS;
    const known = this.#blocks.get(key);
    if (known) return known;
    const counted = { lines: 0, leftOut: 0 };
    this.#blocks.set(key, counted);
    return counted;
  }
}
