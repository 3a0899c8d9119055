// Histories of whole gateways from seeds: a fixed set, a random one whose seed is printed, and those that once failed.

import { describe, expect, it } from 'vitest';
import { runHistory } from './history.ts';
import { type Plan, planOf } from './plan.ts';
import regressions from './regressions.json' with { type: 'json' };
import { reportOf, simulate } from './simulate.ts';

const FIXED_SEED = 1;
const FIXED_HISTORIES = 300;

/** As many as a quiet machine manages in a few seconds; a busy one stops earlier. */
const RANDOM_HISTORIES = 600;
const LIMIT_MS = 8_000;

const randomSeed = Number(process.env.TENDER_TEST_SEED ?? Date.now() % 1_000_000_000);

describe('a simulated gateway', () => {
  it('has the same history, to the letter, whenever it is run from the same seed', async () => {
    for (const seed of [3, 14, 159, 2653]) {
      const [first, second] = [
        await runHistory(planOf(seed), { isTraced: true }),
        await runHistory(planOf(seed), { isTraced: true }),
      ];
      expect(first.trace.length).toBeGreaterThan(20);
      expect(second.trace.join('\n')).toBe(first.trace.join('\n'));
    }
  });

  it('has another history from another seed', async () => {
    const first = await runHistory(planOf(14), { isTraced: true });
    const second = await runHistory({ ...planOf(14), seed: 15 }, { isTraced: true });
    expect(second.trace.join('\n')).not.toBe(first.trace.join('\n'));
  });

  it(`keeps its word through ${FIXED_HISTORIES} fixed histories`, () =>
    keepsItsWord({ seed: FIXED_SEED, histories: FIXED_HISTORIES }));

  it(`keeps its word through random histories, TENDER_TEST_SEED=${randomSeed}`, () =>
    keepsItsWord({ seed: randomSeed, histories: RANDOM_HISTORIES, limitMs: LIMIT_MS }));

  it.each(regressions as unknown as Plan[])('keeps its word where it once did not, seed $seed', async (plan) => {
    const { breaches } = await runHistory(plan);
    expect(breaches).toEqual([]);
  });
});

async function keepsItsWord(wanted: Parameters<typeof simulate>[0]): Promise<void> {
  const { totals, failure } = await simulate(wanted);
  const { histories, steps, crashes, transactions, callbacks } = totals;
  process.stdout.write(
    `simulation from seed ${wanted.seed}: ${histories} histories, ${steps} steps, ${crashes} crashes, ` +
      `${transactions} transactions, ${callbacks} callbacks\n`,
  );
  if (failure) expect.fail(reportOf(failure));
}
