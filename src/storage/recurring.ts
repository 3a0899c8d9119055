// Recurring payments: made with their card and its reference, claimed when due, and saved only over the version read.

import type { OrderDetails } from '../domain/order/details.ts';
import { isFinal } from '../domain/order/stages.ts';
import {
  type Amounts,
  figuresOf,
  type RecurringPayment,
  type RecurringSchedule,
  type RecurringState,
} from '../domain/recurring/recurring.ts';
import { CARD, cardInsertion, cards, sealedColumns, storedCard } from './cards/card-rows.ts';
import { claimByShard, FIRST_SHARD, type ListShards } from './claims.ts';
import { doAll, insertion } from './cluster/insertion.ts';
import type { Database, Session } from './database.ts';
import { holding, isTakenByOrder } from './orders/client-order-ids.ts';
import { orders, transactions } from './orders/order-rows.ts';
import { operationIs } from './orders/order-words.ts';
import type { Sealed, StoredCard } from './store.ts';
import {
  COLUMNS,
  Columns,
  column,
  inShard,
  ofMerchant,
  type RowOf,
  sameMerchant,
  shardOfId,
  statement,
  table,
} from './tables/index.ts';
import { type Column, columnValues, unnest } from './wire/columns.ts';

export type RecurringKey = Pick<RecurringPayment, 'merchantId' | 'recurringPaymentId'>;

/** A recurring payment and what its charges are made of. Without a card its reference was deleted. */
export type RecurringProfile = RecurringPayment & {
  readonly details: OrderDetails;
  /** Details that hold a card number and must come back as they were sent. */
  readonly sealedDetails?: Sealed | undefined;
  readonly card: StoredCard | undefined;
};

export type NewRecurringPayment = RecurringPayment & {
  readonly details: OrderDetails;
  readonly sealedDetails: Sealed | undefined;
  readonly card: StoredCard;
  readonly fingerprint: Buffer;
};

/** What became of a recurring payment's charges, whoever asked for them. */
export type Charges = { readonly approved: number; readonly isOpen: boolean };

export type RecurringQuery = {
  readonly merchantId?: number | undefined;
  readonly state?: RecurringState | undefined;
  /** Only those made before this one. */
  readonly before?: number | undefined;
  readonly limit: number;
};

export type RecurringStore = {
  /** False when the merchant's own id is taken, by another recurring payment or by an order. */
  create(payment: NewRecurringPayment): Promise<boolean>;
  findByClientOrderId(
    merchantId: number,
    clientOrderId: string,
  ): Promise<{ recurringPaymentId: number; fingerprint: Buffer } | undefined>;
  find(key: RecurringKey): Promise<RecurringProfile | undefined>;
  /** Whose it is: ids are unique among all merchants. */
  keyOf(recurringPaymentId: number): Promise<RecurringKey | undefined>;
  /** Takes due ones, each for one node only. */
  claimDue(claim: { now: number; leaseUntil: number; limit: number }): Promise<RecurringProfile[]>;
  /** Takes one to start a charge of it; false while another charge of it is being started. */
  claim(key: RecurringKey, claim: { now: number; leaseUntil: number }): Promise<boolean>;
  /** Lets go of it, unless the claim ran out meanwhile and it is somebody else's. */
  release(key: RecurringKey, leaseUntil: number): Promise<void>;
  /** Saves state and progress and lets go of it; false when somebody else changed it since it was read. */
  save(payment: RecurringPayment, at: number): Promise<boolean>;
  /** Saves the progress and keeps it. */
  advance(payment: RecurringPayment, at: number): Promise<boolean>;
  charges(key: RecurringKey): Promise<Charges>;
  recentCharges(key: RecurringKey, limit: number): Promise<Charge[]>;
  list(query: RecurringQuery): Promise<RecurringPayment[]>;
};

const amountsColumns = new Columns({
  kind: column.text<Amounts['kind']>('amount_kind'),
  figures: column.bigints('amounts'),
}).as(amountsFrom, (amounts) => ({ kind: amounts.kind, figures: figuresOf(amounts) }));

const scheduleColumns = new Columns({
  unit: column.text<RecurringSchedule['unit']>('interval_unit'),
  interval: column.int('interval_length'),
  anchorAt: column.moment('anchor_at'),
});

