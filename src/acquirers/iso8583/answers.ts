// Judges an answer with one word. Only codes that certainly mean it approve or decline; everything else is unknown, and
// what is unknown is taken back.

import type { Answer, Origin, ReversalAnswer, Trace, Unknown } from '../acquirer.ts';
import { type Dialect, FIELD, type IsoMessage, type SentKind } from './dialect.ts';
import { readPrivateData } from './private-data.ts';
import { retrievalNumberOf, stanOf, transmissionOf } from './trace-numbers.ts';

export type JudgedExchange = {
  readonly kind: SentKind;
  readonly sent: IsoMessage;
  readonly answer: IsoMessage;
  readonly trace: Trace;
  readonly origin: Origin | undefined;
  /** Whether the message was sent more than once. */
  readonly repeated: boolean;
};

const APPROVED = ['000', '001', '003', '004', '005', '007'];
const IN_PART = ['002', '006'];
const REVERSED = '400';
/** An advice is acknowledged, with or without liability. */
const ACKNOWLEDGED = ['900', '901'];
const TOO_LATE = '911';
const DUPLICATE = '913';
const NO_ORIGINAL = '914';

/** Refusals of the 900s: the message was not carried out. */
const REFUSED = [902, 903, 904, 905, 906, 907, 908, 909, 910, 912, 914, 915, 916, 917, 918, 919, 920, 921, 922, 950];

const unknown = (reason: string): Unknown => ({ word: 'unknown', reason });

export function judgeAnswer(dialect: Dialect, exchange: JudgedExchange): Answer {
  const { kind, sent, answer, repeated } = exchange;
  const { code, action } = codeOf(dialect, answer);
  if (action === undefined) return unknown(`the bank answered with code ${code}, which is not known`);
  if (isApproval(kind, action, repeated)) {
    const amount = answer.fields[FIELD.amount];
    // After a part of a hold was released, hosts put any of three amounts there.
    if (kind !== 'cancel' && amount !== undefined && amount !== sent.fields[FIELD.amount]) {
      return unknown('the bank approved another amount than it was asked for');
    }
    return approval(dialect, exchange);
  }
  if (IN_PART.includes(action)) return unknown('the bank approved only a part of the amount');
  if (action === TOO_LATE) return unknown('the bank says that an answer came too late');
  if (action === DUPLICATE) return unknown('the bank says that it has this message already');
  // The first message may have done it, and the repeat found nothing left to do.
  if (action === NO_ORIGINAL && repeated) return unknown('the bank finds no original after a repeat');
  if (/^[12]\d\d$/.test(action) || REFUSED.includes(Number(action))) return decline(dialect, action, answer);
  return unknown(`the bank answered with code ${code}, which neither approves nor declines`);
}

function isApproval(kind: SentKind, action: string, repeated: boolean): boolean {
  if (APPROVED.includes(action)) return true;
  if (kind === 'void' || kind === 'cancel') return action === REVERSED;
  // An advice tells what has happened: whoever has it already has taken it.
  return kind === 'capture' && (ACKNOWLEDGED.includes(action) || (action === DUPLICATE && repeated));
}

function approval(dialect: Dialect, { answer, trace, origin, sent }: JudgedExchange): Answer {
  const { networkTransactionId } = readPrivateData(dialect, answer.fields);
  const text = (field: number) => printable(answer.fields[field] ?? '');
  const terminalId = text(FIELD.terminal);
  return {
    word: 'approved',
    // Advices, reversals and checks of a card are often approved without a code.
    approvalCode: text(FIELD.approvalCode) || origin?.approvalCode || '',
    rrn: text(FIELD.rrn) || sent.fields[FIELD.rrn] || retrievalNumberOf(trace),
    processorTxId: `${stanOf(trace)}/${transmissionOf(trace)}`,
    ...(terminalId !== '' && { terminalId }),
    ...(networkTransactionId !== undefined && { networkTransactionId: printable(networkTransactionId) }),
    ...checksOf(dialect, answer),
  };
}

function decline(dialect: Dialect, code: string, answer: IsoMessage): Answer {
  const rrn = printable(answer.fields[FIELD.rrn] ?? '');
  return { word: 'declined', code, ...(rrn !== '' && { rrn }), ...checksOf(dialect, answer) };
}

function checksOf(dialect: Dialect, { fields }: IsoMessage) {
  const { addressCheck: address, securityCodeCheck: securityCode } = readPrivateData(dialect, fields);
  if (address === undefined && securityCode === undefined) return {};
  return {
    checks: {
      ...(address !== undefined && { address: printable(address) }),
      ...(securityCode !== undefined && { securityCode: printable(securityCode) }),
    },
  };
}

/** A host may put any byte in a text, and what it said of an approval must be fit to be stored. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').trim();
}

/**
 * Judges the answer to a reversal advice. A bank that knows no original may still get it, so it is believed only when
 * the original can no longer be on its way.
 */
export function judgeReversal(dialect: Dialect, answer: IsoMessage, isLast: boolean): ReversalAnswer {
  const { code, action } = codeOf(dialect, answer);
  if (action === '000' || action === REVERSED || action === '901') return { word: 'reversed' };
  if (action !== NO_ORIGINAL) return unknown(`the bank answered the reversal with code ${code}`);
  return isLast ? { word: 'not-found' } : unknown('the bank knows no original yet');
}

function codeOf({ codes }: Dialect, { fields }: IsoMessage) {
  const code = (fields[FIELD.code] ?? '').trim();
  if (code === '') return { code: 'none', action: undefined };
  if (codes === 'action-codes') return { code, action: /^\d{3}$/.test(code) ? code : undefined };
  return {
    code: /^[0-9A-Z]{2}$/.test(code) ? code : '??',
    action: Object.hasOwn(codes, code) ? codes[code] : undefined,
  };
}

/** Whether a network message was accepted. */
export function isAccepted(dialect: Dialect, answer: IsoMessage): boolean {
  const { action } = codeOf(dialect, answer);
  return action === '000' || action === '800';
}

export const shownCode = (dialect: Dialect, answer: IsoMessage) => codeOf(dialect, answer).code;
