// The question that the simulated issuer asks, and how the payer's answer is read: the password is `hint`, and three
// wrong passwords end the challenge.

export const PASSWORD = 'hint';
export const MOST_TRIES = 3;

export type PayerAnswer = 'right' | 'wrong' | 'cancel';

export function readPayerAnswer(form: URLSearchParams): PayerAnswer {
  if (form.get('do') === 'cancel') return 'cancel';
  return form.get('password')?.trim().toLowerCase() === PASSWORD ? 'right' : 'wrong';
}

/** The letters of the currencies that people test with; other currencies are shown by their number. */
const LETTERS: Readonly<Record<string, string>> = {
  '036': 'AUD',
  '124': 'CAD',
  '156': 'CNY',
  '208': 'DKK',
  '344': 'HKD',
  '356': 'INR',
  '392': 'JPY',
  '410': 'KRW',
  '414': 'KWD',
  '484': 'MXN',
  '578': 'NOK',
  '643': 'RUB',
  '702': 'SGD',
  '752': 'SEK',
  '756': 'CHF',
  '784': 'AED',
  '826': 'GBP',
  '840': 'USD',
  '949': 'TRY',
  '978': 'EUR',
  '985': 'PLN',
  '986': 'BRL',
};

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
  return `${written} ${LETTERS[currency] ?? `(currency ${currency})`}`;
}
