// Our transactions as the bank knows them, one line per instruction, in the order of merchant and id.

import type { OurInstruction } from '../../domain/money/reconciliation.ts';
import { acquirerReference } from '../../domain/order/order.ts';
import { isAuthenticationDecline } from '../../domain/three-d-secure/authentication.ts';
import type { Database, Row, Statement } from '../database.ts';
import type { OrderPlace } from './verification.ts';

export type InstructionPage = {
  readonly instructions: readonly OurInstruction[];
  /** Undefined at the end. */
  readonly last: OrderPlace | undefined;
};

export type InstructionStore = {
  /** Those of so many orders after `after`. */
  page(after: OrderPlace, orders: number): Promise<InstructionPage>;
};

const page: Statement = {
  name: 'instructions-page',
  text: `
    select t.merchant_id, t.order_id, t.seq, t.type, t.stage, t.leg, t.legs, t.amount, o.currency, t.created_at, t.changed_at,
      t.decline_code,
      exists (select from transactions v where v.merchant_id = t.merchant_id and v.order_id = t.order_id
        and v.type = 'void' and v.original_seq = t.seq and v.stage = 'approved') as voided,
      (select json_object_agg(l.line, l.amount::text) from ledger_entries l
        where l.merchant_id = t.merchant_id and l.order_id = t.order_id and l.seq = t.seq and l.account = 'clearing') as lines
    from (
      select merchant_id, order_id, currency from orders
      where (merchant_id, order_id) > ($1, $2) order by merchant_id, order_id limit $3
    ) o
    join transactions t on t.merchant_id = o.merchant_id and t.order_id = o.order_id
    order by t.merchant_id, t.order_id, t.seq`,
};

export function instructionStore(database: Database): InstructionStore {
  return {
    async page({ merchantId, orderId }, orders) {
      const rows = await database.query(page, [merchantId, orderId, orders]);
      const last = rows.at(-1);
      return {
        instructions: rows.flatMap(instructionsFrom),
        last: last && { merchantId: Number(last.merchant_id), orderId: Number(last.order_id) },
      };
    },
  };
}

function instructionsFrom(row: Row): OurInstruction[] {
  const key = { merchantId: Number(row.merchant_id), orderId: Number(row.order_id) };
  const seq = Number(row.seq);
  const legs = Number(row.legs);
  return Array.from({ length: legs }, (_, index) => ({
    reference: acquirerReference(key, { seq, leg: index + 1 }),
    type: row.type as OurInstruction['type'],
    stage: row.stage as OurInstruction['stage'],
    leg: index + 1,
    atLeg: Number(row.leg),
    legs,
    minor: BigInt(row.amount as string),
    currency: row.currency as string,
    declinedByBank: row.decline_code !== null && !isAuthenticationDecline(row.decline_code as string),
    voided: row.voided as boolean,
    booked: bookedFor(row.lines as Record<string, string> | null, index + 1, legs),
    createdAt: (row.created_at as Date).getTime(),
    changedAt: (row.changed_at as Date).getTime(),
  }));
}

/** The lines of a booking's second step belong to the second leg where there are two, and all lines to the one otherwise. */
function bookedFor(lines: Record<string, string> | null, leg: number, legs: number): bigint {
  const isSecond = (line: string) => line === '3' || line === '4';
  return Object.entries(lines ?? {})
    .filter(([line]) => legs === 1 || isSecond(line) === (leg === 2))
    .reduce((sum, [, amount]) => sum + BigInt(amount), 0n);
}
