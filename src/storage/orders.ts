// Orders and all that hangs on them, in PostgreSQL's dialect. The two hot statements write whole batches: every join with a
// table is on its full primary key, from rows that are complete before, so that the plan stays a lookup per row.

import type { Approval, Decline } from '../domain/acquirer-answer.ts';
import type { Order, Transaction } from '../domain/order/order.ts';
import { isFinal, type Stage } from '../domain/order/stages.ts';
import { bytes, moments, numbers, texts } from './arrays.ts';
import type { Database, Row, Statement, Step } from './database.ts';
import type { Batch, ExistingOrder, OrderChange, OrderRecord, OrderStore, OrderView, StoredCard } from './store.ts';

/** How long an Idempotency-Key is kept. */
const IDEMPOTENCY_MS = 7 * 24 * 60 * 60 * 1000;

/** The longest a sealed security code may wait for the authorisation's answer. */
const CVV_MS = 15 * 60 * 1000;

/** True of every row; lets the planner expect few of them, so that it looks each one up however small the table is. */
const FEW = 'r.order_id = r.order_id + 0';

const insertOrders: Statement = {
  name: 'orders-insert',
  text: `
    with rows as (
      select * from unnest(
        $1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
        $9::bytea[], $10::jsonb[], $11::uuid[], $12::timestamptz[],
        $13::timestamptz[], $14::uuid[], $15::uuid[], $16::bytea[], $17::text[], $18::timestamptz[], $19::bytea[], $20::int[],
        $21::bytea[], $22::int[], $23::bytea[], $24::text[], $25::text[], $26::text[], $27::int[], $28::int[], $29::text[]
      ) as r(
        merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount,
        control, details, receipt_id, created_at,
        due_at, lease_owner, request_serial, fingerprint, idempotency_key, idempotency_until, sealed_cvv, cvv_data_key_id,
        sealed_card, card_data_key_id, card_fingerprint, bin, last_four, brand, expire_month, expire_year, holder
      )
    ), written as (
      insert into orders (merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount,
        authorised, captured, reversed, version, control, card_id, details, receipt_id, created_at, changed_at)
      select merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount,
        0, 0, 0, 1, control, case when sealed_card is null then null else order_id end, details, receipt_id,
        created_at, created_at
      from rows
      on conflict do nothing
      returning merchant_id, order_id
    ), written_transactions as (
      insert into transactions (merchant_id, order_id, seq, type, amount, stage, due_at, lease_owner, attempts, sends,
        request_serial, fingerprint, idempotency_key, idempotency_until, sealed_cvv, cvv_data_key_id, created_at, changed_at)
      select r.merchant_id, r.order_id, 1, r.operation, r.amount, 'sending', r.due_at, r.lease_owner, 0, 0,
        r.request_serial, r.fingerprint, r.idempotency_key, r.idempotency_until, r.sealed_cvv, r.cvv_data_key_id,
        r.created_at, r.created_at
      from rows r join written w on w.merchant_id = r.merchant_id and w.order_id = r.order_id
    ), written_cards as (
      insert into cards (merchant_id, card_id, sealed, data_key_id, fingerprint, bin, last_four, brand, expire_month,
        expire_year, holder, created_at)
      select r.merchant_id, r.order_id, r.sealed_card, r.card_data_key_id, r.card_fingerprint, r.bin, r.last_four, r.brand,
        r.expire_month, r.expire_year, r.holder, r.created_at
      from rows r join written w on w.merchant_id = r.merchant_id and w.order_id = r.order_id
      where r.sealed_card is not null
    ), written_events as (
      insert into order_events (merchant_id, order_id, version, at, event)
      select r.merchant_id, r.order_id, 1, r.created_at,
        jsonb_build_object('type', 'order-started', 'amount', r.amount, 'serial', r.request_serial)
      from rows r join written w on w.merchant_id = r.merchant_id and w.order_id = r.order_id
    )
    select order_id from written`,
};

