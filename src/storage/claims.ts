// Work is claimed shard by shard, so that on a cluster each claim is one statement of one machine. Only shards that
// have merchants are asked, and each in its turn is the first, so that none takes all the room every time.

/** The shards that have merchants. */
export type ListShards = () => readonly number[];

/** Those of an installation that was told of no others. */
export const FIRST_SHARD: ListShards = () => [0];

type ClaimShard<T> = (shard: number, limit: number) => Promise<readonly T[]>;

/** Removes no more than the limit from all shards together, and tells how many; each removal is of one shard. */
export async function forgetByShard(
  shards: ListShards,
  limit: number,
  forget: (shard: number, limit: number) => Promise<readonly unknown[]>,
): Promise<number> {
  let gone = 0;
  for (const shard of shards()) if (gone < limit) gone += (await forget(shard, limit - gone)).length;
  return gone;
}

/** Claims no more than the limit of all shards together. */
export function claimByShard(shards: ListShards): <T>(limit: number, claim: ClaimShard<T>) => Promise<T[]> {
  let turn = 0;
  return async (limit, claim) => {
    const all = shards();
    turn = (turn + 1) % Math.max(1, all.length);
    const claimed = [];
    const faults: unknown[] = [];
    for (const shard of [...all.slice(turn), ...all.slice(0, turn)]) {
      if (claimed.length >= limit) break;
      try {
        claimed.push(...(await claim(shard, limit - claimed.length)));
      } catch (error) {
        faults.push(error);
      }
    }
    // A shard whose machine is away does not take from the others what they have claimed; it is told by the next claim
    // that finds nothing.
    if (claimed.length === 0 && faults.length > 0) throw faults[0];
    return claimed;
  };
}
