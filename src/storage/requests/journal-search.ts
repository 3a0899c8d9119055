// Lines of the journal that people look for, the newest first. Serial numbers are in the order of time, so a range of
// time is a range of them.

import type { RequestSearch } from '../../domain/search/request-search.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, type RowOf, statement, type WalkedPage, walk, walkOn } from '../tables/index.ts';
import { journal } from './journal.ts';

/** A line of the journal, its texts read. */
export type JournaledRequest = RowOf<typeof journal.parts>;

const fits = (first: number) =>
  [
    `($${first + 1}::bigint is null or coalesce(x.order_id = $${first + 1}, false))`,
    `($${first + 2}::text is null or coalesce(x.operation = $${first + 2}, false))`,
    `($${first + 3}::integer is null or x.http_status = $${first + 3})`,
    `($${first + 4}::integer is null or coalesce(x.error_code = $${first + 4}, false))`,
    `($${first + 5}::boolean is null or $${first + 5} = (x.error_code is not null))`,
    `($${first + 6}::text is null or coalesce(x.path_id = $${first + 6}, false))`,
  ].join(' and ');

type Place = { readonly behind: string; readonly first: number };

const walkLines = (name: string, rows: (place: Place) => string) =>
  walk(`journal-by-${name}`, {
    table: 'journal',
    key: journal.key,
    rows: ({ behind, limit, first }) => `select j.* from journal j where ${rows({ behind, first })} limit ${limit}`,
    fits,
    joined: journal.key.match('o', 'f'),
    answers: journal.of('o'),
  });

// A range of merchant and serial number together: along the primary key the planner would pass by everybody's lines.
const ofMerchant = ({ behind, first }: Place) => `
          j.merchant_id is not null and (j.merchant_id + 0, j.serial_number) < (m.merchant_id, ${behind})
            and (j.merchant_id + 0, j.serial_number) >= (m.merchant_id, $${first}::uuid)`;
const NEWEST = 'order by j.merchant_id + 0 desc, j.serial_number desc';

export const journalWalks = {
  order: walkLines(
    'order',
    ({ behind, first }) => `
          j.merchant_id = m.merchant_id and j.order_id is not null and j.order_id = $${first + 1}::bigint
            and j.serial_number < ${behind} and j.serial_number >= $${first}::uuid order by j.serial_number desc`,
  ),
  refused: walkLines('refused', (place) => `${ofMerchant(place)} and j.error_code is not null ${NEWEST}`),
  merchant: walkLines('merchant', (place) => `${ofMerchant(place)} ${NEWEST}`),
};

export type SoughtRequests = {
  readonly merchantIds: readonly number[];
  readonly search: RequestSearch;
  /** Serial numbers: from the first on, and before the second. */
  readonly from: string;
  readonly before: string;
  readonly limit: number;
};

/** `next` is the serial number to go on before. */
export async function findRequests(
  database: Database,
  { merchantIds, search, from, before, limit }: SoughtRequests,
): Promise<WalkedPage<string, JournaledRequest>> {
  const { orderId, operation, httpStatus, errorCode, refused, pathId } = search;
  const isRefused = errorCode !== undefined || refused === true;
  const lead = orderId !== undefined ? 'order' : isRefused ? 'refused' : 'merchant';
  const narrowing = {
    order: [operation, httpStatus, errorCode, refused],
    refused: [operation, httpStatus, errorCode],
    merchant: [operation, httpStatus, refused],
  };
  const others = [...narrowing[lead], pathId];
  const page = await walkOn(database, journalWalks[lead], {
    merchantIds,
    behind: { serialNumber: before },
    limit,
    values: [from, orderId, operation, httpStatus, errorCode, refused, pathId],
    isNarrowed: others.some((one) => one !== undefined),
    keyOf: ({ serialNumber }) => ({ serialNumber }),
  });
  return { found: page.found, next: page.next?.serialNumber };
}

/** Lines about strangers that are looked at for one page. */
const MOST_LOOKED = 5_000;

const ofStrangers = (name: string, isThere: string) =>
  statement(`journal-strangers-${name}`, {
    looked: column.int('n.looked'),
    last: column.uuid('n.last').optional(),
    found: journal.of('f').optional(),
  })`
    with looked as materialized (
      select j.* from journal j
      where j.merchant_id is null and j.serial_number < $1::uuid and j.serial_number >= $2::uuid and ${isThere}
      order by j.serial_number desc limit ${MOST_LOOKED}
    ), found as (
      select x.* from looked x
      where ($5::text is null or coalesce(x.operation = $5, false)) and ($6::integer is null or x.http_status = $6)
        and ($7::integer is null or coalesce(x.error_code = $7, false))
      order by x.serial_number desc limit $4
    )
    select ${COLUMNS} from (select count(*)::int as looked, min(serial_number::text)::uuid as last from looked) n
    left join found f on true order by f.serial_number desc`;

const strangers = {
  all: ofStrangers('all', '$3::text[] is null'),
  paths: ofStrangers('paths', 'j.path_id = any($3::text[])'),
};

export type SoughtStrangers = Pick<SoughtRequests, 'from' | 'before' | 'limit'> & {
  readonly search: Pick<RequestSearch, 'operation' | 'httpStatus' | 'errorCode'>;
  /** The last parts of the paths that were called; undefined stands for all. */
  readonly pathIds: readonly string[] | undefined;
};

/** Requests whose sender is not known, the newest first. */
export async function findStrangers(
  database: Database,
  { search, pathIds, from, before, limit }: SoughtStrangers,
): Promise<WalkedPage<string, JournaledRequest>> {
  const { operation, httpStatus, errorCode } = search;
  const values = [before, from, pathIds, limit + 1, operation, httpStatus, errorCode];
  const rows = await database.query(pathIds === undefined ? strangers.all : strangers.paths, values);
  const found = rows.flatMap((row) => row.found ?? []);
  if (found.length > limit) return { found: found.slice(0, limit), next: found[limit - 1]?.serialNumber };
  return { found, next: rows[0]?.looked === MOST_LOOKED ? rows[0]?.last : undefined };
}
