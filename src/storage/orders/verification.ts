// Reads what `tender verify` looks at: orders a page at a time, each page in one statement and so as it was at one moment, and
// rows that cannot be right wherever a single table shows it.

import type { LedgerEntry } from '../../domain/money/ledger.ts';
import type { Transaction } from '../../domain/order/order.ts';
import type { StoredOrder } from '../../domain/order/verification.ts';
import type { Database, Row, Statement } from '../database.ts';
import { orderFrom, transactionFrom } from './order-rows.ts';

/** The last order of a page. */
export type OrderPlace = { readonly merchantId: number; readonly orderId: number };

export type Oddity = { readonly place: string; readonly cause: string };

/** What was due before these moments should have been done, or tried, by now. */
export type DueBefore = { readonly work: number; readonly callbacks: number };

export type VerificationStore = {
  /** In the order of merchant and id, those after `after`. */
  orders(after: OrderPlace, limit: number): Promise<StoredOrder[]>;
  /** The merchants there are or ever had a balance, those after `after`. */
  merchants(after: number, limit: number): Promise<number[]>;
  /** What is wrong with a merchant's accounts. */
  accounts(merchantId: number): Promise<Oddity[]>;
  /** How many checks of whole tables there are. */
  readonly tableChecks: number;
  /** Without `dueBefore` nobody is there to do what is due, and nothing of it is missed. */
  tables(index: number, dueBefore: DueBefore | undefined): Promise<Oddity[]>;
  /** Whether any node lives. */
  isServed(now: number): Promise<boolean>;
};

const sql = (name: string, text: string): Statement => ({ name: `verification-${name}`, text });

const OF_ORDER = 'merchant_id = o.merchant_id and order_id = o.order_id';

const page = sql(
  'orders',
  `select o.*,
     (select json_agg(t order by t.seq) from (
       select seq, type, amount::text, stage, leg, legs, original_seq, due_at, attempts, sends, request_serial,
         approval_code, rrn, processor_tx_id, terminal_id, decline_code, eligibility, filter_reason, comment,
         created_at, changed_at, sealed_cvv is not null as has_cvv
       from transactions where ${OF_ORDER}) t) as transactions,
     (select json_agg(e order by e.version) from (
       select version, event from order_events where ${OF_ORDER}) e) as events,
     (select json_agg(l order by l.seq, l.line) from (
       select seq, line, account, currency, amount::text from ledger_entries where ${OF_ORDER}) l) as entries
   from (
     select merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount, alternatives,
       authorised, captured, released, reversed, hold_until, version, created_at
     from orders where (merchant_id, order_id) > ($1, $2) order by merchant_id, order_id limit $3
   ) o order by o.merchant_id, o.order_id`,
);

const merchants = sql(
  'merchants',
  `select merchant_id from (select merchant_id from merchants union select merchant_id from accounts) m
   where merchant_id > $1 order by 1 limit $2`,
);

const accounts = sql(
  'accounts',
  `select coalesce(a.account, e.account) as account, coalesce(a.currency, e.currency) as currency,
     a.balance::text as balance, e.total::text as total
   from (select * from accounts where merchant_id = $1) a
   full join (
     select account, currency, sum(amount) as total from ledger_entries where merchant_id = $1 group by 1, 2
   ) e on e.account = a.account and e.currency = a.currency
   order by 2, 1`,
);

const served = sql('served', 'select exists (select from nodes where lease_until > $1) as served');

/** Rows shown of one check; whoever has more has seen enough. */
const MOST = 100;

type TableCheck = {
  readonly statement: Statement;
  /** The moment its statement asks for, where it looks for what was due and nobody has looked at. */
  readonly dueBefore?: keyof DueBefore;
  readonly tell: (row: Row) => Oddity;
};

const orphans = (table: string): TableCheck => ({
  statement: sql(
    `orphans-${table}`,
    `select distinct merchant_id, order_id from ${table} x
     where not exists (select from orders o where o.merchant_id = x.merchant_id and o.order_id = x.order_id)
     limit ${MOST}`,
  ),
  tell: ({ order_id }) => ({ place: `order ${order_id}`, cause: `is not there, but has rows in ${table}` }),
});

const doubles = (name: string, column: string, what: string): TableCheck => ({
  statement: sql(
    `doubles-${name}`,
    `select merchant_id, min(order_id) as first, max(order_id) as last, count(*) as orders from orders
     where ${column} is not null group by merchant_id, ${column} having count(*) > 1 limit ${MOST}`,
  ),
  tell: ({ first, last, orders }) => ({
    place: `order ${first}`,
    cause: `shares its ${what} with order ${last}: ${orders} orders have it`,
  }),
});