const updateOrders: Statement = {
  name: 'orders-update',
  text: `
    with rows as materialized (
      select * from unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::timestamptz[])
        as r(merchant_id, order_id, version_before, version, authorised, captured, reversed, at)
      where ${FEW}
    ), changed as (
      update orders o
      set version = r.version, authorised = r.authorised, captured = r.captured, reversed = r.reversed, changed_at = r.at
      from rows r
      where o.merchant_id = r.merchant_id and o.order_id = r.order_id and o.version = r.version_before
      returning o.merchant_id, o.order_id
    ), moved as materialized (
      select r.* from unnest($9::bigint[], $10::bigint[], $11::int[], $12::text[], $13::timestamptz[], $14::int[], $15::int[],
          $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::timestamptz[], $22::boolean[])
        as r(merchant_id, order_id, seq, stage, due_at, attempts, sends,
          approval_code, rrn, processor_tx_id, terminal_id, decline_code, at, answered)
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
    ), changed_transactions as (
      update transactions t
      set stage = r.stage, due_at = r.due_at, attempts = r.attempts, sends = r.sends,
        approval_code = r.approval_code, rrn = r.rrn, processor_tx_id = r.processor_tx_id, terminal_id = r.terminal_id,
        decline_code = r.decline_code, changed_at = r.at,
        lease_owner = case when r.stage = 'sending' then t.lease_owner end,
        sealed_cvv = case when r.answered then null else t.sealed_cvv end,
        cvv_data_key_id = case when r.answered then null else t.cvv_data_key_id end
      from moved r
      where t.merchant_id = r.merchant_id and t.order_id = r.order_id and t.seq = r.seq
    ), written_events as (
      insert into order_events (merchant_id, order_id, version, at, event)
      select r.merchant_id, r.order_id, r.version, r.at, r.event
      from unnest($23::bigint[], $24::bigint[], $25::int[], $26::timestamptz[], $27::jsonb[])
        as r(merchant_id, order_id, version, at, event)
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
    ), entries as (
      insert into ledger_entries (merchant_id, order_id, seq, line, account, currency, amount, at)
      select r.merchant_id, r.order_id, r.seq, r.line, r.account, r.currency, r.amount, r.at
      from unnest($28::bigint[], $29::bigint[], $30::int[], $31::int[], $32::text[], $33::text[], $34::bigint[], $35::timestamptz[])
        as r(merchant_id, order_id, seq, line, account, currency, amount, at)
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
      returning merchant_id, account, currency, amount
    ), balances as (
      insert into accounts (merchant_id, account, currency, balance)
      select merchant_id, account, currency, sum(amount) from entries
      group by merchant_id, account, currency order by merchant_id, account, currency
      on conflict (merchant_id, account, currency) do update set balance = accounts.balance + excluded.balance
    )
    select order_id from changed`,
};

const selectOrders: Statement = {
  name: 'orders-load',
  text: `
    select o.merchant_id, o.order_id, o.endpoint_id, o.client_order_id, o.operation, o.currency, o.notation, o.amount,
      o.authorised, o.captured, o.reversed, o.version, o.created_at
    from unnest($1::bigint[], $2::bigint[]) as r(merchant_id, order_id)
    join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id
    where ${FEW}`,
};

const selectTransactions: Statement = {
  name: 'transactions-load',
  text: `
    select t.merchant_id, t.order_id, t.seq, t.type, t.amount, t.stage, t.due_at, t.attempts, t.sends, t.request_serial,
      t.approval_code, t.rrn, t.processor_tx_id, t.terminal_id, t.decline_code, t.created_at, t.changed_at
    from unnest($1::bigint[], $2::bigint[]) as r(merchant_id, order_id)
    join transactions t on t.merchant_id = r.merchant_id and t.order_id = r.order_id
    where ${FEW}
    order by t.order_id, t.seq`,
};

const selectExisting: Statement = {
  name: 'orders-existing',
  text: `
    select o.order_id, o.control, t.fingerprint, t.idempotency_key
    from orders o join transactions t on t.merchant_id = o.merchant_id and t.order_id = o.order_id and t.seq = 1
    where o.merchant_id = $1 and o.order_id in (
      select order_id from orders where merchant_id = $1 and client_order_id = $2
      union select order_id from orders where merchant_id = $1 and control = $3
      union select order_id from transactions where merchant_id = $1 and idempotency_key = $4)`,
};

const claimDue: Statement = {
  name: 'transactions-claim',
  text: `
    update transactions t set due_at = $2, lease_owner = $3
    from (
      select merchant_id, order_id, seq from transactions
      where due_at <= $1 order by due_at limit $4 for update skip locked
    ) as d
    where t.merchant_id = d.merchant_id and t.order_id = d.order_id and t.seq = d.seq
    returning t.merchant_id, t.order_id, t.seq`,
};

const releaseLeases: Statement = {
  name: 'transactions-release',
  text: `update transactions set due_at = $1 where due_at > $1 and lease_owner is not null returning 1`,
};

