// Captures, cancellations, voids and refunds: they act on an order that exists at the provider, and have no id of their
// own there. Each is sent under an idempotency key made of our reference, which the provider keeps for seven days:
// asked again under it, it answers with the request that it took first, whose serial number leads to the transaction.

import type {
  Answer,
  Circumstances,
  FollowUpInstruction,
  InquiryAnswer,
  ReversalAnswer,
  SentInstruction,
  Unknown,
} from '../acquirer.ts';
import { barred } from './barrier.ts';
import type { CallLimit } from './call-limit.ts';
import { clientOrderIdOf, type ProviderOrder, readProviderOrder, writeProviderOrder } from './client-order-id.ts';
import { OVERLOADED, refusalCodeOf } from './decline-codes.ts';
import { givenBack } from './give-back.ts';
import { type Exchange, followed, isFound, statusOf, unknownAfter } from './questions.ts';
import { askFollowUp, keyOf } from './requests.ts';

export async function sendFollowUp(
  exchange: Exchange,
  instruction: FollowUpInstruction,
  around: Circumstances,
  limit: CallLimit,
  patience: { readonly patient: boolean } = { patient: true },
): Promise<Answer> {
  const order = await orderOf(exchange, instruction, around, limit);
  if ('word' in order) return order;
  const request = askFollowUp({ ...instruction, idempotencyKey: keyOf(instruction.reference) }, order, exchange.asker);
  const heard = await exchange.provider.ask(request, limit);
  switch (heard.word) {
    case 'unsent':
      return heard;
    case 'unheard':
      return unknownAfter(heard);
    case 'refused': {
      // It is sent again under its key, which makes one follow-up of all that were sent.
      const code = heard.code === OVERLOADED ? undefined : refusalCodeOf(heard.code);
      return code === undefined ? unknownAfter(heard) : { word: 'declined', code };
    }
    case 'replied': {
      const serial = heard.reply['serial-number'];
      // Without it the latest transaction would be taken for this one.
      if (serial === undefined) {
        return { word: 'unknown', reason: 'the provider acknowledged nothing', fault: 'unreadable' };
      }
      return followed(exchange, { instruction, order, serial, name: writeProviderOrder(order) }, limit, patience);
    }
  }
}

/** The order at the provider; when only our reference of it is known, the provider is asked for its own id. */
async function orderOf(
  exchange: Exchange,
  { original }: FollowUpInstruction,
  { origin }: Circumstances,
  limit: CallLimit,
): Promise<ProviderOrder | Answer> {
  const known = origin && readProviderOrder(origin);
  if (known) return known;
  const clientOrderId = clientOrderIdOf(original);
  const found = await statusOf(exchange, { clientOrderId }, limit);
  if ('word' in found) return found;
  return isFound(found) ? { orderId: found.orderId, clientOrderId } : { word: 'declined', code: '914' };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The provider keeps keys for seven days. Later a key says nothing any more, and only a person can tell. */
const KEY_KEPT_MS = 6 * DAY_MS;

function isForgotten({ clock }: Exchange, { trace }: Circumstances): boolean {
  return clock.now() - trace.at > KEY_KEPT_MS;
}

const FORGOTTEN: Unknown = {
  word: 'unknown',
  reason: 'it is so long ago that the provider may have forgotten its key',
};

/**
 * Asks by sending it again under its key: the provider carries it out if it never had it, and says what became of it if
 * it had. A refusal then means that it was never taken; before that is believed, the key is barred for a copy that may
 * still be on its way.
 */
export async function inquireFollowUp(
  exchange: Exchange,
  instruction: FollowUpInstruction,
  { around }: SentInstruction,
  limit: CallLimit,
): Promise<InquiryAnswer> {
  if (isForgotten(exchange, around)) return FORGOTTEN;
  const answer = await sendFollowUp(exchange, instruction, around, limit, { patient: false });
  if (answer.word === 'unsent') return { word: 'unknown', reason: answer.reason, fault: 'unreachable' };
  // A decline that names a transaction is the bank's.
  if (answer.word !== 'declined' || answer.processorTxId !== undefined) return answer;
  const bar = await barFollowUp(exchange, instruction, around, limit);
  if (bar.word === 'unknown') return bar;
  return bar.word === 'not-found' ? answer : unknown('the provider took it a moment ago');
}

export async function reverseFollowUp(
  exchange: Exchange,
  instruction: FollowUpInstruction,
  { around }: SentInstruction,
  limit: CallLimit,
): Promise<ReversalAnswer> {
  if (isForgotten(exchange, around)) return FORGOTTEN;
  const bar = await barFollowUp(exchange, instruction, around, limit);
  if (bar.word !== 'taken') return bar;
  // The key is taken by the follow-up, so asking again makes nothing and leads to what it made.
  const answer = await sendFollowUp(exchange, instruction, around, limit, { patient: false });
  // A decline that names a transaction is the bank's; any other only refuses to tell what became of this one.
  if (answer.word === 'declined') {
    return answer.processorTxId === undefined ? unknown('the provider refused to say') : { word: 'reversed' };
  }
  if (answer.word === 'unknown') return answer;
  if (answer.word !== 'approved') return unknown(`the ${instruction.kind} is ${answer.word} at the provider`);
  if (instruction.kind !== 'capture') return unknown(`a ${instruction.kind} cannot be taken back`);
  const order = readProviderOrder({ reference: instruction.original, processorTxId: answer.processorTxId });
  if (!order) return unknown('the order of the capture is not known');
  const { reference, amount } = instruction;
  return givenBack(exchange, { kind: 'refund', reference, amount, order, after: undefined }, limit);
}

/** With the amount of the payment, which is one that the endpoint takes. */
function barFollowUp(
  exchange: Exchange,
  { reference, amount }: FollowUpInstruction,
  { origin }: Circumstances,
  limit: CallLimit,
) {
  return barred(exchange, { reference, amount: origin?.amount ?? amount, withKey: true }, limit);
}

function unknown(reason: string): Unknown {
  return { word: 'unknown', reason };
}
