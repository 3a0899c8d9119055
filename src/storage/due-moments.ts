// When something comes due in the database next, and what happened between two moments: for a sandbox's clock, which is
// put forward from one such moment to the next.

import type { Database } from './database.ts';
import { operationIs, stageIs } from './orders/order-words.ts';
import { COLUMNS, column, statement } from './tables/index.ts';

const nextDue = statement('due-moments-next', {
  at: column
    .moment(`least(
      (select min(due_at) from transactions where due_at > $1),
      (select min(due_at) from authentications where due_at > $1),
      (select min(due_at) from callbacks where due_at > $1),
      (select min(due_at) from receipt_mails where due_at > $1),
      (select min(greatest(next_run_at, busy_until)) from recurring_payments
        where next_run_at is not null and greatest(next_run_at, busy_until) > $1))`)
    .optional(),
})`select ${COLUMNS}`;

const within = (moment: string) => `${moment} between $1 and $2`;
const count = (from: string) => column.int(`(select count(*)::int from ${from})`);

const happenings = {
  orders: count(`orders where ${within('created_at')}`),
  charges: count(`orders where ${operationIs('recurring')} and ${within('created_at')}`),
  approved: count(`transactions where ${stageIs('approved')} and ${within('changed_at')}`),
  declined: count(`transactions where ${stageIs('declined')} and ${within('changed_at')}`),
  receipts: count(`receipt_mails where state = 'sent' and ${within('changed_at')}`),
};

const happened = statement('due-moments-happened', happenings)`select ${COLUMNS}`;

/** How many orders, of them charges of recurring payments, outcomes of transactions, and receipts by mail. */
export type Happenings = { readonly [Name in keyof typeof happenings]: number };

export type DueMoments = ReturnType<typeof dueMoments>;

export function dueMoments(database: Database) {
  return {
    /** The first moment after this one at which something comes due. */
    next: async (after: number): Promise<number | undefined> =>
      (await database.query(nextDue, [new Date(after)]))[0]?.at,
    happened: async (from: number, to: number): Promise<Happenings> => {
      const [row] = await database.query(happened, [new Date(from), new Date(to)]);
      if (!row) throw new Error('counts have no row');
      return row;
    },
  };
}
