// Receipts of the first orders. The ids of their pages do not hold the order's, so a small index knows them.

import type { OrderKey } from '../../domain/order/order.ts';
import type { Database } from '../database.ts';
import { COLUMNS, statement } from '../tables/index.ts';
import { orders } from './order-rows.ts';

export type ReceiptStore = {
  /** The order whose receipt has this random id; undefined when there is none. */
  findOrder(receiptId: string): Promise<OrderKey | undefined>;
};

/** True of random ids only; the index has the same words. */
const IS_RANDOM = `substr(receipt_id::text, 15, 1) = '4'`;

const findOrder = statement('receipts-find-order', orders.key)`
  select ${COLUMNS} from orders where receipt_id = $1::uuid and ${IS_RANDOM}`;

export function receiptStore(database: Database): ReceiptStore {
  return {
    findOrder: async (receiptId) => (await database.query(findOrder, [receiptId]))[0],
  };
}
