// The outcome in words for the payer: a table by the state of the order, with differences for money that is held, only
// checked, paid out or passed on to another card.

import type { TransactionType } from '../../domain/order/transaction-types.ts';
import { AUTHENTICATION_CANCELLED } from '../../domain/three-d-secure/authentication.ts';
import type { PayerOrder, PayerState } from '../../processing/checkout/checkout.ts';
import type { TextName } from './texts/en.ts';

export type Ending = {
  readonly title: TextName;
  readonly text: TextName;
  readonly mark: 'good' | 'bad' | 'neutral';
  readonly status: number;
};

export type EndState = Exclude<PayerState, 'card' | 'authentication' | 'challenge' | 'processing'>;

const ENDINGS: Readonly<Record<EndState, Ending>> = {
  approved: { title: 'approvedTitle', text: 'approvedText', mark: 'good', status: 200 },
  kept: { title: 'keptTitle', text: 'keptText', mark: 'good', status: 200 },
  declined: { title: 'declinedTitle', text: 'declinedText', mark: 'bad', status: 200 },
  locked: { title: 'lockedTitle', text: 'lockedText', mark: 'bad', status: 403 },
  filtered: { title: 'filteredTitle', text: 'filteredText', mark: 'bad', status: 200 },
  failed: { title: 'failedTitle', text: 'failedText', mark: 'bad', status: 200 },
  late: { title: 'expiredTitle', text: 'expiredText', mark: 'neutral', status: 410 },
  expired: { title: 'expiredTitle', text: 'expiredText', mark: 'neutral', status: 410 },
  gone: { title: 'expiredTitle', text: 'goneText', mark: 'neutral', status: 410 },
};

type OwnWords = { readonly [state in EndState]?: Partial<Pick<Ending, 'title' | 'text'>> };

const OWN_WORDS: { readonly [type in TransactionType]?: OwnWords } = {
  preauth: { approved: { title: 'heldTitle', text: 'heldText' } },
  'account-verification': {
    approved: { title: 'verifiedTitle', text: 'verifiedText' },
    declined: { title: 'verifyDeclinedTitle' },
    filtered: { title: 'verifyFilteredTitle', text: 'verifyFilteredText' },
    failed: { title: 'verifyFailedTitle', text: 'verifyFailedText' },
  },
  payout: {
    approved: { title: 'paidOutTitle', text: 'paidOutText' },
    declined: { title: 'payoutDeclinedTitle', text: 'payoutDeclined' },
    locked: { text: 'payoutLockedText' },
    filtered: { title: 'payoutFilteredTitle', text: 'payoutFilteredText' },
    failed: { title: 'payoutFailedTitle', text: 'payoutFailedText' },
    late: { text: 'payoutExpiredText' },
    expired: { text: 'payoutExpiredText' },
  },
  transfer: {
    approved: { title: 'paidOutTitle', text: 'transferredText' },
    declined: { title: 'transferDeclinedTitle' },
    filtered: { title: 'transferFilteredTitle', text: 'transferFilteredText' },
    failed: { title: 'transferFailedTitle', text: 'transferFailedText' },
  },
};

/** The outcome of an order whose payer has nothing more to do. */
export function endingOf({ state, transaction, order }: Pick<PayerOrder, 'state' | 'transaction' | 'order'>): Ending {
  const { type, answer } = transaction;
  const end = state as EndState;
  if (end === 'approved' && type === 'payout' && order.reversed > 0n) return CAME_BACK;
  const isCancelled = answer?.word === 'declined' && answer.code === AUTHENTICATION_CANCELLED;
  return { ...ENDINGS[end], ...(end === 'declined' && isCancelled ? CANCELLED : OWN_WORDS[type]?.[end]) };
}

/** The payer cancelled at the issuer's page: the card was not declined. */
const CANCELLED = { title: 'cancelledTitle', text: 'cancelledText', mark: 'neutral' } as const;

/** The bank took the payout, and returned it later. */
const CAME_BACK: Ending = { title: 'cameBackTitle', text: 'cameBackText', mark: 'bad', status: 200 };
