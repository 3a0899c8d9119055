import { describe, expect, it } from 'vitest';
import { claimByShard } from './claims.ts';

describe('claims by shard', () => {
  const shards = [0, 3, 5];

  it('ask every shard, each in its turn first, and for no more than is left', async () => {
    const claimEach = claimByShard(() => shards);
    const asked: [number, number][][] = [];
    for (let round = 0; round < 3; round++) {
      const ofRound: [number, number][] = [];
      const claimed = await claimEach(5, async (shard, limit) => {
        ofRound.push([shard, limit]);
        return [shard, shard];
      });
      expect(claimed).toHaveLength(6);
      asked.push(ofRound);
    }
    expect(asked.map(([first]) => first)).toEqual([
      [3, 5],
      [5, 5],
      [0, 5],
    ]);
    expect(asked[0]?.map(([, limit]) => limit)).toEqual([5, 3, 1]);
  });

  it('stop when there is room for no more', async () => {
    const claimed = await claimByShard(() => shards)(2, async (shard, limit) => Array(limit).fill(shard));
    expect(claimed).toEqual([3, 3]);
  });

  it('are given although the machine of another shard is away', async () => {
    const claimEach = claimByShard(() => shards);
    const claim = async (shard: number) => (shard === 3 ? Promise.reject(new Error('away')) : [shard]);
    expect(await claimEach(10, claim)).toEqual([5, 0]);
  });

  it('fail when nothing was claimed and a machine is away', async () => {
    const claim = async (shard: number) => (shard === 5 ? Promise.reject(new Error('away')) : []);
    await expect(claimByShard(() => shards)(10, claim)).rejects.toThrow('away');
  });
});