export const recurringPayments = table('recurring_payments', ['merchantId', 'recurringPaymentId'], {
  merchantId: column.id('merchant_id'),
  recurringPaymentId: column.id('recurring_payment_id'),
  endpointId: column.id('endpoint_id'),
  clientOrderId: column.text('client_order_id'),
  direction: column.text<RecurringPayment['direction']>('direction'),
  currency: column.text('currency'),
  amounts: amountsColumns,
  schedule: scheduleColumns.optional(),
  endsAt: column.moment('ends_at').optional(),
  state: column.text<RecurringState>('state'),
  note: column.text('note').optional(),
  progress: new Columns({ occurrence: column.int('occurrence'), failures: column.int('failures') }),
  nextRunAt: column.moment('next_run_at').optional(),
  version: column.int('version'),
  createdAt: column.moment('created_at'),
  changedAt: column.moment('changed_at'),
  details: column.jsonb<OrderDetails>('details'),
  sealedDetails: sealedColumns('sealed_details', 'details_data_key_id').optional(),
  fingerprint: column.bytea('fingerprint'),
});

/** What a recurring payment is read from. */
const paymentColumns = recurringPayments.without('details', 'sealedDetails', 'fingerprint');

const profileColumns = recurringPayments
  .without('fingerprint')
  .of('p')
  .with({ card: storedCard.of('c').optional() });

const NEW: readonly Column<NewRecurringPayment>[] = [...recurringPayments.batchOfRows(), ...CARD];

const newPayments = insertion('recurring-insert', {
  into: 'recurring_payments',
  names: recurringPayments.names(),
  batch: NEW,
  values: recurringPayments.unnested('r.'),
  conflict: 'on conflict do nothing',
  answers: recurringPayments.pick('recurringPaymentId'),
});
const newCards = insertion('recurring-cards', cardInsertion(NEW, 'recurring_payment_id'));
const newReferences = insertion('recurring-references', {
  into: 'card_references',
  names: 'merchant_id, reference_id, card_id, created_at',
  batch: NEW,
  values: 'r.merchant_id, r.recurring_payment_id, r.recurring_payment_id, r.created_at',
});

// The card and its reference have the recurring payment's own id, which so names it wherever a card is asked for.
const insert = statement<unknown>('recurring-insert')`
    with given as (
      select * from ${unnest('r', NEW)}
    ), written as (
      ${newPayments.text('given r')} on conflict do nothing returning merchant_id
    ), written_card as (
      ${newCards.text('given r')} join written w on w.merchant_id = r.merchant_id
    ), written_reference as (
      ${newReferences.text('given r')} join written w on w.merchant_id = r.merchant_id
    )
    select 1 from written`;

async function insertApart(session: Session, rows: readonly NewRecurringPayment[]) {
  const written = await doAll(session, newPayments.apart(rows));
  if (written.length > 0) await doAll(session, [...newCards.apart(rows), ...newReferences.apart(rows)]);
  return written;
}

const selectByClientOrderId = statement(
  'recurring-by-client-id',
  recurringPayments.pick('recurringPaymentId', 'fingerprint'),
)`
  select ${COLUMNS} from recurring_payments where ${ofMerchant()} and client_order_id = $2`;

const profilesOf = (columns: string) => `select ${columns}
  from p
  left join card_references r on ${sameMerchant('r', 'p')} and r.reference_id = p.recurring_payment_id
    and r.deleted_at is null
  left join cards c on ${cards.key.match('c', 'r')}`;

const select = statement('recurring-find', profileColumns)`
    with p as (select * from recurring_payments where ${recurringPayments.key.equal()})
    ${(columns) => inShard(profilesOf(columns), shardOfId('$1::bigint'))}`;

const selectKey = statement('recurring-key', recurringPayments.key)`
    select ${COLUMNS} from recurring_payments where recurring_payment_id = $1`;

const claimDue = statement('recurring-claim-due', profileColumns)`
    with d as materialized (
      select ${recurringPayments.key.names()} from recurring_payments
      where shard = $4 and next_run_at <= $1 and (busy_until is null or busy_until <= $1)
      order by next_run_at limit $3 for update skip locked
    ), p as (
      update recurring_payments p set next_run_at = $2, busy_until = $2, version = version + 1 from d
      where ${recurringPayments.key.among('p', 'd', '$4')}
      returning p.*
    ) ${(columns) => inShard(profilesOf(columns), '$4')}`;

const claimOne = statement('recurring-claim')`
    update recurring_payments set busy_until = $4
    where ${recurringPayments.key.equal()} and (busy_until is null or busy_until <= $3) returning 1`;

const releaseOne = statement('recurring-release')`
    update recurring_payments set busy_until = null
    where ${recurringPayments.key.equal()} and busy_until = $3`;

/** What every save says, behind the key and the version read. */
const progressColumns = recurringPayments.pick('state', 'note', 'progress', 'nextRunAt', 'changedAt');

const UPDATE = `update recurring_payments set ${progressColumns.equal(4, ', ')}, version = version + 1`;
const OF_VERSION = `where ${recurringPayments.key.equal()} and version = $3 returning 1`;

