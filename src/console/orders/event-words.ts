// The changes of an order, each in a sentence and its details.

import type { ChangedOrder } from '../../administration/orders/order-text.ts';
import { declineText, filterText } from './order-words.ts';

export type EventWords = {
  readonly what: 'change' | 'screening' | 'bank' | 'person';
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string | undefined])[];
};

const TYPES: Readonly<Record<string, string>> = {
  sale: 'payment',
  preauth: 'hold',
  capture: 'capture',
  cancel: 'release of the hold',
  reversal: 'return',
  void: 'void',
};

const STAGES: Readonly<Record<string, string>> = {
  'awaiting-payer': 'The payer is asked for a card',
  waiting: "It waits for somebody's word",
  authenticating: 'The payer is asked to prove to be the cardholder',
  sending: 'It is sent to the bank',
  challenged: 'The payer was sent to a page of the bank',
  asking: 'The bank gave no usable answer and is asked what became of it',
  undoing: 'The bank cannot say: whatever may have moved is taken back',
  stuck: 'The bank gave no answer at all: a person has to ask it',
  approved: 'The bank approved it',
  declined: 'It was declined',
  'passed-on': 'Another terminal is tried',
  filtered: 'Limits or lists stopped it',
  expired: 'Nobody confirmed it in time',
  abandoned: 'The payer left without a card',
  'given-up': 'The payer tried no other card',
  error: 'It was taken back',
};

export function eventWords(event: ChangedOrder): EventWords {
  const { seq = event.transaction?.seq, by, reason, answer, route } = event;
  const stage = event.to ?? event.stage ?? event.transaction?.stage ?? '';
  const filter = event.filterReason ?? event.transaction?.filterReason;
  return {
    what: by ? 'person' : stage === 'filtered' ? 'screening' : isOfBank(event) ? 'bank' : 'change',
    title: titleOf(event, stage),
    facts: [
      ['Transaction', seq === undefined ? undefined : String(seq)],
      ['Screening', screeningOf(event, stage, filter)],
      ['Route', route && `${route.terminals.join(', then ')}, by ${route.reason}`],
      ['Terminal', event.terminal ?? event.transaction?.terminal],
      ['Instruction', event.leg !== event.fromLeg && event.leg !== undefined ? String(event.leg) : undefined],
      ['Approval code', answer?.approvalCode],
      ['RRN', answer?.rrn],
      ['Decline code', answer?.code === undefined ? undefined : `${answer.code}: ${declineText(answer.code)}`],
      ['Asked for by', by?.asked],
      ['Approved by', by?.approved],
      [by ? 'Because' : 'Why', reason],
    ],
  };
}

const isOfBank = ({ type, to, answer }: ChangedOrder) =>
  type === 'transaction-moved' && (answer !== undefined || ['asking', 'undoing', 'stuck', 'error'].includes(to ?? ''));

function titleOf({ type, transaction, to }: ChangedOrder, stage: string): string {
  const told = STAGES[stage] ?? `It is ${stage}`;
  if (type === 'transaction-begun')
    return `A ${TYPES[transaction?.type ?? ''] ?? transaction?.type ?? 'transaction'} is begun`;
  if (type === 'order-started') return `The order is made. ${told}`;
  if (type === 'hold-ended') return 'The hold has run out';
  return to === undefined ? type : told;
}

/** What limits and lists said, where they were asked: when the card became known. */
function screeningOf({ type, from }: ChangedOrder, stage: string, filter: string | undefined): string | undefined {
  if (stage === 'filtered') return filterText(filter ?? null) || 'stopped';
  const isNow = (type === 'order-started' && stage !== 'awaiting-payer') || from === 'awaiting-payer';
  return isNow && !['abandoned', 'given-up', 'expired'].includes(stage) ? 'limits and lists let it through' : undefined;
}
