// ISO 8583:1993 action codes and what they tell a merchant, in sentences that can be shown to a payer.
// Acquirers add private codes of their own, so a code that is not listed is judged by the range it lies in.

import {
  AUTHENTICATION_CANCELLED,
  AUTHENTICATION_REFUSED,
  AUTHENTICATION_TIMED_OUT,
  AUTHENTICATION_UNAVAILABLE,
} from '../three-d-secure/authentication.ts';

/** An action code of our own, for private use: the bank was never asked. */
export const SECURITY_CODE_LOST = '194';

/** Codes with which an order is declined before any bank is asked. A bank may use them too. */
export const UNASKED_DECLINES: readonly string[] = [
  AUTHENTICATION_REFUSED,
  AUTHENTICATION_UNAVAILABLE,
  AUTHENTICATION_TIMED_OUT,
  AUTHENTICATION_CANCELLED,
  SECURITY_CODE_LOST,
];

/** A bank declines, and gives no reason. */
export const GENERAL_DECLINE = '100';

const MEANINGS: ReadonlyMap<string, string> = new Map([
  [GENERAL_DECLINE, 'The bank declined the payment without giving a reason.'],
  ['101', 'The card has expired.'],
  ['102', 'The bank suspects fraud.'],
  ['103', 'The merchant must contact its acquirer about this card.'],
  ['104', 'The card is restricted.'],
  ['105', "The merchant must call its acquirer's security department."],
  ['106', 'The PIN was entered wrongly too many times.'],
  ['107', 'The merchant must ask the bank about this payment first.'],
  ['108', 'The merchant must ask the bank about this payment first; special conditions apply.'],
  ['109', 'The bank does not know this merchant.'],
  ['110', 'The amount is not valid.'],
  ['111', 'The card number is not valid.'],
  ['112', 'The payment needs a PIN.'],
  ['113', 'The bank does not accept the fee.'],
  ['114', 'The card has no account of the requested kind.'],
  ['115', 'The bank does not support this kind of payment.'],
  ['116', 'There are not enough funds.'],
  ['117', 'The PIN is wrong.'],
  ['118', 'The bank has no record of this card.'],
  ['119', 'The cardholder may not make this kind of payment.'],
  ['120', 'The terminal may not make this kind of payment.'],
  ['121', 'The amount is above the limit of the card.'],
  ['122', 'The bank found a breach of security.'],
  ['123', 'The card was used more often than its limit allows.'],
  ['124', 'The payment would be against the law.'],
  ['125', 'The card is not active.'],
  ['126', 'The PIN could not be read.'],
  ['127', 'The PIN has the wrong length.'],
  ['128', 'The PIN could not be checked because the keys do not match.'],
  ['129', 'The card is suspected to be counterfeit.'],
  // Private codes of this gateway: the bank was never asked.
  [AUTHENTICATION_REFUSED, "The card's issuer did not authenticate the payer (3-D Secure)."],
  [
    AUTHENTICATION_UNAVAILABLE,
    'The payer could not be authenticated (3-D Secure), and this end point takes no payment without it.',
  ],
  [AUTHENTICATION_TIMED_OUT, 'The payer did not complete the authentication (3-D Secure) in time.'],
  [AUTHENTICATION_CANCELLED, 'The payer cancelled the authentication (3-D Secure).'],
  [
    SECURITY_CODE_LOST,
    'The security code was lost before the bank was asked. No money was moved; the payment can be made again.',
  ],
  ['200', 'The bank declined the payment and wants the card withheld.'],
  ['201', 'The card has expired and should be withheld.'],
  ['202', 'The bank suspects fraud and wants the card withheld.'],
  ['203', 'The card should be withheld; the merchant must contact its acquirer.'],
  ['204', 'The card is restricted and should be withheld.'],
  ['205', "The card should be withheld; the merchant must call its acquirer's security department."],
  ['206', 'The PIN was entered wrongly too many times; the card should be withheld.'],
  ['207', 'The card should be withheld under special conditions.'],
  ['208', 'The card was reported lost.'],
  ['209', 'The card was reported stolen.'],
  ['210', 'The card is suspected to be counterfeit and should be withheld.'],
  ['902', 'The bank does not accept this transaction.'],
  ['903', 'The bank asks for the payment to be made again.'],
  ['904', 'The bank could not read the message.'],
  ['905', 'The card network does not know the acquirer.'],
  ['906', 'The bank is changing over to its next business day.'],
  ['907', "The cardholder's bank is not working at the moment."],
  ['908', "The cardholder's bank could not be found."],
  ['909', 'The bank had a malfunction.'],
  ['910', "The cardholder's bank is offline."],
  ['911', "The cardholder's bank did not answer in time."],
  ['912', "The cardholder's bank cannot be reached."],
  ['913', 'The bank already holds a different transaction under this reference.'],
  ['914', 'The bank holds no such transaction, or it has been cancelled.'],
  ['920', 'The security module of the bank failed.'],
  ['921', 'The security module of the bank failed and nothing was done.'],
  ['923', 'The bank is still working on this transaction.'],
  ['950', 'The payment is outside the agreement between the banks.'],
]);

const RANGES: ReadonlyMap<string, string> = new Map([
  ['0', 'The bank approved the payment.'],
  ['1', 'The bank declined the payment.'],
  ['2', 'The bank declined the payment and wants the card withheld.'],
  ['4', 'The bank reversed the payment.'],
  ['9', 'The bank could not process the payment.'],
]);

const UNKNOWN_RANGE = 'The bank answered with a code that is not known.';

/** The sentence for an action code. Never empty: an unlisted code gets the sentence of its range. */
export function meaningOf(code: string): string {
  const listed = MEANINGS.get(code);
  if (listed !== undefined) return listed;
  const range = /^\d{3}$/.test(code) ? RANGES.get(code.charAt(0)) : undefined;
  return range ?? UNKNOWN_RANGE;
}

/** Whether the gateway itself declined, and no bank was asked. */
export function isOwnDecline(code: string): boolean {
  return UNASKED_DECLINES.includes(code);
}
