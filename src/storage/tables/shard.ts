// How statements name the shard they work on. Each names one alone, so that on a cluster one machine does all of it: it
// is in the upper bits of the merchant's id (`domain/merchant/shard.ts`), so no statement needs a parameter for it.

/** The shard of the merchant with this id, an expression. */
export const shardOfId = (merchantId: string) => `(${merchantId} >> 32)::smallint`;

/** The shard of a batch whose rows are all of one; the parameter has the ids of their merchants. */
export const shardOfBatch = (parameter = '$1') => shardOfId(`(${parameter}::bigint[])[1]`);

/** Rows of the merchant that the parameter names; `alias` is what the statement calls their table. */
export function ofMerchant(alias = '', parameter = '$1'): string {
  const row = alias && `${alias}.`;
  return `${row}shard = ${shardOfId(`${parameter}::bigint`)} and ${row}merchant_id = ${parameter}`;
}

/**
 * Rows of the merchant of another row. What is written in batches is joined so: by the shard alone, the planner would
 * expect few rows of a table it knows nothing of, and read all of it.
 */
export function ofRow(table: string, row: string): string {
  return `${table}.shard = ${shardOfId(`${row}.merchant_id`)} and ${table}.merchant_id = ${row}.merchant_id`;
}

/**
 * Names the shard itself wherever the text takes it from another row: of what is looked up for a row, or joined where
 * nothing may be found, a cluster does not see otherwise that it is in the shard of that row.
 */
export function inShard(text: string, shard: string): string {
  return text.replace(/\b(\w+)\.shard = \w+\.shard\b/g, (_, table: string) => `${table}.shard = ${shard}`);
}

/**
 * The row of a table that belongs to another row, if there is one, looked up by itself. Joined in the usual way, a
 * planner that takes the table for an empty one reads all that the merchant has in it, and a cached plan goes on so.
 */
export function lookedUp(table: string, alias: string, condition: string): string {
  return `left join lateral (select * from ${table} ${alias} where ${condition} offset 0) ${alias} on true`;
}

/** Joins two tables whose rows are of the same merchant. */
export function sameMerchant(left: string, right: string): string {
  return `${left}.shard = ${right}.shard and ${left}.merchant_id = ${right}.merchant_id`;
}
