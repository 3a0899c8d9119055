// The journal of requests: one line each, refused ones too, written in batches.

import { byShard } from '../../domain/merchant/shard.ts';
import { FIRST_SHARD, forgetByShard, type ListShards } from '../claims.ts';
import { insertedStep, insertion } from '../cluster/insertion.ts';
import { type Database, isUniqueViolation } from '../database.ts';
import { column, type GivenOf, shardOfId, statement, table } from '../tables/index.ts';

export const journal = table('journal', ['serialNumber'], {
  serialNumber: column.uuid('serial_number'),
  at: column.moment('at'),
  operation: column.text('operation').optional(),
  pathId: column.text('path_id').optional(),
  merchantId: column.id('merchant_id').optional(),
  orderId: column.id('order_id').optional(),
  httpStatus: column.int('http_status'),
  errorCode: column.int('error_code').optional(),
  /** Masked, as JSON text. */
  request: column.jsonText('request'),
  reply: column.jsonText('reply'),
  milliseconds: column.real('milliseconds'),
});

export type JournalLine = GivenOf<typeof journal.parts>;

export type JournalStore = {
  write(lines: readonly JournalLine[]): Promise<void>;
  /** Takes away the oldest lines before this serial number, no more than the limit; answers how many. */
  forget(before: string, limit: number): Promise<number>;
  /** The same, of lines about requests whose sender is not known. */
  forgetStrangers(before: string, limit: number): Promise<number>;
};

const LINE = journal.batchOfRows();

const lines = (name: string, conflict = '') =>
  insertion(name, {
    into: 'journal',
    names: journal.names(),
    batch: LINE,
    // Requests of nobody are in the first shard.
    shard: shardOfId('coalesce(r.merchant_id, 0)'),
    values: journal.names('r.'),
    conflict,
  });
const newLines = lines('journal-insert-new');
const missingLines = lines('journal-insert', 'on conflict do nothing');

const insertNew = statement<never>('journal-insert-new')`${newLines.text()}`;
const insertMissing = statement<never>('journal-insert')`${missingLines.text()} on conflict do nothing`;

// Serial numbers are in the order of time, so the oldest lines are found without an index of their own.
const forget = statement('journal-forget')`
    delete from journal where shard = $3 and serial_number in (
      select serial_number from journal where shard = $3 and serial_number < $1 order by serial_number limit $2 for update skip locked)
    returning 1`;

// An index has only the lines without a merchant.
const forgetStrangers = statement('journal-forget-strangers')`
    delete from journal where shard = 0 and serial_number in (
      select serial_number from journal where shard = 0 and merchant_id is null and serial_number < $1
      order by serial_number limit $2 for update skip locked)
    returning 1`;

export function journalStore(database: Database, shards: ListShards = FIRST_SHARD): JournalStore {
  return {
    async write(lines) {
      for (const ofShard of byShard(lines, ({ merchantId }) => merchantId)) {
        try {
          await database.flight([insertedStep(insertNew, newLines, ofShard)]);
        } catch (error) {
          // They were written before, and the answer was lost. Looking for that every time costs a fifth of a line.
          if (!isUniqueViolation(error)) throw error;
          await database.flight([insertedStep(insertMissing, missingLines, ofShard)]);
        }
      }
    },

    forget: (before, limit) =>
      forgetByShard(shards, limit, (shard, most) => database.query(forget, [before, most, shard])),

    forgetStrangers: async (before, limit) => (await database.query(forgetStrangers, [before, limit])).length,
  };
}
