// What the overview answers.

import { RANGE_NAMES, type RangeName } from '../../domain/figures/spans.ts';
import type { PublicStatus } from '../../domain/order/stages.ts';
import {
  type Answered,
  aFlag,
  aList,
  aMeasure,
  aMoment,
  aNumber,
  anAmount,
  anObject,
  aText,
  aWord,
  aWordOf,
  orNull,
  type RawAnswer,
} from '../verb/answers.ts';

const outcomes = {
  orders: aNumber('All of them.'),
  approved: aNumber(),
  declined: aNumber(),
  stopped: aNumber('Filtered, or ended with an error.'),
  unfinished: aNumber('Processing or unknown.'),
};

const volume = anObject({
  currency: aText(),
  approved: anAmount('Of approved payments, in major units with a point; without transfers.'),
  paidOut: anAmount('Of approved payouts that did not come back, in major units with a point; without transfers.'),
});

const totals = anObject({
  ...outcomes,
  approvalRate: orNull(aMeasure('Per cent of those approved or declined; null when there are none.')),
  volumes: aList(volume),
});

const timedTotals = { ...totals.members, from: aMoment(), to: aMoment() };

const point = anObject({ from: aMoment(), to: aMoment('No longer in it.'), ...outcomes, volumes: aList(volume) });

const reason = anObject({
  status: aWordOf<PublicStatus>('declined, filtered or error'),
  reason: aText('As "reason" of listOrders takes it.'),
  says: aText('In words.'),
  orders: aNumber(),
});

const terminal = anObject({
  terminal: aText(),
  ...outcomes,
  orders: aNumber('Those it was asked about, each by the last try there; "terminal" of listOrders finds them.'),
  approvalRate: orNull(aMeasure('Per cent of those it approved or declined; null when there are none.')),
  answers: aNumber("Instructions it answered, of everybody's orders of the range."),
  p50Ms: orNull(aNumber('Half of them came within so many milliseconds.')),
  p95Ms: orNull(aNumber('95 of 100 came within so many milliseconds.')),
  slowestMs: orNull(aNumber()),
});

const node = anObject({
  node: aText(),
  version: orNull(aText()),
  beganAt: orNull(aMoment()),
  seenAt: aMoment('When it last said that it lives.'),
  alive: aFlag(),
});

export const overviewAnswer = anObject({
  range: orNull(aWord<RangeName>(RANGE_NAMES)),
  from: aMoment(),
  to: aMoment('Whole steps, so it may lie ahead.'),
  stepMinutes: aNumber(),
  countedAt: orNull(aMoment('When orders were last counted; null before the first time.')),
  totals,
  compared: anObject(timedTotals, 'What of it is over: without the five minutes that are under way.'),
  before: anObject(timedTotals, 'The same length of time before, to compare that with.'),
  points: aList(point),
  reasons: aList(reason, 'Why orders ended without money, the most frequent first.'),
  terminals: orNull(aList(terminal, 'Null for people of merchants.')),
  unfinished: anObject({
    orders: aNumber('Of all times, when they were last counted.'),
    oldest: orNull(anObject({ orderId: aNumber(), login: aText(), status: aWordOf<PublicStatus>(), since: aMoment() })),
  }),
  callbacks: anObject({
    waiting: aNumber(),
    isMore: aFlag('So many wait that not all were looked at.'),
    oldestAt: orNull(aMoment()),
  }),
  waiting: anObject({
    stuck: aNumber('Transactions nobody knows the outcome of.'),
    deeds: aNumber('Deeds that wait for a second person.'),
  }),
  nodes: orNull(aList(node, 'Null for people of merchants.')),
});

export type OverviewAnswer = Answered<typeof overviewAnswer>;
export type OutcomeCounts = { readonly [Name in keyof typeof outcomes]: number };
export type RawTotals = RawAnswer<typeof totals>;
export type RawPoint = RawAnswer<typeof point>;
export type RawTerminal = RawAnswer<typeof terminal>;