const selectCard: Statement = {
  name: 'orders-card',
  text: `
    select c.*, t.sealed_cvv, t.cvv_data_key_id
    from transactions t
    join orders o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
    left join cards c on c.merchant_id = o.merchant_id and c.card_id = o.card_id
    where t.merchant_id = $1 and t.order_id = $2 and t.seq = $3`,
};

const VIEW = `
    select o.merchant_id, o.order_id, o.endpoint_id, o.client_order_id, o.operation, o.currency, o.notation, o.amount,
      o.authorised, o.captured, o.reversed, o.version, o.created_at, o.details, o.receipt_id,
      c.card_id, c.sealed, c.data_key_id, c.fingerprint, c.bin, c.last_four, c.brand, c.expire_month, c.expire_year, c.holder,
      (select json_agg(t order by t.seq) from (
        select seq, type, amount::text, stage, due_at, attempts, sends, request_serial, approval_code, rrn,
          processor_tx_id, terminal_id, decline_code, created_at, changed_at
        from transactions where merchant_id = o.merchant_id and order_id = o.order_id) t) as transactions
    from orders o left join cards c on c.merchant_id = o.merchant_id and c.card_id = o.card_id`;

const viewByOrderId: Statement = {
  name: 'orders-view-by-id',
  text: `${VIEW} where o.merchant_id = $1 and o.order_id = $2 and ($3::text is null or o.client_order_id = $3)`,
};

const viewByClientOrderId: Statement = {
  name: 'orders-view-by-client-id',
  text: `${VIEW} where o.merchant_id = $1 and o.client_order_id = $2`,
};

const forgetCvv: Statement = {
  name: 'transactions-forget-cvv',
  text: `update transactions set sealed_cvv = null, cvv_data_key_id = null where sealed_cvv is not null and created_at < $1`,
};

const forgetIdempotency: Statement = {
  name: 'transactions-forget-idempotency',
  text: `update transactions set idempotency_key = null, idempotency_until = null
    where idempotency_key is not null and idempotency_until < $1`,
};

export function orderStore(database: Database): OrderStore {
  return {
    commit: (batch) => commit(database, batch),
    load: (keys) => load(database, keys),

    async findExisting({ merchantId, clientOrderId, control, idempotencyKey }) {
      const rows = await database.query(selectExisting, [merchantId, clientOrderId, control, idempotencyKey]);
      const orders = await load(
        database,
        rows.map((row) => ({ merchantId, orderId: Number(row.order_id) })),
      );
      return rows.flatMap((row): ExistingOrder[] => {
        const order = orders.get(Number(row.order_id));
        if (!order) return [];
        return [
          {
            order,
            fingerprint: row.fingerprint as Buffer,
            control: (row.control as Buffer | null) ?? undefined,
            idempotencyKey: (row.idempotency_key as string | null) ?? undefined,
          },
        ];
      });
    },

    async claimDue({ now, leaseUntil, leaseOwner, limit }) {
      const rows = await database.query(claimDue, [new Date(now), new Date(leaseUntil), leaseOwner, limit]);
      return rows.map((row) => ({
        merchantId: Number(row.merchant_id),
        orderId: Number(row.order_id),
        seq: Number(row.seq),
      }));
    },

    async releaseLeases(now) {
      return (await database.query(releaseLeases, [new Date(now)])).length;
    },

    async loadCard({ merchantId, orderId, seq }) {
      const [row] = await database.query(selectCard, [merchantId, orderId, seq]);
      if (!row) throw new Error(`There is no transaction ${seq} of order ${orderId}`);
      const sealedCvv =
        row.sealed_cvv === null
          ? undefined
          : { bytes: row.sealed_cvv as Buffer, dataKeyId: Number(row.cvv_data_key_id) };
      return { card: cardFrom(row), sealedCvv };
    },

    async findOrderView({ merchantId, clientOrderId, orderId }) {
      const [row] =
        orderId === undefined
          ? await database.query(viewByClientOrderId, [merchantId, clientOrderId])
          : await database.query(viewByOrderId, [merchantId, orderId, clientOrderId]);
      return row && viewFrom(row);
    },

    async forgetExpired(now) {
      await database.query(forgetCvv, [new Date(now - CVV_MS)]);
      await database.query(forgetIdempotency, [new Date(now)]);
    },
  };
}

async function commit(database: Database, { starts, changes }: Batch): Promise<ReadonlySet<number>> {
  const steps: Step[] = [];
  if (starts.length > 0) steps.push({ statement: insertOrders, values: startColumns(starts) });
  if (changes.length > 0) steps.push({ statement: updateOrders, values: changeColumns(changes) });
  const written = new Set<number>();
  for (const rows of await database.flight(steps)) for (const row of rows) written.add(Number(row.order_id));
  return written;
}

