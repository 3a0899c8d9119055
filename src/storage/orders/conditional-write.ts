// A write with conditions, in a transaction of its own: limits are counted under their locks, the rules decide on what
// was counted, the order is written and booked. Booking locks the account, so all who spend from it pass one by one, on
// every node. What meets a conflict or leaves too little in the balance is undone whole. Locks come in one order
// everywhere: those of limits, orders, accounts.

import { type LedgerEntry, reservationOf } from '../../domain/money/ledger.ts';
import { callbacksDue } from '../../domain/order/callbacks.ts';
import { type Order, purposeOf, transactionOf } from '../../domain/order/order.ts';
import type { CountedLimit } from '../../domain/screening/screening.ts';
import { cardEnds, cardInsertion, ORDER_CARD } from '../cards/card-rows.ts';
import { insertedStep, insertion } from '../cluster/insertion.ts';
import type { Database, Session, Step } from '../database.ts';
import { countUnderLocks, markStep } from '../screening.ts';
import type { ConditionalOutcome, ConditionalWrite, Confirmation, GivenCard, OrderWrite } from '../store.ts';
import { COLUMNS, column, ofMerchant, statement } from '../tables/index.ts';
import { callbackSteps } from './callbacks.ts';
import { refuseTakenStep, takenIds } from './client-order-ids.ts';
import { bookEntries } from './ledger-rows.ts';
import { IDEMPOTENCY_MS } from './order-batches.ts';
import { confirmations, orders, transactions } from './order-rows.ts';
import { changeStep, startStep, type WrittenOrder } from './order-writes.ts';

const selectBalance = statement('accounts-balance', { balance: column.bigint('balance') })`
  select ${COLUMNS} from accounts where ${ofMerchant()} and account = 'merchant' and currency = $2`;

const insertConfirmation = statement<never>('confirmations-insert')`
  ${confirmations.insert()} on conflict (${confirmations.key.whole()}) do nothing`;

/** Ends the transaction without keeping anything of it. */
class Undone extends Error {
  readonly outcome: ConditionalOutcome;

  constructor(outcome: ConditionalOutcome) {
    super('undone');
    this.outcome = outcome;
  }
}

export async function commitAlone(database: Database, write: ConditionalWrite): Promise<ConditionalOutcome> {
  let decided: OrderWrite | undefined;
  const remembering = (counted: readonly CountedLimit[]) => {
    decided = write.decide(counted);
    return decided;
  };
  try {
    return await database.transaction((session) => commit(session, { ...write, decide: remembering }));
  } catch (error) {
    if (error instanceof Undone) return error.outcome;
    const records = decided && 'record' in decided ? [decided.record] : [];
    if ((await takenIds(database, records, error)).size > 0) return 'conflict';
    throw error;
  }
}

async function commit(session: Session, write: ConditionalWrite): Promise<ConditionalOutcome> {
  const { at, limits, creditLimit } = write;
  const counted = limits.length > 0 ? await countUnderLocks(session, write) : [];
  const decided = write.decide(counted);
  const order = 'record' in decided ? decided.record.order : decided.change.after;
  const spent = spentBy('record' in decided ? reservationOf(order) : decided.change.entries);
  const isCounted = limits.length > 0 && purposeOf(order).stage !== 'filtered';
  const answers = await session.flight([
    ...stepsOf(decided, at),
    ...(isCounted ? [markStep(order, at, limits)] : []),
    ...(spent > 0n ? [{ statement: selectBalance, values: [order.merchantId, order.currency] }] : []),
  ]);
  if (answers[0]?.length !== 1) throw new Undone('conflict');
  const after = answers.at(-1)?.[0];
  if (after && 'balance' in after && after.balance < -creditLimit) {
    throw new Undone({ available: after.balance + spent + creditLimit });
  }
  return { written: order };
}

/** The first is answered with the order's id, unless something stands in the way of it or it has changed. */
function stepsOf(write: OrderWrite, at: number): Step<WrittenOrder>[] {
  if ('record' in write) {
    const { order } = write.record;
    const entries = reservationOf(order);
    return [
      startStep([write.record], { leavesOut: true }),
      refuseTakenStep([write.record]),
      ...callbackSteps(callbacksDue(undefined, order)),
      ...(entries.length > 0 ? [bookEntries(order, entries)] : []),
    ];
  }
  const { change, confirmation, card } = write;
  return [
    changeStep([change]),
    ...callbackSteps(callbacksDue(change.before, change.after)),
    ...(confirmation ? [confirmationStep(change.after, confirmation, at)] : []),
    ...(card ? givenCardSteps(change.after, card, at) : []),
  ];
}

function spentBy(entries: readonly LedgerEntry[]): bigint {
  let spent = 0n;
  for (const { account, amount } of entries) if (account === 'merchant') spent -= amount;
  return spent;
}

function confirmationStep({ merchantId, orderId }: Order, confirmation: Confirmation, at: number): Step<never> {
  const idempotencyUntil = confirmation.idempotencyKey === undefined ? undefined : at + IDEMPOTENCY_MS;
  const row = { ...confirmation, merchantId, orderId, idempotencyUntil, createdAt: at };
  return { statement: insertConfirmation, values: confirmations.values(row) };
}

const cardInserted = insertion('forms-card', cardInsertion(ORDER_CARD, 'card_id'));
const insertCard = statement<never>('forms-card')`${cardInserted.text()}`;

const setOrder = statement<never>('forms-order')`
    update orders set details = $3, card_id = coalesce($4, card_id), target_card_id = coalesce($5, target_card_id),
      route = $6, sealed_details = $7, details_data_key_id = $8,
      card_ends = case when card_id is null or $4::bigint is not null then $9 else card_ends end
    where ${orders.key.equal()}`;

const given = transactions.pick('cardGivenAt', 'sealedCvv', 'leaseOwner', 'filterReason', 'terminal');

const setTransaction = statement<never>('forms-transaction')`
  update transactions set ${given.equal(4, ', ')} where ${transactions.key.equal()}`;

/** Stores the card a payer entered on the hosted form, and sets it on its order and on the try it is for. */
function givenCardSteps(
  order: Order,
  { seq, card, role, sealedCvv, details, sealedDetails, leaseOwner }: GivenCard,
  at: number,
): Step<never>[] {
  const { merchantId, orderId } = order;
  const { stage, filterReason, terminal } = transactionOf(order, seq);
  const [pays, receives] = role === 'pays' ? [card.cardId, null] : [null, card.cardId];
  const owner = stage === 'sending' ? leaseOwner : undefined;
  const row = { cardGivenAt: at, sealedCvv, leaseOwner: owner, filterReason, terminal };
  const rows = [{ card, order: { ...order, createdAt: at } }];
  return [
    insertedStep(insertCard, cardInserted, rows),
    {
      statement: setOrder,
      values: [
        ...[merchantId, orderId, JSON.stringify(details), pays, receives, order.route ?? null],
        ...orders.pick('sealedDetails').values({ sealedDetails }),
        cardEnds(card),
      ],
    },
    { statement: setTransaction, values: [merchantId, orderId, seq, ...given.values(row)] },
  ];
}
