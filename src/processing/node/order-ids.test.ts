import { describe, expect, it } from 'vitest';
import type { Clock } from '../../domain/clock.ts';
import { LEAST_BLOCK, MOST_BLOCK } from '../../domain/ids/id-blocks.ts';
import type { CounterState, IdCounter } from '../../storage/id-counter.ts';
import type { Log, LogFields } from '../../telemetry/log.ts';
import { beginIdsAt, OrderIds } from './order-ids.ts';

class MemoryCounter implements IdCounter {
  nextId = 1;
  firstId: number | undefined;
  readonly taken: number[] = [];
  /** While it is away, nobody gets a block. */
  isAway = false;

  read = async (): Promise<CounterState> => ({ nextId: this.nextId, firstId: this.firstId });

  take: IdCounter['take'] = async (count, atLeast = 1) => {
    if (this.isAway) throw new Error('the database is away');
    this.taken.push(count);
    this.nextId = Math.max(this.nextId, atLeast) + count;
    return { from: this.nextId - count, until: this.nextId };
  };

  giveBack: IdCounter['giveBack'] = async ({ from, until }) => {
    if (this.nextId === until) this.nextId = from;
  };

  moveForward: IdCounter['moveForward'] = async (firstId) => {
    if (this.nextId <= firstId) Object.assign(this, { nextId: firstId, firstId });
    return this.read();
  };
}

function setting(stride?: number) {
  const counter = new MemoryCounter();
  const time = { now: Date.UTC(2027, 0, 1) };
  const clock: Clock = { now: () => time.now, sleep: async () => {} };
  const warnings: [string, LogFields | undefined][] = [];
  const log: Log = { info: () => {}, error: () => {}, warn: (message, fields) => warnings.push([message, fields]) };
  const open = () => new OrderIds({ counter, clock, log, stride });
  return { counter, time, warnings, open };
}