function startColumns(starts: readonly OrderRecord[]): string[] {
  const orders = starts.map((start) => start.order);
  const first = orders.map((order) => order.transactions[0] as Transaction);
  return [
    numbers(orders.map((order) => order.merchantId)),
    numbers(orders.map((order) => order.orderId)),
    numbers(orders.map((order) => order.endpointId)),
    texts(orders.map((order) => order.clientOrderId)),
    texts(orders.map((order) => order.operation)),
    texts(orders.map((order) => order.currency)),
    texts(orders.map((order) => order.notation)),
    numbers(orders.map((order) => order.amount)),
    bytes(starts.map((start) => start.control)),
    texts(starts.map((start) => JSON.stringify(start.details))),
    texts(starts.map((start) => start.receiptId)),
    moments(orders.map((order) => order.createdAt)),
    moments(first.map((transaction) => transaction.dueAt)),
    texts(starts.map((start) => start.leaseOwner)),
    texts(first.map((transaction) => transaction.requestSerial)),
    bytes(starts.map((start) => start.fingerprint)),
    texts(starts.map((start) => start.idempotencyKey)),
    moments(starts.map((start) => (start.idempotencyKey ? start.order.createdAt + IDEMPOTENCY_MS : undefined))),
    bytes(starts.map((start) => start.sealedCvv?.bytes)),
    numbers(starts.map((start) => start.sealedCvv?.dataKeyId)),
    bytes(starts.map((start) => start.card?.sealed.bytes)),
    numbers(starts.map((start) => start.card?.sealed.dataKeyId)),
    bytes(starts.map((start) => start.card?.fingerprint)),
    texts(starts.map((start) => start.card?.bin)),
    texts(starts.map((start) => start.card?.lastFour)),
    texts(starts.map((start) => start.card?.brand)),
    numbers(starts.map((start) => start.card?.expireMonth)),
    numbers(starts.map((start) => start.card?.expireYear)),
    texts(starts.map((start) => start.card?.holder)),
  ];
}

function changeColumns(changes: readonly OrderChange[]): string[] {
  const orders = changes.map((change) => change.after);
  const transactions = changes.flatMap(({ before, after }) =>
    after.transactions
      .filter((transaction, index) => transaction !== before.transactions[index])
      .map((transaction) => ({ order: after, transaction })),
  );
  const events = changes.flatMap(({ before, after, events }) =>
    events.map((event, index) => ({ order: after, version: before.version + 1 + index, event })),
  );
  const entries = changes.flatMap(({ after, entries }) => entries.map((entry) => ({ order: after, entry })));
  const approval = (transaction: Transaction) =>
    transaction.answer?.word === 'approved' ? transaction.answer : undefined;
  return [
    numbers(orders.map((order) => order.merchantId)),
    numbers(orders.map((order) => order.orderId)),
    numbers(changes.map((change) => change.before.version)),
    numbers(orders.map((order) => order.version)),
    numbers(orders.map((order) => order.authorised)),
    numbers(orders.map((order) => order.captured)),
    numbers(orders.map((order) => order.reversed)),
    moments(changes.map((change) => change.events.at(-1)?.at)),
    numbers(transactions.map(({ order }) => order.merchantId)),
    numbers(transactions.map(({ order }) => order.orderId)),
    numbers(transactions.map(({ transaction }) => transaction.seq)),
    texts(transactions.map(({ transaction }) => transaction.stage)),
    moments(transactions.map(({ transaction }) => transaction.dueAt)),
    numbers(transactions.map(({ transaction }) => transaction.attempts)),
    numbers(transactions.map(({ transaction }) => transaction.sends)),
    texts(transactions.map(({ transaction }) => approval(transaction)?.approvalCode)),
    texts(transactions.map(({ transaction }) => transaction.answer?.rrn)),
    texts(transactions.map(({ transaction }) => transaction.answer?.processorTxId)),
    texts(transactions.map(({ transaction }) => approval(transaction)?.terminalId)),
    texts(
      transactions.map(({ transaction }) =>
        transaction.answer?.word === 'declined' ? transaction.answer.code : undefined,
      ),
    ),
    moments(transactions.map(({ transaction }) => transaction.changedAt)),
    texts(transactions.map(({ transaction }) => (isFinal(transaction.stage) ? 't' : 'f'))),
    numbers(events.map(({ order }) => order.merchantId)),
    numbers(events.map(({ order }) => order.orderId)),
    numbers(events.map(({ version }) => version)),
    moments(events.map(({ event }) => event.at)),
    texts(events.map(({ event }) => JSON.stringify(event))),
    numbers(entries.map(({ order }) => order.merchantId)),
    numbers(entries.map(({ order }) => order.orderId)),
    numbers(entries.map(({ entry }) => entry.seq)),
    numbers(entries.map(({ entry }) => entry.line)),
    texts(entries.map(({ entry }) => entry.account)),
    texts(entries.map(({ entry }) => entry.currency)),
    numbers(entries.map(({ entry }) => entry.amount)),
    moments(entries.map(({ order, entry }) => order.transactions[entry.seq - 1]?.changedAt)),
  ];
}

