// Recurring payments: made with their card and its reference, claimed when due, and saved only over the version read.

import type { OrderDetails } from '../domain/order/details.ts';
import { isFinal, type Stage } from '../domain/order/stages.ts';
import {
  type Amounts,
  figuresOf,
  type RecurringPayment,
  type RecurringSchedule,
  type RecurringState,
} from '../domain/recurring/recurring.ts';
import { CARD, cardColumns, cardFrom, insertCards } from './cards/card-rows.ts';
import type { Database, Row, Statement } from './database.ts';
import type { StoredCard } from './store.ts';
import { numbers } from './wire/arrays.ts';
import { type Column, columnValues, names, unnest } from './wire/columns.ts';

export type RecurringKey = Pick<RecurringPayment, 'merchantId' | 'recurringPaymentId'>;

/** A recurring payment and what its charges are made of. Without a card its reference was deleted. */
export type RecurringProfile = RecurringPayment & {
  readonly details: OrderDetails;
  readonly card: StoredCard | undefined;
};

export type NewRecurringPayment = RecurringPayment & {
  readonly details: OrderDetails;
  readonly card: StoredCard;
  readonly fingerprint: Buffer;
};

/** What became of a recurring payment's charges, whoever asked for them. */
export type Charges = { readonly approved: number; readonly isOpen: boolean };

export type Charge = {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly amount: bigint;
  readonly createdAt: number;
  /** Where its last attempt stands. */
  readonly stage: Stage;
  readonly declineCode: string | undefined;
};

export type RecurringQuery = {
  readonly merchantId?: number | undefined;
  readonly state?: RecurringState | undefined;
  /** Only those made before this one. */
  readonly before?: number | undefined;
  readonly limit: number;
};

