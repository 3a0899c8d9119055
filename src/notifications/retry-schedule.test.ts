import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_MS, MAX_TRIES, nextTryAt } from './retry-schedule.ts';

const START = Date.UTC(2026, 5, 1);

/** The times of all tries when every one fails, each `lateMs` after it came due. */
function triesOf(chances: readonly number[], lateMs = 0): number[] {
  const moments = [START];
  for (let tries = 1; ; tries++) {
    const now = (moments.at(-1) as number) + lateMs;
    const at = nextTryAt({ tries, scheduledAt: START, now, chance: chances[tries - 1] ?? 0 });
    if (at === undefined) return moments;
    moments.push(at);
  }
}

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const chances = fc.array(chance, { minLength: MAX_TRIES, maxLength: MAX_TRIES });

describe('the schedule of a callback nobody takes', () => {
  it('is 30 tries, the first repeat after ten seconds', () => {
    const tries = triesOf([]);
    expect(tries).toHaveLength(30);
    expect((tries[1] as number) - START).toBe(10_000);
  });

  it('stays within 30 tries and 14 days, its gaps growing, whatever chance adds', () => {
    fc.assert(
      fc.property(chances, (given) => {
        const tries = triesOf(given);
        expect(tries).toHaveLength(MAX_TRIES);
        expect((tries.at(-1) as number) - START).toBeLessThanOrEqual(LONGEST_MS);
        const gaps = tries.slice(1).map((at, index) => at - (tries[index] as number));
        for (const [index, gap] of gaps.entries())
          if (index > 0) expect(gap).toBeGreaterThan(gaps[index - 1] as number);
      }),
    );
  });

  it('ends after 14 days also when every try comes late', () => {
    fc.assert(
      fc.property(chances, fc.integer({ min: 0, max: LONGEST_MS }), (given, late) => {
        const tries = triesOf(given, late);
        expect(tries.length).toBeLessThanOrEqual(MAX_TRIES);
        for (const at of tries) expect(at - START).toBeLessThanOrEqual(LONGEST_MS);
      }),
    );
  });

  it('is spread by chance', () => {
    expect(nextTryAt({ tries: 1, scheduledAt: START, now: START, chance: 0.5 })).toBe(START + 10_500);
  });
});
