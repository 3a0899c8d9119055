// The journal of requests: one line each, refused ones too, written in batches.

import { type Database, isUniqueViolation } from '../database.ts';
import { column, type GivenOf, statement, table } from '../tables/index.ts';
import { columnValues, unnest } from '../wire/columns.ts';

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

const INSERT = `insert into journal (${journal.names()}) select * from ${unnest('line', LINE)}`;

const insertNew = statement('journal-insert-new')`${INSERT}`;
const insertMissing = statement('journal-insert')`${INSERT} on conflict do nothing`;

// Serial numbers are in the order of time, so the oldest lines are found without an index of their own.
const forget = statement('journal-forget')`
    delete from journal where serial_number in (
      select serial_number from journal where serial_number < $1 order by serial_number limit $2 for update skip locked)
    returning 1`;

// An index has only the lines without a merchant.
const forgetStrangers = statement('journal-forget-strangers')`
    delete from journal where serial_number in (
      select serial_number from journal where merchant_id is null and serial_number < $1
      order by serial_number limit $2 for update skip locked)
    returning 1`;

export function journalStore(database: Database): JournalStore {
  return {
    async write(lines) {
      const values = columnValues(LINE, lines);
      try {
        await database.query(insertNew, values);
      } catch (error) {
        // They were written before, and the answer was lost. Looking for that every time costs a fifth of a line.
        if (!isUniqueViolation(error)) throw error;
        await database.query(insertMissing, values);
      }
    },

    forget: async (before, limit) => (await database.query(forget, [before, limit])).length,

    forgetStrangers: async (before, limit) => (await database.query(forgetStrangers, [before, limit])).length,
  };
}
