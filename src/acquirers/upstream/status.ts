// How an order stands at the provider, read from a status reply, and what that means for our instruction.

import { isCurrency } from '../../domain/money/currency.ts';
import { type Money, readAmount, writeAmount } from '../../domain/money/money.ts';
import type {
  Answer,
  Approval,
  CardEligibility,
  Decline,
  Eligibility,
  Instruction,
  InstructionKind,
  Push,
  Unknown,
} from '../acquirer.ts';
import { declineCodeOf } from './decline-codes.ts';
import type { ProviderReply } from './heard.ts';

export type ProviderStatus = {
  readonly status: 'open' | 'unknown' | 'approved' | 'declined' | 'filtered' | 'error';
  readonly orderId: string;
  /** What the reported transaction does: sale, capture, reversal … */
  readonly type: string;
  /** The request that made the transaction. */
  readonly serial: string | undefined;
  readonly reply: ProviderReply;
};

const STATUSES: Readonly<Record<string, ProviderStatus['status']>> = {
  processing: 'open',
  // Another bank of the provider's is tried.
  chain_declined: 'open',
  unknown: 'unknown',
  approved: 'approved',
  declined: 'declined',
  filtered: 'filtered',
  error: 'error',
};

/** Undefined when the reply does not say how the order, or its transaction, that was asked about stands. */
export function readProviderStatus(
  reply: ProviderReply,
  { clientOrderId, serial }: { readonly clientOrderId: string; readonly serial?: string | undefined },
): ProviderStatus | undefined {
  const word = reply.status ?? '';
  const status = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
  const orderId = reply['paynet-order-id'] ?? '';
  if (reply.type !== 'status-response' || status === undefined || !/^[1-9]\d{0,18}$/.test(orderId)) return undefined;
  if ((reply['merchant-order-id'] ?? clientOrderId) !== clientOrderId) return undefined;
  const told = reply['by-request-sn'];
  if (serial !== undefined && told !== undefined && told.toLowerCase() !== serial.toLowerCase()) return undefined;
  return { status, orderId, type: reply['transaction-type'] ?? '', serial: told, reply };
}

/** What the provider calls the transaction of each instruction. */
export const TYPES: Readonly<Record<InstructionKind, string>> = {
  sale: 'sale',
  pull: 'sale',
  preauth: 'preauth',
  verification: 'account-verification',
  capture: 'capture',
  cancel: 'cancel',
  void: 'void',
  refund: 'reversal',
  push: 'payout',
  eligibility: 'pan-eligibility',
};

/** Undefined for what moves no money. */
export function amountOf(instruction: Instruction): Money | undefined {
  return instruction.kind === 'eligibility' || instruction.kind === 'verification' ? undefined : instruction.amount;
}

/** The provider's bank gave no code for it. */
const RETURNED = '100';

/** `name` is how the transaction is called in later messages. */
export function answerIn(
  found: ProviderStatus,
  instruction: Instruction,
  name: string,
): Exclude<Answer, { word: 'unsent' }> {
  const { status, type, reply } = found;
  if (instruction.kind === 'push' && type === TYPES.refund) return returnIn(found, instruction, name);
  if (type !== TYPES[instruction.kind]) return unknown(`the provider speaks of a ${type || 'nameless transaction'}`);
  switch (status) {
    case 'approved':
      return isAbout(found, amountOf(instruction)) ? approval(reply, name) : unknown(otherAmount(found, instruction));
    case 'declined':
    case 'filtered':
    case 'error':
      return decline(found, status, name);
    case 'unknown':
      return unknown('the provider does not know yet how it ended');
    case 'open':
      return challengeIn(reply) ?? { word: 'pending' };
  }
}

/** Nobody can ask for a payout back: what gives it back is the bank's return of it. */
function returnIn(found: ProviderStatus, instruction: Push, processorTxId: string): Decline | Unknown {
  if (found.status !== 'approved') return unknown(`the provider speaks of a return that is ${found.status}`);
  if (found.reply.amount === undefined) return unknown('the provider does not say how much was returned');
  if (!isAbout(found, instruction.amount)) return unknown('the provider returned another amount');
  const rrn = plain(found.reply['processor-rrn']);
  return { word: 'declined', code: RETURNED, processorTxId, returned: true, ...(rrn === undefined ? {} : { rrn }) };
}

function unknown(reason: string): Unknown {
  return { word: 'unknown', reason };
}

/** Amounts are told in the notation the order was made with; a provider that writes minor units is understood too. */
export function isAbout({ reply }: ProviderStatus, amount: Money | undefined): boolean {
  const { amount: text, currency = '' } = reply;
  if (amount === undefined || text === undefined) return true;
  if (currency !== amount.currency || !isCurrency(currency)) return false;
  return (['major', 'minor'] as const).some((notation) => readAmount(text, currency, notation) === amount.minor);
}

function otherAmount({ reply }: ProviderStatus, instruction: Instruction): string {
  const amount = amountOf(instruction);
  const ours = amount && `${writeAmount(amount, 'major')} ${amount.currency}`;
  return `the provider approved ${reply.amount} ${reply.currency}, not ${ours}`;
}

function approval(reply: ProviderReply, processorTxId: string): Approval {
  const terminalId = plain(reply['terminal-id']);
  const eligibility = eligibilityIn(reply);
  return {
    word: 'approved',
    approvalCode: plain(reply['approval-code']) ?? '',
    rrn: plain(reply['processor-rrn']) ?? '',
    processorTxId,
    ...(terminalId === undefined ? {} : { terminalId }),
    ...(eligibility && { eligibility }),
  };
}

function decline({ reply }: ProviderStatus, status: 'declined' | 'filtered' | 'error', processorTxId: string): Decline {
  const rrn = plain(reply['processor-rrn']);
  const code = declineCodeOf(status, reply['error-code']);
  return { word: 'declined', code, processorTxId, ...(rrn === undefined ? {} : { rrn }) };
}

/** Codes of banks are short and printable; anything else is not passed on. */
function plain(text: string | undefined): string | undefined {
  return text !== undefined && /^[\x20-\x7e]{1,64}$/.test(text) ? text : undefined;
}

const MAX_ADDRESS = 2048;

function challengeIn(reply: ProviderReply): { readonly word: 'challenge'; readonly url: string } | undefined {
  const url = reply['redirect-to'];
  const isAddress = url !== undefined && url.length <= MAX_ADDRESS && /^https?:\/\//i.test(url) && URL.canParse(url);
  return isAddress ? { word: 'challenge', url } : undefined;
}

function eligibilityIn(reply: ProviderReply): Eligibility | undefined {
  const [sending, receiving] = (['sending', 'receiving'] as const).map((side) => cardEligibility(reply, side));
  if (!sending && !receiving) return undefined;
  return { ...(sending && { sending }), ...(receiving && { receiving }) };
}

function cardEligibility(reply: ProviderReply, side: 'sending' | 'receiving'): CardEligibility | undefined {
  const eligible = reply[`${side}-eligible`];
  if (eligible !== 'true' && eligible !== 'false') return undefined;
  const told = (name: string) => plain(reply[`${side}-${name}`]) ?? '';
  return {
    eligible: eligible === 'true',
    network: told('network'),
    product: told('product'),
    country: told('country'),
    issuer: told('issuer'),
  };
}
