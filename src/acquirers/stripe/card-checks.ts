// What the issuer said of the address and the security code, in the letters the card networks use for it.

import type { BankChecks } from '../acquirer.ts';
import { type StripeObject, textAt } from './stripe-object.ts';

/** By street and postal code. A check that Stripe does not name, or did not make, says nothing. */
const ADDRESS: Readonly<Record<string, string>> = {
  'pass pass': 'Y',
  'pass fail': 'A',
  'fail pass': 'Z',
  'fail fail': 'N',
  'pass ': 'B',
  ' pass': 'P',
  'fail ': 'N',
  ' fail': 'N',
  'unavailable unavailable': 'U',
  'unavailable ': 'U',
  ' unavailable': 'U',
};

const SECURITY_CODE: Readonly<Record<string, string>> = { pass: 'M', fail: 'N', unavailable: 'U', unchecked: 'P' };

/** `card` has what Stripe says of a card in a charge, an attempt or a payment method. */
export function checksOf(card: StripeObject | undefined): { readonly checks?: BankChecks } {
  const address = addressCheck(said(card, 'address_line1_check'), said(card, 'address_postal_code_check'));
  const securityCode = SECURITY_CODE[textAt(card, 'checks', 'cvc_check') ?? ''];
  if (address === undefined && securityCode === undefined) return {};
  return { checks: { ...(address && { address }), ...(securityCode && { securityCode }) } };
}

function said(card: StripeObject | undefined, check: string): string {
  const result = textAt(card, 'checks', check) ?? '';
  return /^(pass|fail|unavailable)$/.test(result) ? result : '';
}

/** What could be checked counts when the other part was not available. */
function addressCheck(street: string, postalCode: string): string | undefined {
  const [one, other] = [street, postalCode].map((result) => (result === 'unavailable' ? '' : result));
  return ADDRESS[`${one} ${other}`] ?? ADDRESS[`${street} ${postalCode}`];
}
