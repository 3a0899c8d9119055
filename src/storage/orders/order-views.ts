// Orders with everything a status reply shows. Whoever polls is answered together with all who ask while a read runs:
// one read of thirty orders costs little more than one of one.

import { byShard } from '../../domain/merchant/shard.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import { authenticationColumns } from '../authentications.ts';
import { cardReferences } from '../cards/card-references.ts';
import { storedCard } from '../cards/card-rows.ts';
import type { Database } from '../database.ts';
import { askTogether } from '../group-commit.ts';
import type { OrderQuery, OrderView } from '../store.ts';
import {
  inShard,
  lookedUp,
  ofMerchant,
  rowInJson,
  sameMerchant,
  shardOfBatch,
  shardOfId,
  statement,
} from '../tables/index.ts';
import { orders, wholeOrder } from './order-rows.ts';
import { operationIs } from './order-words.ts';
import { FEW } from './order-writes.ts';

/** The most orders one read looks up. */
const MAX_BATCH = 128;

const latestAuthentication = rowInJson(
  authenticationColumns,
  `from authentications where ${orders.key.match('authentications', 'o')} order by seq desc limit 1`,
);

const viewColumns = {
  order: wholeOrder('o'),
  ...orders.pick('details', 'sealedDetails', 'receiptId').of('o').parts,
  card: storedCard.of('c').optional(),
  targetCard: storedCard.of('g').optional(),
  cardReferenceId: cardReferences.parts.referenceId.of('n').optional(),
  authentication: latestAuthentication,
};

/** What a card reference of the order stands for: who is paid, else who pays. */
const STORED_CARD = `case when ${operationIs('payout', 'o')} then o.target_card_id else o.card_id end`;

const view = (columns: string) => `
    select ${columns}
    from orders o
    ${lookedUp('cards', 'c', `${sameMerchant('c', 'o')} and c.card_id = o.card_id`)}
    ${lookedUp('cards', 'g', `${sameMerchant('g', 'o')} and g.card_id = o.target_card_id`)}
    ${lookedUp('card_references', 'n', `${sameMerchant('n', 'o')} and n.deleted_at is null and n.card_id = ${STORED_CARD}`)}`;

const viewIn = (shard: string) => (columns: string) => inShard(view(columns), shard);

const viewByClientOrderId = statement('orders-view-by-client-id', viewColumns)`
  ${viewIn(shardOfId('$1::bigint'))} where ${ofMerchant('o')} and o.client_order_id = $2 and not o.unsigned`;

// One lookup after the other, however the tables are filled.
const viewMany = statement('orders-view-many', viewColumns)`
    select v.* from unnest($1::bigint[], $2::bigint[]) as r(${orders.key.names()})
    cross join lateral (${viewIn(shardOfBatch())} where ${orders.key.among('o', 'r', shardOfBatch())} offset 0) v
    where ${FEW}`;

type AskedById = OrderKey & Pick<OrderQuery, 'clientOrderId'>;

export function orderFinder(database: Database): (query: OrderQuery) => Promise<OrderView | undefined> {
  const findAll = async (asked: readonly AskedById[]) => {
    const views = await findOrderViews(database, asked);
    return asked.map((one) => {
      const found = views.get(one.orderId);
      return found && isAskedFor(found, one) ? found : undefined;
    });
  };
  const findById = askTogether(findAll, { maxBatch: MAX_BATCH });
  return async ({ merchantId, clientOrderId, orderId }) =>
    orderId === undefined
      ? (await database.query(viewByClientOrderId, [merchantId, clientOrderId]))[0]
      : findById({ merchantId, clientOrderId, orderId });
}

/** Two may have asked for one id, and only one of them is its merchant. */
function isAskedFor({ order }: OrderView, { merchantId, clientOrderId }: AskedById): boolean {
  return order.merchantId === merchantId && (clientOrderId === undefined || order.clientOrderId === clientOrderId);
}

/** By order id. */
export async function findOrderViews(
  database: Database,
  keys: readonly OrderKey[],
): Promise<ReadonlyMap<number, OrderView>> {
  const views = new Map<number, OrderView>();
  for (const ofShard of byShard(keys, ({ merchantId }) => merchantId)) {
    const values = [ofShard.map((key) => key.merchantId), ofShard.map((key) => key.orderId)];
    for (const found of await database.query(viewMany, values)) views.set(found.order.orderId, found);
  }
  return views;
}
