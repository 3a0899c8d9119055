// What is left of the promises after a failover: every acknowledged order is there, once and as it was acknowledged,
// the bank's books and ours agree, and the database is as it must be.

import type { BookEntry } from '../../src/acquirers/index.ts';
import type { Acknowledged, Load } from '../crash/load.ts';
import type { Query } from '../crash/place.ts';
import { lostOrders, untilFinal } from '../crash/promises.ts';
import { type Client, discrepancies } from '../harness.ts';
import { tender } from '../scenarios/tender-process.ts';

/** A merchant who sells, and what it was told. */
export type Seller = { readonly client: Client; readonly endpoint: number; readonly load: Load };

export type Reckoning = {
  readonly acknowledged: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly others: readonly string[];
};

type ReckoningParts = {
  readonly sellers: readonly Seller[];
  readonly books: readonly BookEntry[];
  readonly query: Query;
  /** The options by which commands find the gateway. */
  readonly args: readonly string[];
  readonly bankUrl: string;
};

export async function untilAllFinal(sellers: readonly Seller[]): Promise<void> {
  for (const { client, endpoint, load } of sellers) await untilFinal(client, load.acknowledged, endpoint);
}

export async function reckoned({ sellers, books, query, args, bankUrl }: ReckoningParts): Promise<Reckoning> {
  const acknowledged: Acknowledged[] = sellers.flatMap(({ load }) => load.acknowledged);
  const twice = await query(
    'select client_order_id from orders group by merchant_id, client_order_id having count(*) > 1',
  );
  const verified = await tender(['verify', ...args]);
  const reconciled = await tender(['reconcile', '--url', bankUrl, ...args]);
  const isWell = ({ code, stdout }: typeof verified, words: string) => code === 0 && stdout.includes(words);
  return {
    acknowledged: new Set(acknowledged.map(({ orderId }) => orderId)).size,
    lost: await lostOrders(query, acknowledged),
    doubled: [...twice.map((row) => `${row.client_order_id} is two orders`), ...(await discrepancies(query, books))],
    others: [
      ...sellers.flatMap(({ load }) => load.complaints),
      ...(isWell(verified, 'Everything is as it must be.') ? [] : [`verify: ${verified.stdout}${verified.stderr}`]),
      ...(isWell(reconciled, 'they agree.') ? [] : [`reconcile: ${reconciled.stdout}${reconciled.stderr}`]),
    ],
  };
}

/** The longest time without an acknowledgement that ended after `since`, in seconds. */
export function longestGap(sellers: readonly Seller[], since: number): number {
  const moments = sellers.flatMap(({ load }) => load.acknowledgedAt).sort((a, b) => a - b);
  const gaps = moments.map((at, index) => (at > since ? at - (moments[index - 1] ?? at) : 0));
  return Math.max(0, ...gaps) / 1_000;
}
