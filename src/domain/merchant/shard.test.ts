import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { byShard, LAST_SHARD, merchantIdIn, nameInShard, nextMerchantId, shardOf, shardsOfName } from './shard.ts';

const SHARDS = [0, 1, 3, 255, 256, 4_095, LAST_SHARD];

describe('the shard of a merchant', () => {
  it.each([
    [1, 0],
    [4_294_967_295, 0],
    [4_294_967_296, 1],
    [3 * 2 ** 32 + 7, 3],
    [LAST_SHARD * 2 ** 32 + 1, LAST_SHARD],
  ])('of merchant %i is %i', (merchantId, shard) => {
    expect(shardOf(merchantId)).toBe(shard);
  });

  it.each(SHARDS)('is in the ids of merchants of shard %i', (shard) => {
    for (const number of [0, 1, 77, 2 ** 32 - 1]) {
      const merchantId = merchantIdIn(shard, number);
      expect([shardOf(merchantId), Number.isSafeInteger(merchantId)]).toEqual([shard, true]);
    }
  });

  it.each([
    [-1, 1],
    [LAST_SHARD + 1, 1],
    [0.5, 1],
    [0, 2 ** 32],
    [0, -1],
    [0, 1.5],
  ])('has no id for shard %d and number %d', (shard, number) => {
    expect(() => merchantIdIn(shard, number)).toThrow('has no id');
  });

  it('counts the merchants of each shard by themselves', () => {
    const merchants = [1, 2, merchantIdIn(3, 9)].map((merchantId) => ({ merchantId }));
    expect([0, 3, 4].map((shard) => nextMerchantId(merchants, shard))).toEqual([
      3,
      merchantIdIn(3, 10),
      merchantIdIn(4, 1),
    ]);
  });
});

describe('a name that strangers come with', () => {
  it.each(SHARDS)('leads to shard %i, and is a random UUID no other has', (shard) => {
    const names = Array.from({ length: 200 }, () => nameInShard(shard, randomUUID()));
    for (const name of names) {
      expect(name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      for (const written of [name, name.toUpperCase()]) {
        expect(shardsOfName(written, [0, shard])).toEqual(shard === 0 ? [0] : [shard, 0]);
        expect(shardsOfName(written, [0])).toEqual([0]);
      }
    }
    expect(new Set(names).size).toBe(names.length);
  });

  it('is looked for in shard 0 too: names there are random to the end', () => {
    expect(shardsOfName('5b8d5a1c-0000-4000-8000-000000000003', [0, 3])).toEqual([3, 0]);
  });

  it.each(['', 'abc', 'zzzz', '00000000-0000-4000-8000-00000000ffff'])(
    'leads to no shard that is not there: "%s"',
    (name) => {
      expect(shardsOfName(name, [0, 3])).toEqual([0]);
    },
  );
});

describe('rows by shard', () => {
  const rows = [1, 3 * 2 ** 32 + 1, 2, undefined, 3 * 2 ** 32 + 1];

  it('are of one shard each, in the order they came', () => {
    expect(byShard(rows, (row) => row)).toEqual([
      [1, 2, undefined],
      [3 * 2 ** 32 + 1, 3 * 2 ** 32 + 1],
    ]);
  });

  it('are the list itself where all are of one shard, and none where there is none', () => {
    const all = [1, 2, undefined];
    expect(byShard(all, (row) => row)[0]).toBe(all);
    expect(byShard([], () => 1)).toEqual([]);
  });
});