const save = statement('recurring-save')`${UPDATE}, busy_until = null ${OF_VERSION}`;
const advance = statement('recurring-advance')`${UPDATE} ${OF_VERSION}`;

const CHARGES = `
    from orders o join transactions t on ${orders.key.match('t', 'o')} and t.original_seq is null
    where ${ofMerchant('o')} and coalesce(o.card_id, o.target_card_id) = $2 and ${operationIs('recurring', 'o')}`;

const countCharges = statement('recurring-charges', {
  stage: transactions.parts.stage.of('t'),
  number: column.int('count(*)::int'),
})`
  select ${COLUMNS} ${CHARGES} group by t.stage`;

const chargeColumns = {
  ...orders.pick('orderId', 'clientOrderId', 'createdAt').of('o').parts,
  ...transactions.pick('amount', 'stage').of('t').parts,
  declineCode: column.text('t.decline_code').optional(),
};
/** With the stage of its last attempt. */
export type Charge = RowOf<typeof chargeColumns>;

const selectCharges = statement('recurring-recent-charges', chargeColumns)`
    select ${COLUMNS} ${CHARGES} and not exists (
      select from transactions later
      where ${orders.key.match('later', 'o')} and later.original_seq is null and later.seq > t.seq)
    order by o.created_at desc, o.order_id desc limit $3`;

const selectList = statement('recurring-list', paymentColumns)`
    select ${COLUMNS} from recurring_payments
    where ($1::bigint is null or merchant_id = $1) and ($2::text is null or state = $2)
      and ($3::bigint is null or (created_at, recurring_payment_id) < (
        select b.created_at, b.recurring_payment_id from recurring_payments b
        where b.recurring_payment_id = $3 and ($1::bigint is null or b.merchant_id = $1)))
    order by created_at desc, recurring_payment_id desc limit $4`;

export function recurringStore(database: Database, shards: ListShards = FIRST_SHARD): RecurringStore {
  const claimEach = claimByShard(shards);
  return {
    async create(payment) {
      const { merchantId, recurringPaymentId, clientOrderId, createdAt: at } = payment;
      const [hold, release] = holding({ merchantId, orderId: recurringPaymentId, clientOrderId, at });
      const rows = [payment];
      const apart = (session: Session) => insertApart(session, rows);
      const written = { statement: insert, values: columnValues(NEW, rows), apart };
      try {
        return (await database.flight([hold, written, release]))[1].length === 1;
      } catch (error) {
        if (isTakenByOrder(error)) return false;
        throw error;
      }
    },
    findByClientOrderId: async (merchantId, clientOrderId) =>
      (await database.query(selectByClientOrderId, [merchantId, clientOrderId]))[0],
    keyOf: async (recurringPaymentId) => (await database.query(selectKey, [recurringPaymentId]))[0],
    find: async (key) => (await database.query(select, recurringPayments.key.values(key)))[0],
    claimDue: ({ now, leaseUntil, limit }) =>
      claimEach(limit, (shard, most) => database.query(claimDue, [new Date(now), new Date(leaseUntil), most, shard])),
    async claim(key, { now, leaseUntil }) {
      const values = [...recurringPayments.key.values(key), new Date(now), new Date(leaseUntil)];
      return (await database.query(claimOne, values)).length === 1;
    },
    async release(key, leaseUntil) {
      await database.query(releaseOne, [...recurringPayments.key.values(key), new Date(leaseUntil)]);
    },
    save: async (payment, at) => (await database.query(save, changeValues(payment, at))).length === 1,
    advance: async (payment, at) => (await database.query(advance, changeValues(payment, at))).length === 1,
    async charges(key) {
      const rows = await database.query(countCharges, recurringPayments.key.values(key));
      return {
        approved: rows.find(({ stage }) => stage === 'approved')?.number ?? 0,
        isOpen: rows.some(({ stage }) => !isFinal(stage)),
      };
    },
    recentCharges: (key, limit) => database.query(selectCharges, [...recurringPayments.key.values(key), limit]),
    list: ({ merchantId, state, before, limit }) => database.query(selectList, [merchantId, state, before, limit]),
  };
}

function changeValues(payment: RecurringPayment, at: number): unknown[] {
  const changed = progressColumns.values({ ...payment, changedAt: at });
  return [...recurringPayments.key.values(payment), payment.version, ...changed];
}

function amountsFrom({ kind, figures }: { kind: Amounts['kind']; figures: readonly bigint[] }): Amounts {
  const [first = 0n, second = 0n] = figures;
  switch (kind) {
    case 'open':
      return { kind };
    case 'fixed':
      return { kind, minor: first };
    case 'range':
      return { kind, least: first, most: second };
    case 'sequence':
      return { kind, minors: figures };
  }
}
