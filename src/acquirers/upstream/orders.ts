// Instructions that make an order at the provider: charges, payouts and questions about cards. Its client order id is
// our reference, and the provider makes one order of an id at most: so what was lost is found again by that id, and
// sending it once more never pays twice.

import type { Secret } from '../../domain/secret.ts';
import type {
  Answer,
  ChargeInstruction,
  Circumstances,
  EligibilityQuestion,
  InquiryAnswer,
  Push,
  ReversalAnswer,
  Unknown,
} from '../acquirer.ts';
import { barred } from './barrier.ts';
import type { CallLimit } from './call-limit.ts';
import { clientOrderIdOf, storedCardId } from './client-order-id.ts';
import { CALLBACK_REFUSED, mayExistAlready, refusalCodeOf } from './decline-codes.ts';
import { givenBack, type Reversal } from './give-back.ts';
import type { HeardBack, ProviderReply } from './heard.ts';
import {
  type Exchange,
  type FoundOrder,
  followed,
  inquiryAnswer,
  isFound,
  statusOf,
  unknownAfter,
} from './questions.ts';
import {
  askAboutCards,
  askCharge,
  askPayout,
  askStoredCard,
  askStoredCharge,
  type ProviderRequest,
} from './requests.ts';
import { isAbout, TYPES } from './status.ts';

export type OrderInstruction = ChargeInstruction | Push | EligibilityQuestion;

export type OrderKeys = { readonly controlKey: Secret<string>; readonly hasPrivateKey: boolean };

export async function sendOrder(
  exchange: Exchange,
  keys: OrderKeys,
  instruction: OrderInstruction,
  around: Circumstances,
  limit: CallLimit,
): Promise<Answer> {
  const request = await requestFor(exchange, keys, instruction, around, limit);
  if ('word' in request) return request;
  const heard = await exchange.provider.ask(request, limit);
  // It made nothing, and would take the order if it need not call us: then it is asked how the order stands.
  if (heard.word === 'refused' && heard.code === CALLBACK_REFUSED && exchange.asker.noticeUrl !== undefined) {
    const asker = { ...exchange.asker, noticeUrl: undefined };
    return sendOrder({ ...exchange, asker }, keys, instruction, around, limit);
  }
  switch (heard.word) {
    case 'unsent':
      return heard;
    case 'unheard':
      return unknownAfter(heard);
    case 'refused':
      return refused(exchange, instruction, heard, limit);
    case 'replied':
      return acknowledged(exchange, instruction, heard.reply, limit);
  }
}

/** The order may have ended before the acknowledgement says so; only a status tells. */
async function acknowledged(
  exchange: Exchange,
  instruction: OrderInstruction,
  { 'paynet-order-id': orderId, 'serial-number': serial }: ProviderReply,
  limit: CallLimit,
): Promise<Answer> {
  if (orderId === undefined) {
    return { word: 'unknown', reason: 'the provider acknowledged no order', fault: 'unreadable' };
  }
  const order = { orderId, clientOrderId: clientOrderIdOf(instruction.reference) };
  return followed(exchange, { instruction, order, serial, name: orderId }, limit);
}

/** A refusal is certain, unless the order may exist already or the code is one that this interface does not have. */
async function refused(
  exchange: Exchange,
  instruction: OrderInstruction,
  heard: Extract<HeardBack, { word: 'refused' }>,
  limit: CallLimit,
): Promise<Answer> {
  const code = mayExistAlready(heard.code) ? undefined : refusalCodeOf(heard.code);
  if (code !== undefined) return { word: 'declined', code };
  const found = await statusOf(exchange, { clientOrderId: clientOrderIdOf(instruction.reference) }, limit);
  if (isFound(found)) {
    const { orderId, serial } = found;
    const order = { orderId, clientOrderId: clientOrderIdOf(instruction.reference) };
    return followed(exchange, { instruction, order, serial, name: orderId }, limit);
  }
  if ('word' in found) return found;
  // The id is used by something that is no order of ours, or the request was refused for a reason of the provider's.
  return { word: 'declined', code: refusalCodeOf(heard.code) ?? '909' };
}

