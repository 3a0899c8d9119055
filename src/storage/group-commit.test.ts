import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit.ts';

describe('group commit', () => {
  it('writes alone what comes alone, and together what comes while a write runs', async () => {
    const writes: number[][] = [];
    let finish = () => {};
    const commits = new GroupCommit<number>(
      (items) => {
        writes.push(items);
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      { lanes: 1, maxBatch: 100 },
    );
    commits.add(1, 0);
    await new Promise(setImmediate);
    expect(writes).toEqual([[1]]);
    for (const item of [2, 3, 4]) commits.add(item, 0);
    await new Promise(setImmediate);
    expect(writes).toEqual([[1]]);
    finish();
    await new Promise(setImmediate);
    expect(writes).toEqual([[1], [2, 3, 4]]);
    finish();
    await commits.drained();
  });

  it('never takes more than its bound, and loses nothing', async () => {
    const writes: number[][] = [];
    const commits = new GroupCommit<number>(async (items) => void writes.push(items), { lanes: 1, maxBatch: 7 });
    for (let item = 0; item < 100; item++) commits.add(item, 0);
    await commits.drained();
    expect(Math.max(...writes.map((items) => items.length))).toBe(7);
    expect(writes.flat()).toEqual(Array.from({ length: 100 }, (_, item) => item));
  });

  it('keeps items of one key in order, and lets other lanes pass', async () => {
    const writes: number[][] = [];
    const commits = new GroupCommit<number>(
      async (items) => {
        writes.push(items);
        await new Promise((resolve) => setTimeout(resolve, items.includes(0) ? 20 : 0));
      },
      { lanes: 2, maxBatch: 10 },
    );
    commits.add(0, 0);
    commits.add(1, 1);
    await new Promise(setImmediate);
    commits.add(2, 2);
    commits.add(3, 3);
    await commits.drained();
    expect(writes.flat().filter((item) => item % 2 === 0)).toEqual([0, 2]);
    expect(writes.flat().indexOf(3)).toBeLessThan(writes.flat().indexOf(2));
  });
});
