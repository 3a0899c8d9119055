// Which transactions are attempts on a card, as the card networks count them: a merchant's own charges of a stored card
// from their start, whatever becomes of them, and a payer's payments once the issuer has declined them.

import { isMerchantInitiated, type Order, type Transaction } from '../order/order.ts';
import type { TransactionType } from '../order/transaction-types.ts';
import { isAuthenticationDecline } from '../three-d-secure/authentication.ts';

/** The transactions that ask the issuer of the paying card. */
const ASKS_ISSUER: ReadonlySet<TransactionType> = new Set(['sale', 'preauth', 'account-verification']);

/** A payer who was not authenticated never got as far as the issuer. */
export function isCardAttempt(
  order: Pick<Order, 'operation'>,
  { type, stage, originalSeq, answer }: Pick<Transaction, 'type' | 'stage' | 'originalSeq' | 'answer'>,
): boolean {
  if (originalSeq !== undefined) return false;
  if (isMerchantInitiated(order)) return true;
  const code = answer?.word === 'declined' ? answer.code : '';
  return stage === 'declined' && ASKS_ISSUER.has(type) && !isAuthenticationDecline(code);
}
