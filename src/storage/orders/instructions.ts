// Our transactions as the bank knows them, one line per instruction, in the order of merchant and id.

import { isOwnDecline } from '../../domain/acquirer/action-codes.ts';
import type { OurInstruction } from '../../domain/money/reconciliation.ts';
import { type OrderKey, referenceAt } from '../../domain/order/order.ts';
import { OUTGOING } from '../../domain/order/transaction-types.ts';
import { overShards } from '../cluster/over-shards.ts';
import type { Database } from '../database.ts';
import { COLUMNS, Columns, column, type RowOf, statement } from '../tables/index.ts';
import { orders, transactions } from './order-rows.ts';
import { stageIs, typeIn, typeIs } from './order-words.ts';

/** What books a payout back is no instruction: its bank returned the payout by itself. */
const RETURN = `${orders.key.match('r', 't')} and ${typeIs('reversal', 'r')} and r.original_seq = t.seq
        and ${stageIs('approved', 'r')}`;

const IS_OUTGOING = typeIn(OUTGOING, 't');

const instructionColumns = new Columns({
  ...transactions.key.of('t').parts,
  ...transactions.pick('type', 'stage', 'leg', 'legs', 'terminal', 'amount', 'createdAt', 'changedAt').of('t').parts,
  currency: orders.parts.currency.of('o'),
  orderedAt: orders.parts.createdAt.of('o'),
  declineCode: column.text('t.decline_code').optional(),
  voided: column.boolean(`exists (
        select from transactions v where ${orders.key.match('v', 't')}
          and ${typeIs('void', 'v')} and v.original_seq = t.seq and ${stageIs('approved', 'v')})`),
  returnedAt: column
    .moment(`case when ${IS_OUTGOING} then (select r.changed_at from transactions r where ${RETURN}) end`)
    .optional(),
  returnedByHand: column.boolean(`${IS_OUTGOING} and exists (
        select from transactions r join order_events e on ${orders.key.match('e', 'r')}
        where ${RETURN} and e.event->'transaction'->>'seq' = r.seq::text and e.event->'by' is not null)`),
  /** What was booked to the bank, by line; with what came back of a payout, which has other lines. */
  booked: column
    .json<Readonly<Record<string, string>>>(`(
        select json_object_agg(l.line, l.amount::text) from ledger_entries l
        where ${orders.key.match('l', 't')} and l.account = 'clearing' and (l.seq = t.seq
          or ${IS_OUTGOING} and l.seq in (select r.seq from transactions r where ${RETURN})))`)
    .optional(),
});

const page = statement('instructions-page', instructionColumns)`
    select ${COLUMNS}
    from (
      select shard, merchant_id, order_id, currency, created_at from orders
      where (merchant_id, order_id) > ($1, $2) order by merchant_id, order_id limit $3
    ) o
    join transactions t on ${orders.key.match('t', 'o')}
    where not (${typeIs('reversal', 't')}) or not exists (
      select from transactions p where ${orders.key.match('p', 't')}
        and p.seq = t.original_seq and ${typeIn(OUTGOING, 'p')})
    order by t.merchant_id, t.order_id, t.seq`;

export type InstructionStore = ReturnType<typeof instructionStore>;

export function instructionStore(database: Database) {
  return {
    /** Those that so many orders after `after` sent to the terminal; `last` is undefined at the end. */
    async page(after: OrderKey, limit: number, terminal: string) {
      const rows = await overShards(database, page, [...orders.key.values(after), limit], { enough: 1 });
      const last: OrderKey | undefined = rows.at(-1);
      return { instructions: rows.filter((row) => row.terminal === terminal).flatMap(instructionsFrom), last };
    },
  };
}

function instructionsFrom(row: RowOf<typeof instructionColumns.parts>): OurInstruction[] {
  const { legs, declineCode } = row;
  const declinedByBank = declineCode !== undefined && !isOwnDecline(declineCode);
  return Array.from({ length: legs }, (_, index) => {
    const leg = index + 1;
    const reference = referenceAt({ ...row, leg });
    const booked = bookedFor(row.booked, leg, legs);
    return { ...row, reference, leg, atLeg: row.leg, minor: row.amount, declinedByBank, booked };
  });
}

/** Of two legs the second has the lines of the booking's second step; a single leg has all of them. */
function bookedFor(lines: Readonly<Record<string, string>> | undefined, leg: number, legs: number): bigint {
  const isSecond = (line: string) => line === '3' || line === '4';
  return Object.entries(lines ?? {})
    .filter(([line]) => legs === 1 || isSecond(line) === (leg === 2))
    .reduce((sum, [, amount]) => sum + BigInt(amount), 0n);
}
