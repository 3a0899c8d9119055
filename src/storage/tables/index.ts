// Tables and statements, as every noun of storage writes them down.

export { column, TypedColumn } from './column.ts';
export { Columns, type ColumnsOf, type GivenOf, type RowOf } from './columns.ts';
export { kinds } from './kinds.ts';
export { inShard, lookedUp, ofMerchant, ofRow, sameMerchant, shardOfBatch, shardOfId } from './shard.ts';
export { COLUMNS, type KnownStatement, knownStatements, rowInJson, rowsInJson, statement } from './statement.ts';
export { table } from './table.ts';
export { type IndexWalk, type WalkedPage, walk, walkOn } from './walk.ts';
