// Rows that cannot be right, wherever a single table shows it: of orders that are not there, doubles, values no key
// opens, and work that was due and is left.

import type { Statement } from '../database.ts';
import { column } from '../tables/column.ts';
import { Columns } from '../tables/columns.ts';
import { statement } from '../tables/statement.ts';
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
const MOST = 100;

const orderId = column.id('order_id');
const seq = column.int('seq');
const isoTime = (moment: number) => new Date(moment).toISOString();

const orphans = (table: string): TableCheck => ({
  statement: statement(
    `verification-orphans-${table}`,
    new Columns({ orderId }).as((row) => ({
      place: `order ${row.orderId}`,
      cause: `is not there, but has rows in ${table}`,
    })),
    (columns) => `
     select ${columns} from (
       select distinct merchant_id, order_id from ${table} x
       where not exists (select from orders o where ${orders.key.match('o', 'x')})
       limit ${MOST}) x`,
  ),
});

const doubles = (name: string, shared: string, what: string): TableCheck => ({
  statement: statement(
    `verification-doubles-${name}`,
    new Columns({
      first: column.id('min(order_id)'),
      last: column.id('max(order_id)'),
      orders: column.id('count(*)'),
    }).as((row) => ({
      place: `order ${row.first}`,
      cause: `shares its ${what} with order ${row.last}: ${row.orders} orders have it`,
    })),
    (columns) => `
     select ${columns} from orders
     where ${shared} is not null group by merchant_id, ${shared} having count(*) > 1 limit ${MOST}`,
  ),
});

const unsealable = (name: string, table: string, key: string, place: string): TableCheck => ({
  statement: statement(
    `verification-keys-${name}`,
    new Columns({ place: column.text(place), dataKeyId: column.int(`x.${key}`) }).as((row) => ({
      place: row.place,
      cause: `is sealed under data key ${row.dataKeyId}, which does not exist: it can never be opened`,
    })),
    (columns) => `
     select ${columns} from ${table} x
     where x.${key} is not null
       and not exists (select from data_keys k where k.data_key_id = x.${key} and k.purpose = 'seal')
     limit ${MOST}`,
  ),
});

const undoneAuthentications: TableCheck = {
  statement: statement(
    'verification-undone-authentications',
    new Columns({ orderId, seq, dueAt: column.moment('due_at') }).as((row) => ({
      place: `order ${row.orderId} transaction ${row.seq}`,
      cause: `its authentication was due at ${isoTime(row.dueAt)}: nobody works on it`,
    })),
    (columns) => `select ${columns} from authentications where due_at < $1 order by due_at limit ${MOST}`,
  ),
  dueBefore: 'work',
};

const undoneCharges: TableCheck = {
  statement: statement(
    'verification-undone-charges',
    new Columns({ paymentId: column.id('recurring_payment_id'), dueAt: column.moment('next_run_at') }).as((row) => ({
      place: `recurring payment ${row.paymentId}`,
      cause: `was due at ${isoTime(row.dueAt)}: nobody charges it`,
    })),
    (columns) => `select ${columns} from recurring_payments where next_run_at < $1 order by 2 limit ${MOST}`,
  ),
  dueBefore: 'work',
};

/**
 * One that fails keeps those behind it waiting, so only a destination for which nothing at all happens is forgotten.
 */
const undoneCallbacks: TableCheck = {
  statement: statement(
    'verification-undone-callbacks',
    new Columns({
      destination: column.text('destination'),
      count: column.id('count(*)'),
      dueAt: column.moment('min(due_at)'),
    }).as((row) => ({
      place: `callbacks to ${row.destination}`,
      cause: `${row.count} were due, the first at ${isoTime(row.dueAt)}: nobody sends them`,
    })),
    (columns) => `
     select ${columns} from callbacks c
     where due_at < $1 and not exists (
       select from callbacks t where t.destination = c.destination and t.due_at is not null and t.changed_at >= $1)
     group by 1 order by 3 limit ${MOST}`,
  ),
  dueBefore: 'callbacks',
};

export const tableChecks: readonly TableCheck[] = [
  orphans('transactions'),
  orphans('order_events'),
  orphans('ledger_entries'),
  orphans('authentications'),
  orphans('callbacks'),
  doubles('client-order-id', 'client_order_id', "merchant's id"),
  doubles('control', 'control', 'control'),
  unsealable('cards', 'cards', 'data_key_id', `'card ' || x.card_id`),
  unsealable('cvv', 'transactions', 'cvv_data_key_id', `'order ' || x.order_id || ' transaction ' || x.seq`),
  unsealable('targets', 'orders', 'target_data_key_id', `'order ' || x.order_id`),
  unsealable('proofs', 'authentications', 'proof_data_key_id', `'order ' || x.order_id || ' transaction ' || x.seq`),
  unsealable('merchant-keys', 'merchant_keys', 'data_key_id', `'key ' || x.key_id`),
  undoneAuthentications,
  undoneCharges,
  undoneCallbacks,
];
