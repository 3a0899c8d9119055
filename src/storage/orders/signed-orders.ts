// What a control may cover of an order that the request does not say: its amount and its endpoint. An order that does
// not exist is answered with a row as well, so that looking for it takes as long.

import type { Money } from '../../domain/money/money.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import type { Database } from '../database.ts';
import { COLUMNS, shardOfId, statement } from '../tables/index.ts';
import { orders } from './order-rows.ts';

export type SignedOrder = { readonly amount: Money; readonly endpointId: number };

export type SignedOrderStore = { find(key: OrderKey): Promise<SignedOrder | undefined> };

const select = statement('orders-signed', {
  order: orders.pick('amount', 'currency', 'endpointId').of('o').optional(),
})`
  select ${COLUMNS} from (values ($1::bigint, $2::bigint)) as r (${orders.key.names()})
  left join orders o on ${orders.key.among('o', 'r', shardOfId('$1::bigint'))}`;

export function signedOrderStore(database: Database): SignedOrderStore {
  return {
    async find({ merchantId, orderId }) {
      const order = (await database.query(select, [merchantId, orderId]))[0]?.order;
      return order && { amount: { minor: order.amount, currency: order.currency }, endpointId: order.endpointId };
    },
  };
}
