// Receipts to be sent by e-mail: one for an order at most, claimed under a lease. A message is marked before it goes
// out, so that whoever finds the mark after a crash does not send it a second time.

import type { OrderKey } from '../domain/order/order.ts';
import { claimByShard, FIRST_SHARD, type ListShards } from './claims.ts';
import type { Database } from './database.ts';
import { COLUMNS, column, type RowOf, statement, table } from './tables/index.ts';

export type ReceiptMailState = 'waiting' | 'sending' | 'sent' | 'dropped' | 'failed' | 'unknown';

const mails = table('receipt_mails', ['merchantId', 'orderId'], {
  merchantId: column.id('merchant_id'),
  orderId: column.id('order_id'),
  language: column.text('language'),
  state: column.text<ReceiptMailState>('state'),
  attempts: column.int('attempts'),
  dueAt: column.moment('due_at').optional(),
  leaseOwner: column.uuid('lease_owner').optional(),
  fault: column.text('fault').optional(),
  createdAt: column.moment('created_at'),
  changedAt: column.moment('changed_at'),
});

export type ReceiptMail = RowOf<typeof mails.parts>;

/** What became of a claimed one; without `dueAt` for good. */
export type SettledMail = Pick<ReceiptMail, 'state' | 'attempts' | 'dueAt' | 'fault'> & { readonly at: number };

export type MailClaim = {
  readonly now: number;
  readonly leaseUntil: number;
  readonly leaseOwner: string;
  readonly limit: number;
};

export type ReceiptMailStore = {
  /** Remembers that the payer of an order is to get a receipt, in the language of the latest card. */
  plan(
    order: OrderKey,
    about: { readonly language: string; readonly at: number; readonly dueAt: number },
  ): Promise<void>;
  claimDue(claim: MailClaim): Promise<ReceiptMail[]>;
  /** Marks that the message goes out now; false when it is no longer the claimant's. */
  begin(mail: ReceiptMail, at: number): Promise<boolean>;
  settle(mail: ReceiptMail, settled: SettledMail): Promise<void>;
};

const plan = statement('receipt-mails-plan')`
    ${mails.insert()}
    on conflict (${mails.key.whole()}) do update set language = excluded.language, due_at = excluded.due_at
    where receipt_mails.state = 'waiting' and receipt_mails.lease_owner is null`;

const claimDue = statement('receipt-mails-claim', mails.of('m'))`
    with d as materialized (
      select ${mails.key.names()} from receipt_mails
      where shard = $5 and due_at <= $1 order by due_at limit $4 for update skip locked
    )
    update receipt_mails m set due_at = $2, lease_owner = $3 from d
    where ${mails.key.among('m', 'd', '$5')}
    returning ${COLUMNS}`;

const begin = statement('receipt-mails-begin')`
    update receipt_mails set state = 'sending', changed_at = $4
    where ${mails.key.equal()} and lease_owner = $3 and state = 'waiting' returning 1`;

const settle = statement('receipt-mails-settle')`
    update receipt_mails set state = $4, attempts = $5, due_at = $6, fault = $7, changed_at = $8, lease_owner = null
    where ${mails.key.equal()} and lease_owner = $3`;

export function receiptMailStore(database: Database, shards: ListShards = FIRST_SHARD): ReceiptMailStore {
  const claimEach = claimByShard(shards);
  return {
    async plan(order, { language, at, dueAt }) {
      const fresh = { state: 'waiting', attempts: 0, leaseOwner: undefined, fault: undefined } as const;
      const { merchantId, orderId } = order;
      const row = { merchantId, orderId, language, ...fresh, dueAt, createdAt: at, changedAt: at };
      await database.query(plan, mails.values(row));
    },

    claimDue: ({ now, leaseUntil, leaseOwner, limit }) =>
      claimEach(limit, (shard, most) =>
        database.query(claimDue, [new Date(now), new Date(leaseUntil), leaseOwner, most, shard]),
      ),

    begin: async ({ merchantId, orderId, leaseOwner }, at) =>
      (await database.query(begin, [merchantId, orderId, leaseOwner, new Date(at)])).length > 0,

    async settle({ merchantId, orderId, leaseOwner }, { state, attempts, dueAt, fault, at }) {
      const due = dueAt === undefined ? null : new Date(dueAt);
      const key = [merchantId, orderId, leaseOwner];
      await database.query(settle, [...key, state, attempts, due, fault ?? null, new Date(at)]);
    },
  };
}
