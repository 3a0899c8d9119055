// Which transactions people began without a second person. Events tell it; before they leave the database, the
// transactions are marked, because the rule of two counts them as long as the order lives.

import type { OrderKey } from '../../domain/order/order.ts';
import type { Database, Session } from '../database.ts';
import { orders } from '../orders/order-rows.ts';
import { eventIs } from '../orders/order-words.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';
import { quoted } from '../transfer/catalogue.ts';

const SEQ = "(event->'transaction'->>'seq')::int";

const IS_ALONE = `${eventIs('transaction-begun')} and event->'by' is not null and event->'by'->>'approved' is null`;

const begun = statement('begun-alone', { seq: column.int('seq') })`
  select ${COLUMNS} from (
    select ${SEQ} as seq from order_events where ${orders.key.equal()} and ${IS_ALONE}
    union
    select seq from transactions where ${orders.key.equal()} and begun_alone) s
  order by seq`;

export const begunAlone = async (database: Database, key: OrderKey): Promise<number[]> =>
  (await database.query(begun, orders.key.values(key))).map(({ seq }) => seq);

/** Keeps it of the events in a partition that is about to leave. Most have no "by": their text is not taken apart. */
export async function keepBegunAlone(session: Session, partition: string): Promise<void> {
  await session.script(`update transactions t set begun_alone = true from (
      select ${orders.key.names()}, shard, ${SEQ} as seq from ${quoted(partition)}
      where event::text like '%"by"%' and ${IS_ALONE}) e
    where ${orders.key.match('t', 'e')} and t.seq = e.seq and not t.begun_alone`);
}