async function given(ids: OrderIds, count: number): Promise<number[]> {
  const made: number[] = [];
  for (let index = 0; index < count; index++) made.push(await ids.next());
  return made;
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('ids', () => {
  it('of a node alone are 1, 2, 3 and so on', async () => {
    expect(await given(setting().open(), 5000)).toEqual(upTo(5000));
  });

  it('are taken before they are needed: nobody waits while the database is away for a moment', async () => {
    const { counter, open } = setting();
    const ids = open();
    await ids.fill();
    await given(ids, LEAST_BLOCK / 2);
    counter.isAway = true;
    const left = counter.nextId - 1 - LEAST_BLOCK / 2;
    await given(ids, left);
    await expect(ids.next()).rejects.toThrow('the database is away');
    counter.isAway = false;
    expect(await ids.next()).toBe(left + LEAST_BLOCK / 2 + 1);
  });

  it('that a thousand requests wait for come at once, and each once', async () => {
    const { counter, open } = setting();
    const ids = open();
    const made = await Promise.all(Array.from({ length: 1000 }, () => ids.next()));
    expect(new Set(made).size).toBe(1000);
    expect(counter.taken.length).toBeLessThan(10);
  });

  it('are asked for more rarely by a busy node, and a quiet one goes back to small blocks', async () => {
    const { counter, time, open } = setting();
    const ids = open();
    await given(ids, 100_000);
    expect(Math.max(...counter.taken)).toBeLessThanOrEqual(MOST_BLOCK);
    expect(counter.taken.length).toBeLessThan(50);
    counter.taken.length = 0;
    for (let index = 0; index < 20_000; index++) {
      time.now += 60_000;
      await ids.next();
    }
    expect(counter.taken.at(-1)).toBeLessThanOrEqual(LEAST_BLOCK);
  });

  it('that were not used are given back at the end, and are the first of the next start', async () => {
    const { open } = setting();
    const first = open();
    expect(await given(first, 3)).toEqual([1, 2, 3]);
    await first.close();
    expect(await given(open(), 3)).toEqual([4, 5, 6]);
  });

  it('are not given back when another node has taken a block since', async () => {
    const { open } = setting();
    const [first, second] = [open(), open()];
    const made = [...(await given(first, 3)), ...(await given(second, 3))];
    await first.close();
    made.push(...(await given(open(), 3)), ...(await given(second, 3)));
    expect(new Set(made).size).toBe(made.length);
  });

  it('that were given back are given to the next node alone, also when a late request asks the closed one', async () => {
    const { open } = setting();
    const closed = open();
    const made = await given(closed, 3);
    await closed.close();
    made.push(...(await given(closed, 2)), ...(await given(open(), 20)), ...(await given(closed, 20)));
    expect(new Set(made).size).toBe(made.length);
  });

  it('that are on their way when a node stops are given back too', async () => {
    const { counter, open } = setting();
    const ids = open();
    const filling = ids.fill();
    await ids.close();
    await filling;
    expect(counter.nextId).toBe(1);
  });

  it('are given back from the last block on, not from one before another node took its own', async () => {
    const { counter, open } = setting();
    const [first, second] = [open(), open()];
    await first.fill();
    const made = await given(second, 1);
    // Half of the first block is used, so a second one comes behind that of the other node.
    made.push(...(await given(first, LEAST_BLOCK / 2)));
    await first.fill();
    expect(counter.nextId).toBeGreaterThan(2 * LEAST_BLOCK + 1);
    await first.close();
    expect(counter.nextId).toBe(2 * LEAST_BLOCK + 1);
    made.push(...(await given(open(), LEAST_BLOCK)), ...(await given(second, LEAST_BLOCK)));
    expect(new Set(made).size).toBe(made.length);
  });

  it('rise and are given once when the counter goes back under a node, as a replica that lagged lets it', async () => {
    const { counter, open } = setting();
    const ids = open();
    const made = await given(ids, 40);
    counter.nextId = 1;
    made.push(...(await given(ids, 200)));
    expect(made).toEqual(upTo(240));
    expect(counter.nextId).toBeGreaterThan(240);
  });

  it('with a stride rise by steps up to it', async () => {
    const made = await given(setting(50).open(), 3000);
    const steps = made.map((id, index) => id - (made[index - 1] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...steps)).toBeLessThanOrEqual(50);
    expect(new Set(steps).size).toBeGreaterThan(40);
  });
});

describe('ids that will soon not fit 32 bits', () => {
  it('are warned of once a day, and go on above', async () => {
    const { counter, time, warnings, open } = setting();
    counter.nextId = 2 ** 31 - 100;
    const ids = open();
    const made = await given(ids, 200);
    expect(made).toEqual(upTo(200).map((index) => 2 ** 31 - 101 + index));
    expect(warnings.map(([message]) => message)).toEqual([expect.stringMatching(/^99 % of the ids/)]);
    time.now += 24 * 60 * 60 * 1000;
    await given(ids, MOST_BLOCK);
    expect(warnings.map(([message]) => message)).toEqual([
      expect.stringMatching(/^99 % of the ids/),
      expect.stringMatching(/^new ids no longer fit a signed 32-bit integer/),
    ]);
  });

  it('are not spoken of before', async () => {
    const { counter, warnings, open } = setting();
    counter.nextId = 1_700_000_000;
    await given(open(), 1000);
    expect(warnings).toEqual([]);
  });
});

describe('the first id', () => {
  it('moves the counter forward, and asking for the same again does nothing', async () => {
    const { counter, open } = setting();
    await beginIdsAt(counter, 500_000);
    expect(await given(open(), 2)).toEqual([500_000, 500_001]);
    await beginIdsAt(counter, 500_000);
    expect(counter.nextId).toBe(500_000 + LEAST_BLOCK);
  });

  it('never moves it back', async () => {
    const { counter, open } = setting();
    await given(open(), 3);
    await expect(beginIdsAt(counter, 5)).rejects.toThrow(
      'ids cannot begin at 5: 17 is the next one, and they never go back; leave --first-id out or give a larger one',
    );
  });
});
