// Counts the orders of a span in pieces of a few, so that no statement takes the longer the more was sold, and adds up
// what it counted. Every order is in one piece: by when it was made and its number, neither of which ever changes.

import { listShards, ofShard } from '../cluster/over-shards.ts';
import type { Database, Statement } from '../database.ts';
import { COLUMNS, column, type RowOf, statement } from '../tables/index.ts';
import { countedKinds } from './counted-kinds.ts';

/** No statement of counting looks at more orders. */
export const PIECE_ORDERS = 100;

const pageColumns = {
  merchantId: column.id('merchant_id'),
  orderId: column.id('order_id'),
  // It may be finer than milliseconds.
  createdAt: column.text('created_at::text'),
};
type Place = RowOf<typeof pageColumns>;

// The next orders behind a place ($3 the merchant, $4 the time, $5 the number), merchant by merchant along the index by
// merchant and time.
const page = statement('figures-page', pageColumns)`
    select ${COLUMNS} from (
      select m.merchant_id, o.created_at, o.order_id from merchants m
      cross join lateral (
        select o.created_at, o.order_id from orders o
        where o.merchant_id + 0 = m.merchant_id and o.created_at >= $1 and o.created_at < $2
          and (o.created_at, o.order_id) > (
            case when m.merchant_id = $3::bigint then $4::timestamptz else $1 end,
            case when m.merchant_id = $3::bigint then $5::bigint else -1 end)
        order by o.created_at, o.order_id limit ${PIECE_ORDERS}) o
      where m.merchant_id >= $3::bigint
      order by m.merchant_id, o.created_at, o.order_id limit ${PIECE_ORDERS}) x`;

export type CountedTime = { readonly from: number; readonly to: number };

type Counted = { readonly of: string; readonly number: number; readonly beside: bigint };

const sum = (one: bigint, other: bigint) => one + other;
const most = (one: bigint, other: bigint) => (one > other ? one : other);

/** What was counted of all pieces so far, by what it is of; `join` makes one of what stands beside two numbers. */
class Sums {
  readonly #counts = new Map<string, Counted>();
  readonly #join: (one: bigint, other: bigint) => bigint;

  constructor(join: (one: bigint, other: bigint) => bigint) {
    this.#join = join;
  }

  add(rows: readonly Counted[]): void {
    for (const one of rows) {
      const known = this.#counts.get(one.of);
      const { number, beside } = known ?? one;
      const joined = known && { of: one.of, number: number + one.number, beside: this.#join(beside, one.beside) };
      this.#counts.set(one.of, joined ?? one);
    }
  }

  /** As the statements that write it read it. */
  toJson(): string {
    const rows = [...this.#counts.values()];
    return JSON.stringify(rows.map(({ of, number, beside }) => ({ of: JSON.parse(of), number, beside: `${beside}` })));
  }
}

/**
 * Figures come first: an order that has not ended there has its span counted again, and one that has stays as it is for
 * the others.
 */
export const addedKinds = ['figures', 'terminalFigures', 'answerTimes'] as const;
export type AddedUp = Readonly<Record<(typeof addedKinds)[number], Sums>>;

/** Outside of any transaction: others have their turn between two statements, and `rest` comes after each piece. */
export async function countPieces(database: Database, span: CountedTime, rest: () => Promise<void>): Promise<AddedUp> {
  const added = { figures: new Sums(sum), terminalFigures: new Sums(sum), answerTimes: new Sums(most) };
  for (const shard of database.isCluster ? await listShards(database) : [undefined]) {
    const ask = <R>(whole: Statement<R>, values: readonly unknown[]) =>
      database.query(shard === undefined ? whole : ofShard(whole, shard), values);
    for (let last: Place | undefined; ; ) {
      const orders = await ask(page, pageAfter(last, span));
      if (orders.length === 0) break;
      const keys = [orders.map(({ merchantId }) => merchantId), orders.map(({ orderId }) => orderId)];
      for (const kind of addedKinds)
        added[kind].add(await ask(countedKinds[kind].count, [...keys, new Date(span.from)]));
      await rest();
      last = orders.at(-1);
    }
  }
  return added;
}

function pageAfter(last: Place | undefined, { from, to }: CountedTime): unknown[] {
  const place = last ? [last.merchantId, last.createdAt, last.orderId] : [-1, new Date(from), -1];
  return [new Date(from), new Date(to), ...place];
}
