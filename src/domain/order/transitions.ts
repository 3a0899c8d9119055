// The order machine's table: where a transaction stands · what was learned · where it goes.
// A pair that is not in the table changes nothing: late, doubled and impossible answers are heard and ignored.

import type { Stage } from './stages.ts';

/** What was learned about a transaction, in the acquirer's words or by counting the tries. */
export type Finding =
  | 'approved'
  | 'declined'
  /** No usable answer came, or the acquirer still works on it. */
  | 'no-answer'
  /** The acquirer never took the instruction, and it may be sent again. */
  | 'not-found'
  /** The acquirer never took the instruction, and it can no longer be sent. */
  | 'not-found-for-good'
  | 'reversed'
  /** The instruction was never sent, and another terminal is there to be asked. */
  | 'unsent'
  /** The bank wants the payer at an address of its own. */
  | 'challenge'
  | 'tries-used-up'
  /** The payer proved to be the cardholder, or could not be asked and the endpoint allows that. */
  | 'authenticated'
  /** The payer did not prove it, or the issuer said no. */
  | 'refused'
  /** The merchant confirmed the order, or the merchant or the payer did not act in time. */
  | 'confirmed'
  | 'expired'
  /** After a decline the payer went back to the shop, or did not enter another card in time. */
  | 'given-up'
  /** The payer entered a card: it pays at once or after authentication, waits for a confirmation, or is stopped. */
  | 'card-given'
  | 'card-to-authenticate'
  | 'card-kept'
  | 'card-filtered';

export const transitions: Readonly<Record<Stage, Partial<Record<Finding, Stage>>>> = {
  'awaiting-payer': {
    'card-given': 'sending',
    'card-to-authenticate': 'authenticating',
    'card-kept': 'waiting',
    'card-filtered': 'filtered',
    expired: 'abandoned',
    'given-up': 'given-up',
  },
  waiting: {
    confirmed: 'sending',
    expired: 'expired',
  },
  authenticating: {
    authenticated: 'sending',
    refused: 'declined',
    expired: 'declined',
  },
  sending: {
    approved: 'approved',
    declined: 'declined',
    'no-answer': 'asking',
    'not-found': 'sending',
    'not-found-for-good': 'undoing',
    'tries-used-up': 'undoing',
    unsent: 'error', // and passed on
    challenge: 'challenged',
  },
  challenged: {
    approved: 'approved',
    declined: 'declined',
    challenge: 'challenged',
    'no-answer': 'challenged',
    'not-found': 'undoing',
    'not-found-for-good': 'undoing',
    'tries-used-up': 'undoing',
  },
  asking: {
    challenge: 'challenged',
    approved: 'approved',
    declined: 'declined',
    'no-answer': 'asking',
    'not-found': 'sending',
    'not-found-for-good': 'undoing',
    'tries-used-up': 'undoing',
  },
  undoing: {
    reversed: 'error',
    'no-answer': 'undoing',
    'tries-used-up': 'stuck',
  },
  stuck: {},
  approved: {},
  declined: {},
  'passed-on': {},
  filtered: {},
  expired: {},
  abandoned: {},
  'given-up': {},
  error: {},
};

export function nextStage(from: Stage, finding: Finding): Stage | undefined {
  return transitions[from][finding];
}
