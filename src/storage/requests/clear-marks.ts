// Idempotency keys and nonces that a version before their digests has written in clear. Its upgrade marks them with a
// prefix that no digest has.

import type { Database } from '../database.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';

/** `row`: the place of its row, as long as nobody changes it. */
export type ClearMark = {
  readonly kind: 'key' | 'nonce';
  readonly owner: string;
  readonly row: string;
  readonly merchantId: number;
  readonly text: string;
};

export type ClearMarkStore = {
  /** The next of them; none when all are digested. */
  find(): Promise<ClearMark[]>;
  replace(marks: readonly (ClearMark & { readonly digest: string })[]): Promise<void>;
};

const PREFIX = 'clear:';
const LOT = 500;

/** The tables, and the condition by which an index with few rows finds what is in clear. */
const PLACES = [
  { owner: 'transactions', mark: 'idempotency_key', kind: 'key' },
  { owner: 'confirmations', mark: 'idempotency_key', kind: 'key' },
  { owner: 'oauth_nonces', mark: 'nonce', kind: 'nonce' },
] as const;

const places = PLACES.map(({ owner, mark, kind }) => ({
  owner,
  kind,
  find: statement(`clear-marks-find-${owner}`, {
    row: column.text('ctid::text'),
    merchantId: column.id('merchant_id'),
    text: column.text(`substring(${mark} from ${PREFIX.length + 1})`),
  })`
    select ${COLUMNS} from ${owner} where ${mark} is not null and ${mark} like '${PREFIX}%' limit ${String(LOT)}`,
  // A row that was changed meanwhile has another place, and is found again.
  replace: statement<never>(`clear-marks-replace-${owner}`)`
    update ${owner} set ${mark} = $1 where ctid = $2::text::tid and ${mark} = $3`,
}));

export function clearMarkStore(database: Database): ClearMarkStore {
  return {
    async find() {
      for (const { owner, kind, find } of places) {
        const rows = await database.query(find);
        if (rows.length > 0) return rows.map((row) => ({ ...row, owner, kind }));
      }
      return [];
    },
    async replace(marks) {
      await database.flight(
        marks.map(({ owner, row, text, digest }) => ({
          statement: places.find((one) => one.owner === owner)!.replace,
          values: [digest, row, PREFIX + text],
        })),
      );
    },
  };
}
