// What is answered about orders and requests.

import type { PublicStatus } from '../../domain/order/stages.ts';
import type { Said } from '../../storage/orders/timelines.ts';
import { attempt } from '../callbacks.ts';
import {
  type Answered,
  aFlag,
  aList,
  aMeasure,
  aMoment,
  aNumber,
  anAmount,
  anObject,
  anything,
  aRecord,
  aText,
  aWord,
  aWordOf,
  byKind,
  orNull,
  type RawAnswer,
  told,
} from '../verb/answers.ts';

export const orderView = anObject({
  orderId: aNumber(),
  login: aText(),
  clientOrderId: aText(),
  endpointId: aNumber(),
  operation: aText(),
  amount: anAmount(),
  currency: aText(),
  status: aWordOf<PublicStatus>('What its merchant is shown.'),
  createdAt: aMoment(),
});

/** In lists: what tells two orders of one payer apart, or that they are the same twice. */
export const listedOrderView = anObject({
  ...orderView.members,
  reversed: anAmount('What was given back of it.'),
  card: orNull(aText('The ends of its number.')),
  email: orNull(aText("The payer's.")),
  changedAt: aMoment(),
});

const transactionView = anObject({
  seq: aNumber(),
  type: aText(),
  amount: anAmount(),
  stage: aText(),
  terminal: aText('Where it was sent, or will be.'),
  reference: aText('The name the bank knows it by.'),
  rrn: orNull(aText()),
  approvalCode: orNull(aText()),
  declineCode: orNull(aText()),
  filterReason: orNull(aText()),
  comment: orNull(aText()),
  dueAt: orNull(aMoment('When the service looks at it again by itself.')),
  createdAt: aMoment(),
  changedAt: aMoment(),
});

const request = {
  serialNumber: aText(),
  at: aMoment(),
  operation: orNull(aText()),
  httpStatus: aNumber(),
  errorCode: orNull(aNumber()),
  milliseconds: aMeasure(),
  request: anything('Masked, as the journal keeps it.'),
  reply: anything(),
};

const asked = {
  login: orNull(aText('Null when its sender is not known.')),
  orderId: orNull(aNumber()),
  pathId: orNull(aText('The last part of the path that was called: an endpoint or a group.')),
};

const signedParts = aList(anObject({ name: aText(), value: aText() }));

const signing = anObject(
  {
    scheme: aWord(['control', 'oauth']),
    expected: signedParts,
    came: aText('The signature that came.'),
    instead: orNull(
      anObject(
        { parts: signedParts, between: aText('What stood between the parts.'), mistake: aText() },
        'What was signed in its place, where that could be found out.',
      ),
    ),
  },
  'Why a signature is wrong. In a sandbox only; a key is never told.',
);

export const requestView = anObject({
  ...request,
  ...asked,
  orderId: told(orNull(aNumber()), 'order'),
  signing: orNull(signing),
});

const { request: _request, reply: _reply, ...shortRequest } = request;
/** What was asked for and answered is shown of one alone: it may hold the ends of cards. */
export const requestLine = anObject({
  ...shortRequest,
  ...asked,
  status: orNull(aText('What its reply told of the order, such as approved.')),
});

export const strangerView = anObject({
  ...shortRequest,
  pathId: asked.pathId,
  from: orNull(aText('The address range it came from.')),
  says: orNull(aText('What it was told, or how many requests of this address range have no line.')),
});

const episode = byKind({
  request,
  change: { at: aMoment(), version: aNumber(), event: anything() },
  '3ds': {
    at: aMoment(),
    transaction: aNumber(),
    from: aWordOf<Said['from']>('Who said it.'),
    message: aRecord('Masked.'),
  },
  callback: { callbackId: aText(), ...attempt.members },
  exchange: {
    at: aMoment('When the bank had answered, or was waited for no longer.'),
    transaction: aNumber(),
    asked: aWord(['instruction', 'inquiry', 'reversal']),
    type: aText('Of the transaction.'),
    terminal: aText(),
    reference: aText('The name the bank knows the instruction by.'),
    amount: anAmount(),
    answer: aText('In words.'),
    approvalCode: orNull(aText()),
    declineCode: orNull(aText()),
    rrn: orNull(aText()),
    reason: orNull(aText('Why there is no usable answer.')),
    milliseconds: orNull(aMeasure('From when it was written down; null where nobody knows when it was sent.')),
    messages: orNull(aNumber('How many messages about it this node still has; null where that is not told.')),
  },
  bank: {
    at: aMoment(),
    terminal: aText(),
    direction: aWord(['out', 'in']),
    message: aText('Masked. This node keeps the latest ones only.'),
  },
});

const authenticationView = anObject({
  transaction: aNumber(),
  step: aText('Where it stands; `over` when it has ended.'),
  status: orNull(aText("In the protocol's own letter.")),
  version: orNull(aText()),
  eci: orNull(aText()),
  reason: orNull(aText()),
});

/** How much may be moved by each, all of it; null of what the order does not allow now. */
const possibleView = anObject(
  {
    capture: orNull(anAmount()),
    void: orNull(anAmount()),
    return: orNull(anAmount('Of what was taken.')),
    release: orNull(anAmount('Of what is held.')),
    payoutReturn: orNull(anAmount('Of a payout that its bank may have returned.')),
    alone: orNull(anAmount('Beyond this it takes a second person; null where that is not set.')),
  },
  'What people may do with its money now.',
);

const payerView = anObject({
  name: orNull(aText()),
  email: orNull(aText()),
  address: orNull(aText('Of the address range.')),
  country: orNull(aText()),
});

export const wholeOrderView = anObject({
  ...orderView.members,
  orderId: told(aNumber(), 'order'),
  description: orNull(aText("The merchant's words.")),
  payer: payerView,
  holdUntil: orNull(aMoment('Until when the money of a preauthorization is held.')),
  possible: possibleView,
  unsigned: aFlag('Nobody signed it: its amount and id are the word of a stranger.'),
  authorised: anAmount(),
  captured: anAmount(),
  released: anAmount(),
  reversed: anAmount(),
  card: orNull(aText('The ends of its number, brand and expiry.')),
  route: orNull(
    anObject(
      { terminals: aList(aText()), reason: aText() },
      'The terminals that rules chose for it, in order, and why.',
    ),
  ),
  authentication: orNull(authenticationView),
  transactions: aList(transactionView),
  bookings: aList(anObject({ transaction: aNumber(), account: aText(), amount: anAmount() })),
  story: aList(episode, 'What happened, the earliest first.'),
  polls: anObject(
    { count: aNumber(), lastAt: orNull(aMoment()) },
    'Requests for its status, which the story leaves out.',
  ),
  archived: aList(aText(), 'Files of archives in which more of its story may be.'),
});

export type TransactionAnswer = Answered<typeof transactionView>;
export type SigningAnswer = Answered<typeof signing>;
export type RequestAnswer = Answered<typeof requestView>;
export type Episode = Answered<typeof episode>;
export type RawEpisode = RawAnswer<typeof episode>;
export type AuthenticationAnswer = Answered<typeof authenticationView>;
export type WholeOrderAnswer = Answered<typeof wholeOrderView>;
