// Rows that cannot be right, wherever a single table shows it: of orders that are not there, doubles, values no key
// opens, and work that was due and is left.

import { COUNTED_IDS_END } from '../../domain/ids/id-space.ts';
import type { Statement } from '../database.ts';
import { COLUMNS, Columns, column, statement } from '../tables/index.ts';
import { orders } from './order-rows.ts';

export type Oddity = { readonly place: string; readonly cause: string };

/** What was due before these moments should have been done, or tried, by now. */
export type DueBefore = { readonly work: number; readonly callbacks: number };

type TableCheck = {
  readonly statement: Statement<Oddity>;
  /** The moment its statement asks for, where it looks for what was due and nobody has looked at. */
  readonly dueBefore?: keyof DueBefore;
};

/** Rows shown of one check; whoever has more has seen enough. */
export const MOST_ODDITIES = 100;

const isoTime = (moment: number) => new Date(moment).toISOString();

function orphans(table: string): TableCheck {
  const odd = new Columns({ orderId: column.id('order_id') }).as(({ orderId }) => ({
    place: `order ${orderId}`,
    cause: `is not there, but has rows in ${table}`,
  }));
  return {
    statement: statement(`verification-orphans-${table}`, odd)`
     select ${COLUMNS} from (
       select distinct merchant_id, order_id from ${table} x
       where not exists (select from orders o where ${orders.key.match('o', 'x')})
       limit ${MOST_ODDITIES}) x`,
  };
}

/** `apart`: what else orders must share to be in each other's way. */
function doubles(name: string, shared: string, what: string, apart?: string): TableCheck {
  const together = ['merchant_id', shared, ...(apart ? [apart] : [])].join(', ');
  const [first, last] = [column.id('min(order_id)'), column.id('max(order_id)')];
  const odd = new Columns({ first, last, orders: column.id('count(*)') }).as((row) => ({
    place: `order ${row.first}`,
    cause: `shares its ${what} with order ${row.last}: ${row.orders} orders have it`,
  }));
  return {
    statement: statement(`verification-doubles-${name}`, odd)`
     select ${COLUMNS} from orders
     where ${shared} is not null group by ${together} having count(*) > 1 limit ${MOST_ODDITIES}`,
  };
}

function unsealable(name: string, table: string, key: string, place: string): TableCheck {
  const odd = new Columns({ place: column.text(place), dataKeyId: column.int(`x.${key}`) }).as((row) => ({
    place: row.place,
    cause: `is sealed under data key ${row.dataKeyId}, which does not exist: it can never be opened`,
  }));
  return {
    statement: statement(`verification-keys-${name}`, odd)`
     select ${COLUMNS} from ${table} x
     where x.${key} is not null
       and not exists (select from data_keys k where k.data_key_id = x.${key} and k.purpose = 'seal')
     limit ${MOST_ODDITIES}`,
  };
}

const uncounted = new Columns({ place: column.text('x.what'), id: column.id('x.id') }).as((row) => ({
  place: `${row.place} ${row.id}`,
  cause: 'has an id that the counter has yet to give; "tender start --first-id" moves the counter forward',
}));

const dueAt = column.moment('due_at');

const undoneAuthentication = new Columns({ orderId: column.id('order_id'), seq: column.int('seq'), dueAt }).as(
  (row) => ({
    place: `order ${row.orderId} transaction ${row.seq}`,
    cause: `its authentication was due at ${isoTime(row.dueAt)}: nobody works on it`,
  }),
);

const undoneCharge = new Columns({ id: column.id('recurring_payment_id'), dueAt: column.moment('next_run_at') }).as(
  (row) => ({
    place: `recurring payment ${row.id}`,
    cause: `was due at ${isoTime(row.dueAt)}: nobody charges it`,
  }),
);

const undoneCallbacks = new Columns({
  destination: column.text('destination'),
  count: column.id('count(*)'),
  dueAt: column.moment('min(due_at)'),
}).as((row) => ({
  place: `callbacks to ${row.destination}`,
  cause: `${row.count} were due, the first at ${isoTime(row.dueAt)}: nobody sends them`,
}));

export const tableChecks: readonly TableCheck[] = [
  orphans('transactions'),
  orphans('order_events'),
  orphans('ledger_entries'),
  orphans('authentications'),
  orphans('callbacks'),
  doubles('client-order-id', 'client_order_id', "merchant's id", 'unsigned'),
  doubles('control', 'control', 'control'),
  unsealable('cards', 'cards', 'data_key_id', `'card ' || x.card_id`),
  unsealable('targets', 'orders', 'target_data_key_id', `'order ' || x.order_id`),
  unsealable('proofs', 'authentications', 'proof_data_key_id', `'order ' || x.order_id || ' transaction ' || x.seq`),
  unsealable('merchant-keys', 'merchant_keys', 'data_key_id', `'key ' || x.key_id`),
  unsealable('terminals', 'terminals', 'data_key_id', `'terminal ' || x.name`),
  unsealable('network-keys', 'card_networks', 'data_key_id', `'card network ' || x.brand`),
  {
    // Such an id will be given a second time.
    statement: statement('verification-uncounted-ids', uncounted)`
     select ${COLUMNS} from (
       select 'order' as what, order_id as id from orders
       union all select 'card reference', reference_id from card_references
       union all select 'recurring payment', recurring_payment_id from recurring_payments
     ) x
     where x.id >= (select next_id from id_counter) and x.id < ${COUNTED_IDS_END} limit ${MOST_ODDITIES}`,
  },
  {
    dueBefore: 'work',
    statement: statement('verification-undone-authentications', undoneAuthentication)`
     select ${COLUMNS} from authentications where due_at < $1 order by due_at limit ${MOST_ODDITIES}`,
  },
  {
    dueBefore: 'work',
    statement: statement('verification-undone-charges', undoneCharge)`
     select ${COLUMNS} from recurring_payments where next_run_at < $1 order by 2 limit ${MOST_ODDITIES}`,
  },
  {
    // One that fails keeps those behind it waiting: only a destination for which nothing happens is forgotten.
    dueBefore: 'callbacks',
    statement: statement('verification-undone-callbacks', undoneCallbacks)`
     select ${COLUMNS} from callbacks c
     where due_at < $1 and not exists (
       select from callbacks t where t.destination = c.destination and t.due_at is not null and t.changed_at >= $1)
     group by 1 order by 3 limit ${MOST_ODDITIES}`,
  },
];
