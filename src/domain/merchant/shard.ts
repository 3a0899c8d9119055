// Where a merchant lives: a small number that everything belonging to the merchant is kept under. It is in the upper
// bits of the merchant's id, so nobody has to look it up, and it never changes. Ids of today are those of shard 0.

/** How many ids each shard has. */
const IDS_OF_SHARD = 2 ** 32;

/** The column is a small integer. */
export const LAST_SHARD = 32_767;

export function shardOf(merchantId: number): number {
  return Math.floor(merchantId / IDS_OF_SHARD);
}

/** The id of a merchant of the shard; `number` is unique within the shard, and smaller than all it has. */
export function merchantIdIn(shard: number, number: number): number {
  const isFit = Number.isInteger(shard) && shard >= 0 && shard <= LAST_SHARD;
  if (!isFit || !Number.isInteger(number) || number < 0 || number >= IDS_OF_SHARD) {
    throw new RangeError(`merchant ${number} of shard ${shard} has no id`);
  }
  return shard * IDS_OF_SHARD + number;
}

/** The id of the next merchant of the shard, given all there are. */
export function nextMerchantId(merchants: readonly { readonly merchantId: number }[], shard: number): number {
  const numbers = merchants.filter((one) => shardOf(one.merchantId) === shard).map((one) => one.merchantId);
  return merchantIdIn(shard, (Math.max(0, ...numbers) % IDS_OF_SHARD) + 1);
}

/** The rows of one shard at a time, each in the order they came. */
export function byShard<T>(rows: readonly T[], merchantIdOf: (row: T) => number | undefined): (readonly T[])[] {
  const first = rows.length > 0 ? shardOf(merchantIdOf(rows[0] as T) ?? 0) : 0;
  if (rows.every((row) => shardOf(merchantIdOf(row) ?? 0) === first)) return rows.length > 0 ? [rows] : [];
  const shards = new Map<number, T[]>();
  for (const row of rows) {
    const shard = shardOf(merchantIdOf(row) ?? 0);
    const of = shards.get(shard);
    if (of) of.push(row);
    else shards.set(shard, [row]);
  }
  return [...shards.values()];
}

/** Where a name has its shard. Names of shard 0 are random there too. */
const SHARD_DIGITS = 4;

/** A UUID that strangers will come with, who do not tell whose it is; of version 4, as `random` is. */
export function nameInShard(shard: number, random: string): string {
  return shard === 0 ? random : `${random.slice(0, -SHARD_DIGITS)}${shard.toString(16).padStart(SHARD_DIGITS, '0')}`;
}

/** Where something of that name may be, the likeliest first. Strangers may come with any name. */
export function shardsOfName(name: string, known: readonly number[]): readonly number[] {
  const shard = Number.parseInt(name.slice(-SHARD_DIGITS), 16);
  return shard !== 0 && known.includes(shard) ? [shard, 0] : [0];
}
