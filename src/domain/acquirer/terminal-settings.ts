// The settings that every terminal has, whatever its connector. A new one is a line here and a column of its name in
// table `terminals`. Amounts are in major units of the payment's currency, because a terminal may take several.

import { CARD_BRANDS } from '../card/card.ts';
import { wholeNumber } from '../input-kinds.ts';
import { type SettingsOf, setting } from '../merchant/setting.ts';
import { clearable, listedCurrency, listedWord, pattern, several, state } from '../merchant/setting-kinds.ts';

/** The instructions that begin something; what follows them goes where the money is. */
export const TERMINAL_OPERATIONS = ['sale', 'preauth', 'verification', 'push', 'pull', 'eligibility'] as const;

const ALL = 'all';
const FRACTION_DIGITS = 3;
const MOST_PAYMENTS = 1_000_000_000;

const amount = pattern(/^\d{1,12}(\.\d{1,3})?$/, 'major units such as 250 or 250.00');

export const terminalSettings = [
  setting('enabled', state, { default: true, option: false, title: 'State', says: 'take new payments' }),
  setting('currencies', several(listedCurrency, ALL), {
    default: [],
    takes: 'codes',
    says: 'only payments in these currencies, such as USD,EUR',
  }),
  setting('brands', several(listedWord(CARD_BRANDS, 'card brand'), ALL), {
    default: [],
    takes: 'brands',
    says: 'only cards of these brands, such as VISA,MASTERCARD',
  }),
  setting('operations', several(listedWord(TERMINAL_OPERATIONS, 'operation'), ALL), {
    default: [],
    takes: 'operations',
    says: `only these of what its connector does: ${TERMINAL_OPERATIONS.join(', ')}`,
  }),
  setting('minimum', clearable(amount), {
    default: undefined,
    takes: 'amount',
    says: "smallest amount, in major units of the payment's currency",
  }),
  setting('maximum', clearable(amount), {
    default: undefined,
    takes: 'amount',
    says: "largest amount, in major units of the payment's currency",
  }),
  setting('dayAmount', clearable(amount), {
    default: undefined,
    takes: 'amount',
    says: 'the most it takes in a day (UTC), for each currency, in major units',
  }),
  setting('dayCount', clearable(wholeNumber(1, MOST_PAYMENTS)), {
    default: undefined,
    takes: 'number',
    says: 'the most payments it takes in a day (UTC)',
  }),
  setting('merchantNumber', clearable(pattern(/^[!-~]{1,24}$/, '1 to 24 plain characters without spaces')), {
    default: undefined,
    first: "the endpoint's",
    unset: "the endpoint's",
    says: "the acquirer's number of the merchant",
  }),
  setting('terminalNumber', clearable(pattern(/^[!-~]{1,16}$/, '1 to 16 plain characters without spaces')), {
    default: undefined,
    says: "the acquirer's number of the terminal",
  }),
] as const;

export type TerminalSettings = SettingsOf<typeof terminalSettings>;

/** Why the settings do not go together. */
export function terminalComplaint({ minimum, maximum }: TerminalSettings): string | undefined {
  const isEmpty = minimum !== undefined && maximum !== undefined && thousandths(minimum) > thousandths(maximum);
  return isEmpty ? 'minimum: it must not be above the maximum' : undefined;
}

/** No currency has more decimals. */
function thousandths(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0'));
}
