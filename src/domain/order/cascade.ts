// When a further terminal is tried for an order, and which one. Only after a certain answer: a decline that another
// bank may judge otherwise, an instruction that was never sent, or one that its bank promises not to carry out.

import { isFinalDecline } from '../card/network-limits.ts';
import type { Order, Transaction } from './order.ts';
import { CVV_MS } from './retry-schedule.ts';
import type { TransactionType } from './transaction-types.ts';

/** A route has at most as many terminals. */
export const MAX_TERMINALS = 3;

/** Only what charges a card: the money of payouts and transfers is set aside for one instruction. */
const CASCADING: ReadonlySet<TransactionType> = new Set(['sale', 'preauth', 'account-verification']);

// What lies with the acquirer, its contract or the way to the issuer, in action codes of ISO 8583:1993. An issuer that
// said no is not asked again by another way: not for want of funds, not on suspicion, not when it gave no reason.
const ANOTHER_BANK_MAY_HELP: ReadonlySet<string> = new Set([
  '109', // the acquirer does not know the merchant
  '113', // fee
  '115', // function not supported
  '120', // not permitted to the terminal
  '903', // make it again
  '904', // format
  '905', // the acquirer is not known to the network
  '906', // cut-over
  '907', // issuer or switch inoperative
  '909', // malfunction
  '910', // issuer signed off
  '911', // issuer timed out
  '912', // issuer unavailable
  '920', // security module
  '921', // security module, nothing done
  '950', // outside the agreement
]);

export function mayAskAnotherBank(code: string): boolean {
  return ANOTHER_BANK_MAY_HELP.has(code) && !isFinalDecline(code);
}

/** The terminal behind this one on the order's route. */
export function nextTerminal({ route }: Order, { terminal, type, legs, originalSeq }: Transaction): string | undefined {
  if (!route || originalSeq !== undefined || legs > 1 || !CASCADING.has(type)) return undefined;
  const place = route.terminals.indexOf(terminal);
  return place < 0 ? undefined : route.terminals[place + 1];
}

/**
 * Whether a payer still expects an answer: later an order that was taken back is not tried anew. A payer may have
 * entered the card, or was authenticated, long after the transaction was made: until the first answer that counts.
 */
export function isStillExpected(
  { stage, createdAt, changedAt }: Pick<Transaction, 'stage' | 'createdAt' | 'changedAt'>,
  now: number,
): boolean {
  return now < (stage === 'sending' ? changedAt : createdAt) + CVV_MS;
}

/** Whether a try gets the security code of the one before it, because no bank has seen that. */
export function keepsSecurityCode({ transactions }: Order, { seq, originalSeq }: Transaction): boolean {
  const before = transactions[seq - 2];
  return originalSeq === undefined && before?.stage === 'passed-on' && before.answer === undefined;
}

/** The first try of the same card: the payer is not authenticated again for another terminal. */
export function firstTryOf({ transactions }: Order, seq: number): number {
  let first = seq;
  while (transactions[first - 2]?.stage === 'passed-on') first -= 1;
  return first;
}
