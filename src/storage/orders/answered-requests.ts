// Requests that were answered with an order which an earlier request had made.

import type { OrderKey } from '../../domain/order/order.ts';
import { insertedStep, insertion } from '../cluster/insertion.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, statement, table } from '../tables/index.ts';

/** `originalSerial`: of the request that made the transaction this one was answered with. */
export type AnsweredRequest = OrderKey & {
  readonly requestSerial: string;
  readonly originalSerial: string;
  readonly at: number;
};

export type AnsweredRequestStore = {
  add(requests: readonly AnsweredRequest[]): Promise<void>;
  findOriginal(key: OrderKey, requestSerial: string): Promise<string | undefined>;
};

const requests = table('answered_requests', ['merchantId', 'orderId', 'requestSerial'], {
  merchantId: column.id('merchant_id'),
  orderId: column.id('order_id'),
  requestSerial: column.uuid('request_serial'),
  originalSerial: column.uuid('original_serial'),
  at: column.moment('at'),
});

const REQUEST = requests.batchOfRows();

const added = insertion('answered-requests-insert', {
  into: 'answered_requests',
  names: requests.names(),
  batch: REQUEST,
  values: requests.names('r.'),
  conflict: 'on conflict do nothing',
});
const insert = statement<never>('answered-requests-insert')`${added.text()} on conflict do nothing`;

const select = statement('answered-requests-find', requests.pick('originalSerial'))`
  select ${COLUMNS} from answered_requests where ${requests.key.equal()}`;

export function answeredRequestStore(database: Database): AnsweredRequestStore {
  return {
    async add(answered) {
      await database.flight([insertedStep(insert, added, answered)]);
    },
    async findOriginal({ merchantId, orderId }, requestSerial) {
      return (await database.query(select, [merchantId, orderId, requestSerial]))[0]?.originalSerial;
    },
  };
}