const unsealable = (name: string, table: string, key: string, place: string): TableCheck => ({
  statement: sql(
    `keys-${name}`,
    `select ${place} as place, x.${key} as data_key_id from ${table} x
     where x.${key} is not null
       and not exists (select from data_keys k where k.data_key_id = x.${key} and k.purpose = 'seal')
     limit ${MOST}`,
  ),
  tell: ({ place: where, data_key_id }) => ({
    place: String(where),
    cause: `is sealed under data key ${data_key_id}, which does not exist: it can never be opened`,
  }),
});

const isoTime = (column: unknown) => (column as Date).toISOString();

const undoneAuthentications: TableCheck = {
  statement: sql(
    'undone-authentications',
    `select order_id, seq, due_at from authentications where due_at < $1 order by due_at limit ${MOST}`,
  ),
  dueBefore: 'work',
  tell: ({ order_id, seq, due_at }) => ({
    place: `order ${order_id} transaction ${seq}`,
    cause: `its authentication was due at ${isoTime(due_at)}: nobody works on it`,
  }),
};

const undoneCharges: TableCheck = {
  statement: sql(
    'undone-charges',
    `select recurring_payment_id, next_run_at from recurring_payments where next_run_at < $1 order by 2 limit ${MOST}`,
  ),
  dueBefore: 'work',
  tell: ({ recurring_payment_id, next_run_at }) => ({
    place: `recurring payment ${recurring_payment_id}`,
    cause: `was due at ${isoTime(next_run_at)}: nobody charges it`,
  }),
};

/** One that fails keeps those behind it waiting, so only a destination for which nothing at all happens is forgotten. */
const undoneCallbacks: TableCheck = {
  statement: sql(
    'undone-callbacks',
    `select destination, count(*) as callbacks, min(due_at) as due_at from callbacks c
     where due_at < $1 and not exists (
       select from callbacks t where t.destination = c.destination and t.due_at is not null and t.changed_at >= $1)
     group by 1 order by 3 limit ${MOST}`,
  ),
  dueBefore: 'callbacks',
  tell: ({ destination, callbacks, due_at }) => ({
    place: `callbacks to ${destination}`,
    cause: `${callbacks} were due, the first at ${isoTime(due_at)}: nobody sends them`,
  }),
};

const TABLES: readonly TableCheck[] = [
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

export function verificationStore(database: Database): VerificationStore {
  return {
    async orders({ merchantId, orderId }, limit) {
      return (await database.query(page, [merchantId, orderId, limit])).map(storedOrderFrom);
    },
    async merchants(after, limit) {
      return (await database.query(merchants, [after, limit])).map((row) => Number(row.merchant_id));
    },
    async accounts(merchantId) {
      return accountOddities(merchantId, await database.query(accounts, [merchantId]));
    },
    tableChecks: TABLES.length,
    async tables(index, dueBefore) {
      const check = TABLES[index];
      if (!check || (check.dueBefore && !dueBefore)) return [];
      const values = check.dueBefore && dueBefore ? [new Date(dueBefore[check.dueBefore])] : [];
      return (await database.query(check.statement, values)).map(check.tell);
    },
    async isServed(now) {
      return (await database.query(served, [new Date(now)]))[0]?.served === true;
    },
  };
}

function accountOddities(merchantId: number, rows: readonly Row[]): Oddity[] {
  const place = `merchant ${merchantId}`;
  const odd: Oddity[] = [];
  const totals = new Map<string, bigint>();
  for (const { account, currency, balance, total } of rows) {
    if ((balance ?? '0') !== (total ?? '0')) {
      const cause = `account ${account} says ${balance ?? 'nothing'} ${currency}, its entries ${total ?? 'nothing'}`;
      odd.push({ place, cause });
    }
    totals.set(currency as string, (totals.get(currency as string) ?? 0n) + BigInt((total as string | null) ?? 0));
  }
  for (const [currency, total] of totals) {
    if (total !== 0n) odd.push({ place, cause: `the ledger is off by ${total} ${currency}` });
  }
  return odd;
}

function storedOrderFrom(row: Row): StoredOrder {
  const transactions = (row.transactions as Row[] | null) ?? [];
  return {
    order: orderFrom(row, transactions.map(transactionFrom) as Transaction[]),
    events: (row.events as StoredOrder['events'] | null) ?? [],
    entries: ((row.entries as Row[] | null) ?? []).map(
      ({ amount, ...entry }) => ({ ...entry, amount: BigInt(amount as string) }) as LedgerEntry,
    ),
    withCvv: transactions.filter(({ has_cvv }) => has_cvv === true).map(({ seq }) => Number(seq)),
  };
}
