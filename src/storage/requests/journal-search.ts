// Lines of the journal that people look for, the newest first. Serial numbers are in the order of time, so a range of
// time is a range of them.

import type { RequestSearch } from '../../domain/search/request-search.ts';
import type { Database } from '../database.ts';
import { type RowOf, type WalkedPage, walk, walkOn } from '../tables/index.ts';
import { journal } from './journal.ts';

const requestColumns = journal.without('pathId');
/** A line of the journal, its texts read. */
export type JournaledRequest = RowOf<typeof requestColumns.parts>;

const fits = (first: number) =>
  [
    `($${first + 1}::bigint is null or coalesce(x.order_id = $${first + 1}, false))`,
    `($${first + 2}::text is null or coalesce(x.operation = $${first + 2}, false))`,
    `($${first + 3}::integer is null or x.http_status = $${first + 3})`,
    `($${first + 4}::integer is null or coalesce(x.error_code = $${first + 4}, false))`,
    `($${first + 5}::boolean is null or $${first + 5} = (x.error_code is not null))`,
  ].join(' and ');

type Place = { readonly behind: string; readonly first: number };

const walkLines = (name: string, rows: (place: Place) => string) =>
  walk(`journal-by-${name}`, {
    table: 'journal',
    key: journal.key,
    rows: ({ behind, limit, first }) => `select j.* from journal j where ${rows({ behind, first })} limit ${limit}`,
    fits,
    joined: journal.key.match('o', 'f'),
    answers: requestColumns.of('o'),
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
  const { orderId, operation, httpStatus, errorCode, refused } = search;
  const isRefused = errorCode !== undefined || refused === true;
  const lead = orderId !== undefined ? 'order' : isRefused ? 'refused' : 'merchant';
  const narrowing = { order: [operation, httpStatus, errorCode, refused], refused: [operation, httpStatus, errorCode] };
  const others = lead === 'merchant' ? [operation, httpStatus, refused] : narrowing[lead];
  const page = await walkOn(database, journalWalks[lead], {
    merchantIds,
    behind: { serialNumber: before },
    limit,
    values: [from, orderId, operation, httpStatus, errorCode, refused],
    isNarrowed: others.some((one) => one !== undefined),
    keyOf: ({ serialNumber }) => ({ serialNumber }),
  });
  return { found: page.found, next: page.next?.serialNumber };
}
