// What each bank was asked about an order, and what it answered, out of the order's own events: they outlive the
// messages, and every connector has them.

import { acquirerReference, isReturnedPayout, type Order } from '../../domain/order/order.ts';
import type { Stage } from '../../domain/order/stages.ts';
import type { Finding } from '../../domain/order/transitions.ts';
import type { RawEpisode } from './order-answers.ts';
import type { ChangedOrder } from './order-text.ts';

export type BankExchange = Extract<RawEpisode, { readonly kind: 'exchange' }>;
export type ChangeEpisode = Extract<RawEpisode, { readonly kind: 'change' }>;

/** What a bank is asked in each stage that waits for its word. */
const ASKED: Partial<Record<Stage, BankExchange['asked']>> = {
  sending: 'instruction',
  challenged: 'inquiry',
  asking: 'inquiry',
  undoing: 'reversal',
};

const ANSWERS: Partial<Record<Finding, string>> = {
  approved: 'approved',
  declined: 'declined',
  reversed: 'taken back',
  challenge: 'it wants to see the payer',
  unsent: 'it could not be reached, and nothing was sent',
  'no-answer': 'no answer that says how it ended',
  'tries-used-up': 'no answer that says how it ended, for the last time',
  'not-found': 'it never got the instruction',
  'not-found-for-good': 'it never got the instruction',
};

type Moved = ChangedOrder & { readonly finding?: Finding; readonly sends?: number };

/** When a transaction came to be sent, and how often its leg had been sent by then. */
type Sending = { readonly at: number; readonly leg: number; readonly sends: number };

/**
 * `changes` of the order, the earliest first, and before each what its bank was asked, where it came of that. `kept`
 * counts the messages about a reference, where that is told.
 */
export function withBankExchanges(
  order: Order,
  changes: readonly Omit<ChangeEpisode, 'kind'>[],
  kept: (terminal: string, reference: string) => number | undefined,
): (BankExchange | ChangeEpisode)[] {
  const sendings = new Map<number, Sending>();
  return changes.flatMap((one) => {
    const { at, event } = one;
    // Events are kept as JSON, in the shapes that the type names.
    const moved = event as Moved;
    const seq = moved.seq ?? moved.transaction?.seq ?? 1;
    const exchange = exchangeOf(order, moved, { at, sending: sendings.get(seq) });
    if ((moved.to ?? moved.transaction?.stage ?? moved.stage) === 'sending') {
      sendings.set(seq, { at, leg: moved.leg ?? 1, sends: moved.sends ?? 0 });
    }
    const change = { kind: 'change' as const, ...one };
    return exchange ? [{ ...exchange, messages: kept(exchange.terminal, exchange.reference) }, change] : [change];
  });
}

function exchangeOf(order: Order, moved: Moved, { at, sending }: { at: number; sending: Sending | undefined }) {
  const { type, from, finding, answer, reason, seq, fromLeg = 1 } = moved;
  const asked = from === 'sending' && wasAsked(moved, sending) ? 'inquiry' : ASKED[from as Stage];
  const transaction = order.transactions.find((one) => one.seq === seq);
  if (type !== 'transaction-moved' || asked === undefined || !transaction) return undefined;
  // It was the payout that the bank was asked about.
  const isReturned = isReturnedPayout(order, transaction);
  const about = (isReturned && transaction.originalSeq) || transaction.seq;
  return {
    kind: 'exchange' as const,
    ...{ at, asked, reason, transaction: transaction.seq },
    type: transaction.type,
    terminal: transaction.terminal,
    reference: acquirerReference(order, { seq: about, leg: fromLeg }),
    amount: { minor: transaction.amount, currency: order.currency },
    answer: isReturned ? 'returned' : (ANSWERS[finding ?? wordOf(moved)] ?? 'no answer that says how it ended'),
    approvalCode: answer?.approvalCode,
    declineCode: answer?.code,
    rrn: answer?.rrn,
    // Nobody wrote down when a question was sent, only when it was answered.
    milliseconds: asked === 'instruction' && sending ? at - sending.at : undefined,
  };
}

/** Who takes over what somebody else may have sent asks the bank first: the number of times it was sent stays. */
function wasAsked({ leg, fromLeg, sends }: Moved, sending: Sending | undefined): boolean {
  return sends !== undefined && sending !== undefined && leg === fromLeg && sends === sending.sends;
}

/** Of events from before findings were kept. */
function wordOf({ to }: Moved): Finding {
  if (to === 'approved' || to === 'declined') return to;
  return to === 'error' ? 'reversed' : 'no-answer';
}

/** Whether a message names this reference, and not one that ends or begins with it. */
export function namesReference(text: string, reference: string): boolean {
  for (let at = text.indexOf(reference); at >= 0; at = text.indexOf(reference, at + 1)) {
    const around = text.charAt(at - 1) + text.charAt(at + reference.length);
    if (!/[0-9a-z-]/i.test(around)) return true;
  }
  return false;
}
