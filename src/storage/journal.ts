// The journal of requests: one line each, refused ones too, written in batches.

import { moments, numbers, texts } from './arrays.ts';
import type { Database, Statement } from './database.ts';

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

export type JournalStore = { write(lines: readonly JournalLine[]): Promise<void> };

const insert: Statement = {
  name: 'journal-insert',
  text: `
    insert into journal (serial_number, at, operation, path_id, merchant_id, order_id, http_status, error_code, request,
      reply, milliseconds)
    select * from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::int[],
      $8::int[], $9::jsonb[], $10::jsonb[], $11::real[])
    on conflict do nothing`,
};

export function journalStore(database: Database): JournalStore {
  return {
    async write(lines) {
      await database.query(insert, [
        texts(lines.map((line) => line.serialNumber)),
        moments(lines.map((line) => line.at)),
        texts(lines.map((line) => line.operation)),
        texts(lines.map((line) => line.pathId)),
        numbers(lines.map((line) => line.merchantId)),
        numbers(lines.map((line) => line.orderId)),
        numbers(lines.map((line) => line.httpStatus)),
        numbers(lines.map((line) => line.errorCode)),
        texts(lines.map((line) => line.request)),
        texts(lines.map((line) => line.reply)),
        numbers(lines.map((line) => line.milliseconds)),
      ]);
    },
  };
}
