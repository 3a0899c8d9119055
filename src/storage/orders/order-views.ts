// Orders with everything a status reply shows. Whoever polls is answered together with all who ask while a read runs: one
// read of thirty orders costs little more than one of one.

import type { OrderKey } from '../../domain/order/order.ts';
import { latestAuthentication } from '../authentications.ts';
import { cardColumns } from '../cards/card-rows.ts';
import type { Database, Statement } from '../database.ts';
import { GroupCommit } from '../group-commit.ts';
import type { OrderQuery, OrderView } from '../store.ts';
import { numbers } from '../wire/arrays.ts';
import { viewFrom } from './order-rows.ts';
import { FEW } from './order-writes.ts';

/** The most orders one read looks up. */
const MAX_BATCH = 128;

const VIEW = `
    select o.merchant_id, o.order_id, o.endpoint_id, o.client_order_id, o.operation, o.currency, o.notation, o.amount,
      o.alternatives, o.authorised, o.captured, o.released, o.reversed, o.hold_until, o.version, o.created_at, o.callbacks, o.form,
      o.details, o.receipt_id,
      ${cardColumns('c')}, ${cardColumns('g', 'target_')},
      (select json_agg(t order by t.seq) from (
        select seq, type, amount::text, stage, leg, legs, original_seq, due_at, attempts, sends, request_serial,
          approval_code, rrn, processor_tx_id, terminal_id, decline_code, eligibility, filter_reason, comment,
          created_at, changed_at
        from transactions where merchant_id = o.merchant_id and order_id = o.order_id) t) as transactions,
      ${latestAuthentication('o')} as authentication
    from orders o
    left join cards c on c.merchant_id = o.merchant_id and c.card_id = o.card_id
    left join cards g on g.merchant_id = o.merchant_id and g.card_id = o.target_card_id`;

const viewByClientOrderId: Statement = {
  name: 'orders-view-by-client-id',
  text: `${VIEW} where o.merchant_id = $1 and o.client_order_id = $2`,
};

// One lookup after the other, however the tables are filled.
const viewMany: Statement = {
  name: 'orders-view-many',
  text: `
    select v.* from unnest($1::bigint[], $2::bigint[]) as r(merchant_id, order_id)
    cross join lateral (${VIEW} where o.merchant_id = r.merchant_id and o.order_id = r.order_id offset 0) v
    where ${FEW}`,
};

type Asked = OrderKey & {
  readonly clientOrderId: string | undefined;
  resolve(view: OrderView | undefined): void;
  reject(error: unknown): void;
};

export class OrderViews {
  readonly #database: Database;
  readonly #reads: GroupCommit<Asked>;

  constructor(database: Database) {
    this.#database = database;
    this.#reads = new GroupCommit((asked) => this.#read(asked), { lanes: 1, maxBatch: MAX_BATCH });
  }

  async find({ merchantId, clientOrderId, orderId }: OrderQuery): Promise<OrderView | undefined> {
    if (orderId !== undefined) {
      return new Promise((resolve, reject) => {
        this.#reads.add({ merchantId, clientOrderId, orderId, resolve, reject }, 0);
      });
    }
    const [row] = await this.#database.query(viewByClientOrderId, [merchantId, clientOrderId]);
    return row && viewFrom(row);
  }

  async #read(asked: readonly Asked[]): Promise<void> {
    try {
      const views = await findOrderViews(this.#database, asked);
      for (const one of asked) {
        const view = views.get(one.orderId);
        one.resolve(view && isAskedFor(view, one) ? view : undefined);
      }
    } catch (error) {
      for (const one of asked) one.reject(error);
    }
  }
}

/** Two may have asked for one id, and only one of them is its merchant. */
function isAskedFor({ order }: OrderView, { merchantId, clientOrderId }: Asked): boolean {
  return order.merchantId === merchantId && (clientOrderId === undefined || order.clientOrderId === clientOrderId);
}

/** By order id. */
export async function findOrderViews(
  database: Database,
  keys: readonly OrderKey[],
): Promise<ReadonlyMap<number, OrderView>> {
  if (keys.length === 0) return new Map();
  const columns = [numbers(keys.map((key) => key.merchantId)), numbers(keys.map((key) => key.orderId))];
  const views = (await database.query(viewMany, columns)).map(viewFrom);
  return new Map(views.map((view) => [view.order.orderId, view]));
}
