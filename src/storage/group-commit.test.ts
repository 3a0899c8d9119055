import { describe, expect, it } from 'vitest';
import { shardOf } from '../domain/merchant/shard.ts';
import { askTogether, GroupCommit } from './group-commit.ts';

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
    commits.add(1, 0, 0);
    await new Promise(setImmediate);
    expect(writes).toEqual([[1]]);
    for (const item of [2, 3, 4]) commits.add(item, 0, 0);
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
    for (let item = 0; item < 100; item++) commits.add(item, 0, 0);
    await commits.drained();
    expect(Math.max(...writes.map((items) => items.length))).toBe(7);
    expect(writes.flat()).toEqual(Array.from({ length: 100 }, (_, item) => item));
  });

  it('lets everybody go first who has waited longest, when one has sent more than a write takes', async () => {
    const writes: string[][] = [];
    const commits = new GroupCommit<string>(async (items) => void writes.push(items), {
      ...{ lanes: 1, maxBatch: 4 },
      whose: (item) => item.charCodeAt(0),
    });
    for (let number = 1; number <= 9; number++) commits.add(`a${number}`, number, 0);
    for (const item of ['b1', 'c1', 'b2']) commits.add(item, 0, 0);
    await commits.drained();
    expect(writes).toEqual([
      ['a1', 'b1', 'c1', 'b2'],
      ['a2', 'a3', 'a4', 'a5'],
      ['a6', 'a7', 'a8', 'a9'],
    ]);
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
    commits.add(0, 0, 0);
    commits.add(1, 1, 0);
    await new Promise(setImmediate);
    commits.add(2, 2, 0);
    commits.add(3, 3, 0);
    await commits.drained();
    expect(writes.flat().filter((item) => item % 2 === 0)).toEqual([0, 2]);
    expect(writes.flat().indexOf(3)).toBeLessThan(writes.flat().indexOf(2));
  });

  it('never writes items of two shards together, whatever comes in which order', async () => {
    const writes: { shard: number; item: number }[][] = [];
    const slowly = async (items: { shard: number; item: number }[]) => {
      writes.push(items);
      await new Promise((resolve) => setTimeout(resolve, items.length % 3));
    };
    const commits = new GroupCommit(slowly, { lanes: 3, maxBatch: 8 });
    for (let item = 0; item < 500; item++) {
      const shard = (item * 7919) % 5;
      commits.add({ shard, item }, item % 11, shard);
      if (item % 37 === 0) await new Promise(setImmediate);
    }
    await commits.drained();
    for (const items of writes) expect(new Set(items.map(({ shard }) => shard)).size).toBe(1);
    expect(
      writes
        .flat()
        .map(({ item }) => item)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 500 }, (_, n) => n));
    expect(commits.waiting).toBe(0);
  });

  it('asks together only about merchants of one shard', async () => {
    const asked: number[][] = [];
    const ask = askTogether(
      async (questions: readonly { merchantId: number }[]) => {
        asked.push(questions.map(({ merchantId }) => shardOf(merchantId)));
        return questions.map(({ merchantId }) => -merchantId);
      },
      { maxBatch: 10 },
    );
    const merchants = Array.from({ length: 60 }, (_, index) => (index % 4) * 2 ** 32 + index);
    expect(await Promise.all(merchants.map((merchantId) => ask({ merchantId })))).toEqual(merchants.map((id) => -id));
    for (const shards of asked) expect(new Set(shards).size).toBe(1);
    expect(asked.length).toBeLessThan(merchants.length);
  });
});
