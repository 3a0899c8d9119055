// The question that the simulated issuer asks, and how the payer's answer is read: the password is `hint`, and three
// wrong passwords end the challenge.

import { currencyLetters } from '../../domain/money/currency.ts';

export const PASSWORD = 'hint';
export const MOST_TRIES = 3;

export type PayerAnswer = 'right' | 'wrong' | 'cancel';

export function readPayerAnswer(form: URLSearchParams): PayerAnswer {
  if (form.get('do') === 'cancel') return 'cancel';
  return form.get('password')?.trim().toLowerCase() === PASSWORD ? 'right' : 'wrong';
}

/** `10.42 USD`, or nothing when the question is not about a payment. */
export function writtenAmount(
  minor: string | undefined,
  exponent: string | undefined,
  currency: string | undefined,
): string | undefined {
  if (minor === undefined || exponent === undefined || currency === undefined) return undefined;
  const decimals = Number(exponent);
  const digits = minor.replace(/^0+(?=\d)/, '').padStart(decimals + 1, '0');
  const written = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return `${written} ${currencyLetters(currency) ?? `(currency ${currency})`}`;
}
