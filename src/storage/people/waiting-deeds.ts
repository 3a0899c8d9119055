// Deeds about money that wait for a second person, and what people have begun of an order before.

import type { SettledOutcome } from '../../domain/order/decide.ts';
import type { ReturnSource } from '../../domain/order/follow-up.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import type { DeedKind } from '../../domain/people/second-person.ts';
import type { Database } from '../database.ts';
import { orders } from '../orders/order-rows.ts';
import { changeRecords, type Records } from '../records/records.ts';
import { recordColumns } from '../records/signed-tables.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';
import { begunAlone } from './begun-alone.ts';

const deeds = table('waiting_deeds', ['deedId'], {
  deedId: column.id('deed_id'),
  kind: column.text<DeedKind>('kind'),
  merchantId: column.id('merchant_id'),
  orderId: column.id('order_id'),
  seq: column.int('seq').optional(),
  outcome: column.text<SettledOutcome>('outcome').optional(),
  amount: column.bigint('amount'),
  currency: column.text('currency'),
  source: column.text<ReturnSource>('source').optional(),
  again: column.boolean('again'),
  reason: column.text('reason'),
  askedBy: column.text('asked_by'),
  asker: column.text('asker').optional(),
  askedAt: column.moment('asked_at'),
  expiresAt: column.moment('expires_at'),
});

export type WaitingDeed = RowOf<typeof deeds.parts>;

const statements = {
  add: statement('deeds-add')`${deeds.insert()}`,
  signed: statement('deeds-signed', deeds.with({ record: recordColumns('waiting_deeds') }))`
    select ${COLUMNS} from waiting_deeds x order by asked_at, deed_id`,
  remove: statement('deeds-remove', deeds.key)`
    delete from waiting_deeds where deed_id = $1 or expires_at <= $2 returning ${COLUMNS}`,
  lockOrder: statement('deeds-lock-order', orders.pick('orderId'))`
    select ${COLUMNS} from orders where ${orders.key.equal()} for update`,
};

export type WaitingDeedStore = ReturnType<typeof waitingDeedStore>;

export function waitingDeedStore(database: Database, records: Records) {
  return {
    /** Those that nobody else has written, the oldest first. */
    list: async (): Promise<WaitingDeed[]> => {
      const { good } = await records.readSigned(database, 'waiting_deeds', statements.signed);
      return good.map(({ record: _, ...deed }) => deed);
    },
    /** Also removes what has expired. */
    add: (deed: WaitingDeed) =>
      changeRecords(database, records, async (session) => {
        await session.query(statements.remove, [null, new Date(deed.askedAt)]);
        await session.query(statements.add, deeds.values(deed));
      }),
    /** With all that has expired; tells whether it was there. */
    remove: (deedId: number, now: number) =>
      changeRecords(database, records, async (session) => {
        const removed = await session.query(statements.remove, [deedId, new Date(now)]);
        return removed.some((one) => one.deedId === deedId);
      }),
    /** Nobody else changes the order until the transaction this is asked in is over. */
    lockOrder: async (key: OrderKey) => {
      await database.query(statements.lockOrder, orders.key.values(key));
    },
    /** The transactions of an order that people have begun without a second person. */
    begunAlone: (key: OrderKey): Promise<number[]> => begunAlone(database, key),
  };
}