async function requestFor(
  exchange: Exchange,
  keys: OrderKeys,
  instruction: OrderInstruction,
  around: Circumstances,
  limit: CallLimit,
): Promise<ProviderRequest | Answer> {
  const { asker } = exchange;
  switch (instruction.kind) {
    case 'push':
      return askPayout(instruction, around, asker, keys.hasPrivateKey);
    case 'eligibility':
      return askAboutCards(instruction, asker);
    case 'verification':
      return askCharge(instruction, around, asker);
    default: {
      const { kind } = instruction;
      const isStored = instruction.initiator === 'merchant' && instruction.card.cvv === undefined;
      // Without a private key the card cannot be stored; the provider may take the charge without a security code.
      if (!isStored || !keys.hasPrivateKey) return askCharge(instruction, around, asker);
      const stored = await storedCard(exchange, keys, instruction, limit);
      return typeof stored === 'string' ? askStoredCharge({ ...instruction, kind }, stored, around, asker) : stored;
    }
  }
}

/** The provider's reference of the card. Nothing is charged here, so a failure is certain. */
async function storedCard(
  { provider }: Exchange,
  { controlKey }: OrderKeys,
  instruction: ChargeInstruction,
  limit: CallLimit,
): Promise<string | Answer> {
  const id = storedCardId(instruction.card, instruction.amount.currency, controlKey);
  const heard = await provider.ask(askStoredCard(instruction, id), limit);
  if (heard.word === 'unsent') return heard;
  if (heard.word === 'refused') return { word: 'declined', code: refusalCodeOf(heard.code) ?? '909' };
  if (heard.word === 'unheard') return unknownAfter(heard);
  const stored = heard.reply['recurring-payment-id'];
  return stored ?? { word: 'unknown', reason: 'the provider stored no card', fault: 'unreadable' };
}

export async function inquireOrder(
  exchange: Exchange,
  instruction: OrderInstruction,
  limit: CallLimit,
): Promise<InquiryAnswer> {
  const found = await statusOf(exchange, { clientOrderId: clientOrderIdOf(instruction.reference) }, limit);
  return inquiryAnswer(found, instruction);
}

export async function reverseOrder(
  exchange: Exchange,
  instruction: OrderInstruction,
  limit: CallLimit,
): Promise<ReversalAnswer> {
  // Neither moves money, now or when it arrives late.
  if (instruction.kind === 'verification' || instruction.kind === 'eligibility') return { word: 'reversed' };
  const { reference, amount } = instruction;
  const question = { clientOrderId: clientOrderIdOf(reference) };
  let found: FoundOrder = await statusOf(exchange, question, limit);
  if ('word' in found) return found;
  // An open order may be the form that bars the id, of which we did not hear.
  if (found.status === 'not-found' || found.status === 'open') {
    const bar = await barred(exchange, { reference, amount, withKey: false }, limit);
    if (bar.word !== 'taken') return bar;
    found = await statusOf(exchange, question, limit);
  }
  if ('word' in found) return found;
  if (!isFound(found)) return unknown('the provider holds the id but does not find the order');
  return takenBack(exchange, instruction, found, limit);
}

const GIVING_BACK: ReadonlySet<string> = new Set([TYPES.void, TYPES.refund, TYPES.cancel]);

async function takenBack(
  exchange: Exchange,
  instruction: ChargeInstruction | Push,
  found: Extract<FoundOrder, { orderId: string }>,
  limit: CallLimit,
): Promise<ReversalAnswer> {
  const { kind, amount, reference } = instruction;
  const { status, type, orderId, serial } = found;
  if (status === 'open' || status === 'unknown') return unknown(`the provider still works on the ${type}`);
  const order = { orderId, clientOrderId: clientOrderIdOf(reference) };
  const back: Omit<Reversal, 'kind'> = { reference, amount, order, after: serial };
  // A form that barred the id ends as a sale that nobody paid.
  if (status !== 'approved' && (type === TYPES[kind] || type === TYPES.sale)) return { word: 'reversed' };
  if (type === TYPES[kind]) {
    if (kind === 'push') return unknown('the provider paid it out, which cannot be taken back');
    if (!isAbout(found, amount)) return unknown('the provider approved another amount');
    return givenBack(exchange, { ...back, kind: kind === 'preauth' ? 'cancel' : 'void' }, limit);
  }
  if (!GIVING_BACK.has(type)) return unknown(`the provider speaks of a ${type}`);
  if (status === 'approved') {
    return isAbout(found, amount) ? { word: 'reversed' } : unknown('the provider gave back a part');
  }
  // It was not given back: a payment that is in clearing can be returned, but not voided any more.
  return givenBack(exchange, { ...back, kind: kind === 'preauth' ? 'cancel' : 'refund' }, limit);
}

function unknown(reason: string): Unknown {
  return { word: 'unknown', reason };
}
