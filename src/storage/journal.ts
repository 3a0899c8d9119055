// The journal of requests: one line each, refused ones too, written in batches.

import { type Database, isUniqueViolation, type Statement } from './database.ts';
import { type Column, columnValues, names, unnest } from './wire/columns.ts';

export type JournalLine = {
  readonly serialNumber: string;
  readonly at: number;
  readonly operation: string | undefined;
  readonly pathId: string | undefined;
  readonly merchantId: number | undefined;
  readonly orderId: number | undefined;
  readonly httpStatus: number;
  readonly errorCode: number | undefined;
  /** Masked, as JSON text. */
  readonly request: string;
  readonly reply: string;
  readonly milliseconds: number;
};

export type JournalStore = {
  write(lines: readonly JournalLine[]): Promise<void>;
  /** Takes away the oldest lines before this serial number, no more than the limit; answers how many. */
  forget(before: string, limit: number): Promise<number>;
};

export const JOURNAL_LINE: readonly Column<JournalLine>[] = [
  ['serial_number', 'uuid', ({ serialNumber }) => serialNumber],
  ['at', 'timestamptz', ({ at }) => at],
  ['operation', 'text', ({ operation }) => operation],
  ['path_id', 'text', ({ pathId }) => pathId],
  ['merchant_id', 'bigint', ({ merchantId }) => merchantId],
  ['order_id', 'bigint', ({ orderId }) => orderId],
  ['http_status', 'int', ({ httpStatus }) => httpStatus],
  ['error_code', 'int', ({ errorCode }) => errorCode],
  ['request', 'json', ({ request }) => request],
  ['reply', 'json', ({ reply }) => reply],
  ['milliseconds', 'real', ({ milliseconds }) => milliseconds],
];

const INSERT = `insert into journal (${names(JOURNAL_LINE)}) select * from ${unnest('line', JOURNAL_LINE)}`;

const insertNew: Statement = { name: 'journal-insert-new', text: INSERT };
const insertMissing: Statement = { name: 'journal-insert', text: `${INSERT} on conflict do nothing` };

// Serial numbers are in the order of time, so the oldest lines are found without an index of their own.
const forget: Statement = {
  name: 'journal-forget',
  text: `
    delete from journal where serial_number in (
      select serial_number from journal where serial_number < $1 order by serial_number limit $2 for update skip locked)
    returning 1`,
};

export function journalStore(database: Database): JournalStore {
  return {
    async write(lines) {
      const values = columnValues(JOURNAL_LINE, lines);
      try {
        await database.query(insertNew, values);
      } catch (error) {
        // They were written before, and the answer was lost. Looking for that every time costs a fifth of a line.
        if (!isUniqueViolation(error)) throw error;
        await database.query(insertMissing, values);
      }
    },

    async forget(before, limit) {
      return (await database.query(forget, [before, limit])).length;
    },
  };
}
