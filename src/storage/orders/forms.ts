// The hosted form's side of storage: the card a payer entered, written with the change of its order in one transaction,
// and how many unsigned forms were asked for. Whoever is second finds the order changed and writes nothing.

import type { OrderDetails } from '../../domain/order/details.ts';
import { type Order, transactionOf } from '../../domain/order/order.ts';
import type { Tally } from '../../domain/screening/screening.ts';
import { insertCards, ORDER_CARD } from '../cards/card-rows.ts';
import type { Database, Session, Statement, Step } from '../database.ts';
import { countUnderLocks, markStep, type PlacedLimit } from '../screening.ts';
import type { CoveredOutcome, OrderChange, Sealed, StoredCard } from '../store.ts';
import { columnValues, unnest } from '../wire/columns.ts';
import { spend, Undone, undoing } from './covered-commit.ts';
import { changeSteps, spentFrom } from './order-writes.ts';

/** A card entered on the form, and what the rules made of it. */
export type GivenCard = {
  readonly change: OrderChange;
  readonly seq: number;
  readonly card: StoredCard;
  /** Whether it pays or is paid to. */
  readonly role: 'pays' | 'receives';
  readonly sealedCvv: Sealed | undefined;
  /** With what the payer told on the form. */
  readonly details: OrderDetails;
  readonly leaseOwner: string;
};

export type GivenCardWrite = {
  readonly order: Pick<Order, 'merchantId' | 'endpointId'>;
  readonly at: number;
  readonly limits: readonly PlacedLimit[];
  /** How far the merchant's balance may fall below zero if it pays. */
  readonly creditLimit: bigint;
  /** What is to be written, given what was counted for each limit. */
  decide(tallies: readonly Tally[]): GivenCard;
};

export type FormStore = {
  /** `conflict`: the order has changed meanwhile. */
  giveCard(write: GivenCardWrite): Promise<CoveredOutcome>;
  /** Counts an unsigned form that is asked for, and tells how many there were in this minute. */
  countRequest(endpointId: number, address: string, now: number): Promise<number>;
};

const MINUTE_MS = 60_000;

const insertCard: Statement = {
  name: 'forms-card',
  text: `
    ${insertCards('c', 'c.card_id')}
      from ${unnest('c', ORDER_CARD)}`,
};

const setOrder: Statement = {
  name: 'forms-order',
  text: `
    update orders set details = $3, card_id = coalesce($4, card_id), target_card_id = coalesce($5, target_card_id)
    where merchant_id = $1 and order_id = $2`,
};

const setTransaction: Statement = {
  name: 'forms-transaction',
  text: `
    update transactions set card_given_at = $4, sealed_cvv = $5, cvv_data_key_id = $6, lease_owner = $7, filter_reason = $8
    where merchant_id = $1 and order_id = $2 and seq = $3`,
};

const countRequest: Statement = {
  name: 'forms-count-request',
  text: `
    insert into form_requests (endpoint_id, address, minute, asked) values ($1, $2, $3, 1)
    on conflict (endpoint_id, address, minute) do update set asked = form_requests.asked + 1
    returning asked`,
};

const forgetRequests: Statement = {
  name: 'forms-forget-requests',
  text: `delete from form_requests where endpoint_id = $1 and minute < $2`,
};

export function formStore(database: Database): FormStore {
  return {
    giveCard: (write) => undoing(() => database.transaction((session) => giveCard(session, write))),
    async countRequest(endpointId, address, now) {
      const minute = new Date(now - (now % MINUTE_MS));
      const [row] = await database.query(countRequest, [endpointId, address, minute]);
      const asked = Number(row?.asked);
      // The first of a minute clears away the minutes before.
      if (asked === 1) await database.query(forgetRequests, [endpointId, minute]);
      return asked;
    },
  };
}

async function giveCard(session: Session, write: GivenCardWrite): Promise<'written'> {
  const { order, at, limits, creditLimit } = write;
  const tallies = limits.length > 0 ? await countUnderLocks(session, { ...order, createdAt: at }, limits) : [];
  const given = write.decide(tallies);
  const { change } = given;
  const isFiltered = transactionOf(change.after, given.seq).stage === 'filtered';
  const marks = limits.length > 0 && !isFiltered ? [markStep({ ...change.after, createdAt: at }, limits)] : [];
  const steps = [...stepsOf(given, at), ...marks];
  if (change.entries.length > 0) {
    await spend(session, { ...spentFrom(change.after, change.entries), creditLimit, steps });
    return 'written';
  }
  const [written = []] = await session.flight(steps);
  if (written.length !== 1) throw new Undone('conflict');
  return 'written';
}

/** The change comes first: should the order have changed meanwhile, all of it is undone. */
function stepsOf({ change, seq, card, role, sealedCvv, details, leaseOwner }: GivenCard, at: number): Step[] {
  const { merchantId, orderId } = change.after;
  const { stage, filterReason } = transactionOf(change.after, seq);
  const row = { card, order: { ...change.after, createdAt: at } };
  const [pays, receives] = role === 'pays' ? [card.cardId, null] : [null, card.cardId];
  const lease = stage === 'sending' ? leaseOwner : null;
  const cvv = [sealedCvv?.bytes ?? null, sealedCvv?.dataKeyId ?? null];
  return [
    ...changeSteps(change),
    { statement: insertCard, values: columnValues(ORDER_CARD, [row]) },
    { statement: setOrder, values: [merchantId, orderId, JSON.stringify(details), pays, receives] },
    {
      statement: setTransaction,
      values: [merchantId, orderId, seq, new Date(at), ...cvv, lease, filterReason ?? null],
    },
  ];
}
