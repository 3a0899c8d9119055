// Limits and block lists: part of the configuration, so every write counts its version up and every node reads them again.

import type { LimitKind, VelocityLimit } from '../domain/screening/screening.ts';
import type { Block, BlockKind } from '../domain/screening/screening-lists.ts';
import type { Database, Row, Session, Statement } from './database.ts';
import { LOCK_BUCKETS } from './screening.ts';

export type EndpointLimit = VelocityLimit & { readonly merchantId: number; readonly endpointId: number };

export type StoredBlock = Block & {
  readonly merchantId: number;
  /** What people are shown. */
  readonly label: string;
  readonly note: string | undefined;
  readonly createdAt: number;
};

export type ScreeningRules = {
  readonly limits: readonly EndpointLimit[];
  readonly blocks: readonly (Block & { readonly merchantId: number })[];
};

export type ScreeningRuleStore = {
  /** Takes the place of a limit with the same kind and window; the duplicate guard has one window only. */
  setLimit(limit: EndpointLimit): Promise<void>;
  /** False when there is none. Without a window all of the kind go. */
  removeLimit(limit: { endpointId: number; kind: LimitKind; windowMs: number | undefined }): Promise<boolean>;
  limits(): Promise<EndpointLimit[]>;
  addBlock(block: StoredBlock): Promise<void>;
  removeBlock(block: Block & { readonly merchantId: number }): Promise<boolean>;
  /** The newest first. */
  blocks(query: { merchantId: number; kind: BlockKind | undefined; limit: number }): Promise<StoredBlock[]>;
  countBlocks(merchantId: number): Promise<number>;
};

const sql = (name: string, text: string): Statement => ({ name: `screening-rules-${name}`, text });

const statements = {
  bump: sql('bump', 'update configuration_version set version = version + 1'),
  limits: sql('limits', 'select * from velocity_limits order by endpoint_id, kind, window_ms'),
  allBlocks: sql('all-blocks', 'select merchant_id, kind, value from blocks'),
  setLimit: sql(
    'set-limit',
    `insert into velocity_limits (endpoint_id, merchant_id, kind, window_ms, max_count, max_sum)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (endpoint_id, kind, window_ms) do update set max_count = excluded.max_count, max_sum = excluded.max_sum`,
  ),
  addLocks: sql(
    'add-locks',
    `insert into velocity_locks (merchant_id, bucket) select $1, generate_series(0, $2::int - 1) on conflict do nothing`,
  ),
  removeLimit: sql(
    'remove-limit',
    `delete from velocity_limits where endpoint_id = $1 and kind = $2 and ($3::bigint is null or window_ms = $3)
     returning 1`,
  ),
  addBlock: sql(
    'add-block',
    `insert into blocks (merchant_id, kind, value, label, note, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id, kind, value) do update set note = coalesce(excluded.note, blocks.note)`,
  ),
  removeBlock: sql(
    'remove-block',
    'delete from blocks where merchant_id = $1 and kind = $2 and value = $3 returning 1',
  ),
  blocks: sql(
    'blocks',
    `select * from blocks where merchant_id = $1 and ($2::text is null or kind = $2)
     order by created_at desc, kind, value limit $3`,
  ),
  countBlocks: sql('count-blocks', 'select count(*)::int as count from blocks where merchant_id = $1'),
};

export async function readScreeningRules(session: Session): Promise<ScreeningRules> {
  const limits = await session.query(statements.limits);
  const blocks = await session.query(statements.allBlocks);
  return { limits: limits.map(limitFrom), blocks: blocks.map(keyFrom) };
}

export function screeningRuleStore(database: Database): ScreeningRuleStore {
  const change = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    database.transaction(async (session) => {
      await session.query(statements.bump);
      return work(session);
    });
  return {
    setLimit: ({ endpointId, merchantId, kind, windowMs, maxCount, maxSum }) =>
      change(async (session) => {
        if (kind === 'payment') await session.query(statements.removeLimit, [endpointId, kind, null]);
        // Before anybody can need them.
        await session.query(statements.addLocks, [merchantId, LOCK_BUCKETS]);
        const values = [endpointId, merchantId, kind, windowMs, maxCount, maxSum];
        await session.query(statements.setLimit, values);
      }),
    removeLimit: ({ endpointId, kind, windowMs }) =>
      change(async (session) => {
        return (await session.query(statements.removeLimit, [endpointId, kind, windowMs])).length > 0;
      }),
    limits: async () => (await database.query(statements.limits)).map(limitFrom),
    addBlock: ({ merchantId, kind, value, label, note, createdAt }) =>
      change(async (session) => {
        await session.query(statements.addBlock, [merchantId, kind, value, label, note, new Date(createdAt)]);
      }),
    removeBlock: ({ merchantId, kind, value }) =>
      change(async (session) => (await session.query(statements.removeBlock, [merchantId, kind, value])).length === 1),
    blocks: async ({ merchantId, kind, limit }) =>
      (await database.query(statements.blocks, [merchantId, kind, limit])).map(blockFrom),
    countBlocks: async (merchantId) => (await database.query(statements.countBlocks, [merchantId]))[0]?.count as number,
  };
}

function limitFrom(row: Row): EndpointLimit {
  return {
    endpointId: Number(row.endpoint_id),
    merchantId: Number(row.merchant_id),
    kind: row.kind as LimitKind,
    windowMs: Number(row.window_ms),
    maxCount: row.max_count === null ? undefined : Number(row.max_count),
    maxSum: row.max_sum === null ? undefined : BigInt(row.max_sum as string),
  };
}

function keyFrom(row: Row): Block & { merchantId: number } {
  return { merchantId: Number(row.merchant_id), kind: row.kind as BlockKind, value: row.value as string };
}

function blockFrom(row: Row): StoredBlock {
  return {
    ...keyFrom(row),
    label: row.label as string,
    note: (row.note as string | null) ?? undefined,
    createdAt: (row.created_at as Date).getTime(),
  };
}