async function load(
  database: Database,
  keys: readonly { merchantId: number; orderId: number }[],
): Promise<Map<number, Order>> {
  const orders = new Map<number, Order>();
  if (keys.length === 0) return orders;
  const columns = [numbers(keys.map((key) => key.merchantId)), numbers(keys.map((key) => key.orderId))];
  // One flight is one transaction, and a change bumps the version: a pair read across a change is caught when written.
  const [orderRows = [], transactionRows = []] = await database.flight([
    { statement: selectOrders, values: columns },
    { statement: selectTransactions, values: columns },
  ]);
  const transactions = new Map<number, Transaction[]>();
  for (const row of transactionRows) {
    const orderId = Number(row.order_id);
    const list = transactions.get(orderId);
    if (list) list.push(transactionFrom(row));
    else transactions.set(orderId, [transactionFrom(row)]);
  }
  for (const row of orderRows) {
    const orderId = Number(row.order_id);
    orders.set(orderId, orderFrom(row, transactions.get(orderId) ?? []));
  }
  return orders;
}

function orderFrom(row: Row, transactions: Transaction[]): Order {
  return {
    merchantId: Number(row.merchant_id),
    orderId: Number(row.order_id),
    endpointId: Number(row.endpoint_id),
    clientOrderId: row.client_order_id as string,
    operation: row.operation as Order['operation'],
    currency: row.currency as string,
    notation: row.notation as Order['notation'],
    amount: BigInt(row.amount as string),
    authorised: BigInt(row.authorised as string),
    captured: BigInt(row.captured as string),
    reversed: BigInt(row.reversed as string),
    version: Number(row.version),
    createdAt: moment(row.created_at),
    transactions,
  };
}

function transactionFrom(row: Row): Transaction {
  return {
    seq: Number(row.seq),
    type: row.type as Transaction['type'],
    amount: BigInt(row.amount as string),
    stage: row.stage as Stage,
    dueAt: row.due_at === null ? undefined : moment(row.due_at),
    attempts: Number(row.attempts),
    sends: Number(row.sends),
    requestSerial: row.request_serial as string,
    answer: answerFrom(row),
    createdAt: moment(row.created_at),
    changedAt: moment(row.changed_at),
  };
}

function answerFrom(row: Row): Approval | Decline | undefined {
  if (row.approval_code !== null) {
    return {
      word: 'approved',
      approvalCode: row.approval_code as string,
      rrn: row.rrn as string,
      processorTxId: row.processor_tx_id as string,
      ...(row.terminal_id === null ? {} : { terminalId: row.terminal_id as string }),
    };
  }
  if (row.decline_code === null) return undefined;
  return {
    word: 'declined',
    code: row.decline_code as string,
    ...(row.rrn === null ? {} : { rrn: row.rrn as string }),
    ...(row.processor_tx_id === null ? {} : { processorTxId: row.processor_tx_id as string }),
  };
}

function cardFrom(row: Row): StoredCard | undefined {
  if (row.card_id === null) return undefined;
  return {
    cardId: Number(row.card_id),
    sealed: { bytes: row.sealed as Buffer, dataKeyId: Number(row.data_key_id) },
    fingerprint: row.fingerprint as Buffer,
    bin: row.bin as string,
    lastFour: row.last_four as string,
    brand: row.brand as string,
    expireMonth: Number(row.expire_month),
    expireYear: Number(row.expire_year),
    holder: (row.holder as string | null) ?? undefined,
  };
}

function viewFrom(row: Row): OrderView {
  const transactions = (row.transactions as Row[]).map(transactionFrom);
  return {
    order: orderFrom(row, transactions),
    details: row.details as OrderView['details'],
    receiptId: row.receipt_id as string,
    card: cardFrom(row),
  };
}

/** A timestamp arrives as Date from a column and as text from inside JSON. */
function moment(value: unknown): number {
  return value instanceof Date ? value.getTime() : Date.parse(value as string);
}
