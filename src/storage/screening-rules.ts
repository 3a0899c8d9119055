// Limits and block lists: part of the configuration, so every write counts its version up.

import type { LimitKind } from '../domain/screening/screening.ts';
import type { BlockKind } from '../domain/screening/screening-lists.ts';
import type { Database, Session } from './database.ts';
import { changeRecords, type Records } from './records/records.ts';
import { recordColumns } from './records/signed-tables.ts';
import { LOCK_BUCKETS } from './screening.ts';
import { COLUMNS, column, type RowOf, shardOfId, statement, table } from './tables/index.ts';

const limits = table('velocity_limits', ['endpointId', 'kind', 'windowMs'], {
  endpointId: column.id('endpoint_id'),
  merchantId: column.id('merchant_id'),
  kind: column.text<LimitKind>('kind'),
  windowMs: column.id('window_ms'),
  maxCount: column.int('max_count').optional(),
  maxSum: column.bigint('max_sum').optional(),
});

const blocks = table('blocks', ['merchantId', 'kind', 'value'], {
  merchantId: column.id('merchant_id'),
  kind: column.text<BlockKind>('kind'),
  value: column.text('value'),
  /** What people are shown. */
  label: column.text('label'),
  note: column.text('note').optional(),
  createdAt: column.moment('created_at'),
});

export type EndpointLimit = RowOf<typeof limits.parts>;
export type StoredBlock = RowOf<typeof blocks.parts>;
type BlockKey = RowOf<typeof blocks.key.parts>;

export type ScreeningRules = { readonly limits: readonly EndpointLimit[]; readonly blocks: readonly BlockKey[] };

const statements = {
  limits: statement('screening-rules-limits', limits)`
    select ${COLUMNS} from velocity_limits order by endpoint_id, kind, window_ms`,
  allLimits: statement('screening-rules-all-limits', limits.with({ record: recordColumns('velocity_limits') }))`
    select ${COLUMNS} from velocity_limits x order by endpoint_id, kind, window_ms`,
  allBlocks: statement('screening-rules-all-blocks', blocks.key.with({ record: recordColumns('blocks') }))`
    select ${COLUMNS} from blocks x`,
  setLimit: statement('screening-rules-set-limit')`
    ${limits.insert()}
     on conflict (${limits.key.names()}) do update set max_count = excluded.max_count, max_sum = excluded.max_sum`,
  addLocks: statement('screening-rules-add-locks')`
    insert into velocity_locks (shard, merchant_id, bucket)
    select ${shardOfId('$1::bigint')}, $1, generate_series(0, $2::int - 1) on conflict do nothing`,
  removeLimit: statement('screening-rules-remove-limit')`
    delete from velocity_limits where endpoint_id = $1 and kind = $2 and ($3::bigint is null or window_ms = $3)
     returning 1`,
  addBlock: statement('screening-rules-add-block')`
    ${blocks.insert()}
     on conflict (${blocks.key.names()}) do update set note = coalesce(excluded.note, blocks.note)`,
  removeBlock: statement('screening-rules-remove-block')`delete from blocks where ${blocks.key.equal()} returning 1`,
  blocks: statement('screening-rules-blocks', blocks)`
     select ${COLUMNS} from blocks where merchant_id = $1 and ($2::text is null or kind = $2)
     order by created_at desc, kind, value limit $3`,
  countBlocks: statement('screening-rules-count-blocks', { count: column.int('count(*)::int') })`
    select ${COLUMNS} from blocks where merchant_id = $1`,
};

/** Whole, with what their records are judged by. */
export const { allLimits: selectAllLimits, allBlocks: selectAllBlocks } = statements;

export type ScreeningRuleStore = ReturnType<typeof screeningRuleStore>;

export function screeningRuleStore(database: Database, records: Records) {
  const change = <T>(work: (session: Session) => Promise<T>) => changeRecords(database, records, work);
  return {
    /** Takes the place of a limit with the same kind and window; the duplicate guard has one window only. */
    setLimit: (limit: EndpointLimit) =>
      change(async (session) => {
        const { endpointId, merchantId, kind } = limit;
        if (kind === 'payment') await session.query(statements.removeLimit, [endpointId, kind, null]);
        // Before anybody can need them.
        await session.query(statements.addLocks, [merchantId, LOCK_BUCKETS]);
        await session.query(statements.setLimit, limits.values(limit));
      }),
    /** False when there is none. Without a window all of the kind go. */
    removeLimit: (limit: { endpointId: number; kind: LimitKind; windowMs: number | undefined }) =>
      change(async (session) => {
        const { endpointId, kind, windowMs } = limit;
        return (await session.query(statements.removeLimit, [endpointId, kind, windowMs])).length > 0;
      }),
    limits: () => database.query(statements.limits),
    addBlock: (block: StoredBlock) => change((session) => session.query(statements.addBlock, blocks.values(block))),
    removeBlock: (block: BlockKey) =>
      change(async (session) => (await session.query(statements.removeBlock, blocks.key.values(block))).length === 1),
    /** The newest first. */
    blocks: (query: { merchantId: number; kind: BlockKind | undefined; limit: number }) =>
      database.query(statements.blocks, [query.merchantId, query.kind, query.limit]),
    countBlocks: async (merchantId: number) =>
      (await database.query(statements.countBlocks, [merchantId]))[0]?.count ?? 0,
  };
}