export type RecurringStore = {
  /** False when the merchant's own id is taken. */
  create(payment: NewRecurringPayment): Promise<boolean>;
  findByClientOrderId(
    merchantId: number,
    clientOrderId: string,
  ): Promise<{ recurringPaymentId: number; fingerprint: Buffer } | undefined>;
  find(key: RecurringKey): Promise<RecurringProfile | undefined>;
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

const PAYMENT: readonly Column<NewRecurringPayment>[] = [
  ['merchant_id', 'bigint', ({ merchantId }) => merchantId],
  ['recurring_payment_id', 'bigint', ({ recurringPaymentId }) => recurringPaymentId],
  ['endpoint_id', 'bigint', ({ endpointId }) => endpointId],
  ['client_order_id', 'text', ({ clientOrderId }) => clientOrderId],
  ['fingerprint', 'bytea', ({ fingerprint }) => fingerprint],
  ['direction', 'text', ({ direction }) => direction],
  ['currency', 'text', ({ currency }) => currency],
  ['amount_kind', 'text', ({ amounts }) => amounts.kind],
  ['amounts', 'text', ({ amounts }) => numbers(figuresOf(amounts))],
  ['interval_unit', 'text', ({ schedule }) => schedule?.unit],
  ['interval_length', 'int', ({ schedule }) => schedule?.interval],
  ['anchor_at', 'timestamptz', ({ schedule }) => schedule?.anchorAt],
  ['ends_at', 'timestamptz', ({ endsAt }) => endsAt],
  ['details', 'jsonb', ({ details }) => JSON.stringify(details)],
  ['state', 'text', ({ state }) => state],
  ['occurrence', 'int', ({ progress }) => progress.occurrence],
  ['failures', 'int', ({ progress }) => progress.failures],
  ['next_run_at', 'timestamptz', ({ nextRunAt }) => nextRunAt],
  ['version', 'int', ({ version }) => version],
  ['created_at', 'timestamptz', ({ createdAt }) => createdAt],
  ['changed_at', 'timestamptz', ({ changedAt }) => changedAt],
];

// The card and its reference have the recurring payment's own id: wherever a stored card is asked for, that id names it.
const insert: Statement = {
  name: 'recurring-insert',
  text: `
    with given as (
      select * from ${unnest('r', [...PAYMENT, ...CARD])}
    ), written as (
      insert into recurring_payments (${names(PAYMENT)})
      select ${names(PAYMENT.map(([name, ...rest]) => [name === 'amounts' ? 'amounts::bigint[]' : name, ...rest] as const))}
      from given on conflict do nothing returning merchant_id
    ), written_card as (
      ${insertCards('r', 'r.recurring_payment_id')}
      from given r join written w on w.merchant_id = r.merchant_id
    ), written_reference as (
      insert into card_references (merchant_id, reference_id, card_id, created_at)
      select r.merchant_id, r.recurring_payment_id, r.recurring_payment_id, r.created_at
      from given r join written w on w.merchant_id = r.merchant_id
    )
    select 1 from written`,
};

const selectByClientOrderId: Statement = {
  name: 'recurring-by-client-id',
  text: `select recurring_payment_id, fingerprint from recurring_payments
    where merchant_id = $1 and client_order_id = $2`,
};

// A column of the card is named like one of the payment.
const PROFILE = `select p.*, ${cardColumns('c', 'card_')}
  from p
  left join card_references r on r.merchant_id = p.merchant_id and r.reference_id = p.recurring_payment_id
    and r.deleted_at is null
  left join cards c on c.merchant_id = r.merchant_id and c.card_id = r.card_id`;

const select: Statement = {
  name: 'recurring-find',
  text: `
    with p as (select * from recurring_payments where merchant_id = $1 and recurring_payment_id = $2) ${PROFILE}`,
};

const claimDue: Statement = {
  name: 'recurring-claim-due',
  text: `
    with p as (
      update recurring_payments p set next_run_at = $2, busy_until = $2, version = version + 1
      from (
        select merchant_id, recurring_payment_id from recurring_payments
        where next_run_at <= $1 and (busy_until is null or busy_until <= $1)
        order by next_run_at limit $3 for update skip locked
      ) as d
      where p.merchant_id = d.merchant_id and p.recurring_payment_id = d.recurring_payment_id
      returning p.*
    ) ${PROFILE}`,
};

const claimOne: Statement = {
  name: 'recurring-claim',
  text: `
    update recurring_payments set busy_until = $4
    where merchant_id = $1 and recurring_payment_id = $2 and (busy_until is null or busy_until <= $3) returning 1`,
};

const releaseOne: Statement = {
  name: 'recurring-release',
  text: `
    update recurring_payments set busy_until = null
    where merchant_id = $1 and recurring_payment_id = $2 and busy_until = $3`,
};

const UPDATE = `
    update recurring_payments set state = $4, note = $5, occurrence = $6, failures = $7, next_run_at = $8,
      changed_at = $9, version = version + 1`;
const OF_VERSION = 'where merchant_id = $1 and recurring_payment_id = $2 and version = $3 returning 1';

const save: Statement = { name: 'recurring-save', text: `${UPDATE}, busy_until = null ${OF_VERSION}` };
const advance: Statement = { name: 'recurring-advance', text: `${UPDATE} ${OF_VERSION}` };

const CHARGES = `
    from orders o join transactions t on t.merchant_id = o.merchant_id and t.order_id = o.order_id
      and t.original_seq is null
    where o.merchant_id = $1 and coalesce(o.card_id, o.target_card_id) = $2 and o.operation = 'recurring'`;

const countCharges: Statement = {
  name: 'recurring-charges',
  text: `select t.stage, count(*)::int as number ${CHARGES} group by t.stage`,
};

const selectCharges: Statement = {
  name: 'recurring-recent-charges',
  text: `
    select distinct on (o.order_id) o.order_id, o.client_order_id, t.amount, o.created_at, t.stage, t.decline_code
    ${CHARGES} order by o.order_id desc, t.seq desc limit $3`,
};

const selectList: Statement = {
  name: 'recurring-list',
  text: `
    select * from recurring_payments
    where ($1::bigint is null or merchant_id = $1) and ($2::text is null or state = $2)
      and ($3::bigint is null or recurring_payment_id < $3)
    order by recurring_payment_id desc limit $4`,
};

export function recurringStore(database: Database): RecurringStore {
  return {
    async create(payment) {
      return (await database.query(insert, columnValues([...PAYMENT, ...CARD], [payment]))).length === 1;
    },
    async findByClientOrderId(merchantId, clientOrderId) {
      const [row] = await database.query(selectByClientOrderId, [merchantId, clientOrderId]);
      return row && { recurringPaymentId: Number(row.recurring_payment_id), fingerprint: row.fingerprint as Buffer };
    },
    async find({ merchantId, recurringPaymentId }) {
      const [row] = await database.query(select, [merchantId, recurringPaymentId]);
      return row && profileFrom(row);
    },
    async claimDue({ now, leaseUntil, limit }) {
      const rows = await database.query(claimDue, [new Date(now), new Date(leaseUntil), limit]);
      return rows.map(profileFrom);
    },
    async claim({ merchantId, recurringPaymentId }, { now, leaseUntil }) {
      const values = [merchantId, recurringPaymentId, new Date(now), new Date(leaseUntil)];
      return (await database.query(claimOne, values)).length === 1;
    },
    async release({ merchantId, recurringPaymentId }, leaseUntil) {
      await database.query(releaseOne, [merchantId, recurringPaymentId, new Date(leaseUntil)]);
    },
    async save(payment, at) {
      return (await database.query(save, changeValues(payment, at))).length === 1;
    },
    async advance(payment, at) {
      return (await database.query(advance, changeValues(payment, at))).length === 1;
    },
    async charges({ merchantId, recurringPaymentId }) {
      const rows = await database.query(countCharges, [merchantId, recurringPaymentId]);
      return {
        approved: Number(rows.find(({ stage }) => stage === 'approved')?.number ?? 0),
        isOpen: rows.some(({ stage }) => !isFinal(stage as Stage)),
      };
    },
    async recentCharges({ merchantId, recurringPaymentId }, limit) {
      const rows = await database.query(selectCharges, [merchantId, recurringPaymentId, limit]);
      return rows.map((row) => ({
        orderId: Number(row.order_id),
        clientOrderId: row.client_order_id as string,
        amount: BigInt(row.amount as string),
        createdAt: (row.created_at as Date).getTime(),
        stage: row.stage as Stage,
        declineCode: (row.decline_code as string | null) ?? undefined,
      }));
    },
    async list({ merchantId, state, before, limit }) {
      return (await database.query(selectList, [merchantId, state, before, limit])).map(paymentFrom);
    },
  };
}

function changeValues(payment: RecurringPayment, at: number): unknown[] {
  const { merchantId, recurringPaymentId, version, state, note, progress, nextRunAt } = payment;
  const due = nextRunAt === undefined ? null : new Date(nextRunAt);
  const { occurrence, failures } = progress;
  return [merchantId, recurringPaymentId, version, state, note, occurrence, failures, due, new Date(at)];
}

function amountsFrom(kind: Amounts['kind'], figures: readonly bigint[]): Amounts {
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

function profileFrom(row: Row): RecurringProfile {
  return { ...paymentFrom(row), details: row.details as OrderDetails, card: cardFrom(row, 'card_') };
}

function paymentFrom(row: Row): RecurringPayment {
  return {
    merchantId: Number(row.merchant_id),
    recurringPaymentId: Number(row.recurring_payment_id),
    endpointId: Number(row.endpoint_id),
    clientOrderId: row.client_order_id as string,
    direction: row.direction as RecurringPayment['direction'],
    currency: row.currency as string,
    amounts: amountsFrom(row.amount_kind as Amounts['kind'], (row.amounts as string[]).map(BigInt)),
    schedule: scheduleFrom(row),
    endsAt: moment(row.ends_at),
    state: row.state as RecurringState,
    note: (row.note as string | null) ?? undefined,
    progress: { occurrence: Number(row.occurrence), failures: Number(row.failures) },
    nextRunAt: moment(row.next_run_at),
    version: Number(row.version),
    createdAt: (row.created_at as Date).getTime(),
    changedAt: (row.changed_at as Date).getTime(),
  };
}

function scheduleFrom(row: Row): RecurringSchedule | undefined {
  if (row.interval_unit === null) return undefined;
  return {
    unit: row.interval_unit as RecurringSchedule['unit'],
    interval: Number(row.interval_length),
    anchorAt: (row.anchor_at as Date).getTime(),
  };
}

function moment(value: unknown): number | undefined {
  return value === null ? undefined : (value as Date).getTime();
}
