// Kinds of values that only settings have: amounts in the endpoint's currency, lists, and values that may be unset.

import { isIP, SocketAddress } from 'node:net';
import { isCountry } from '../country.ts';
import { flag, formed, type InputKind, listed, Misread, readBy } from '../input-kinds.ts';
import { isCurrency } from '../money/currency.ts';
import { type Money, readAmount, writeAmount } from '../money/money.ts';
import { shown } from '../text.ts';
import { CLEARED, type SettingContext, type SettingKind } from './setting.ts';

/** A flag that says whether something is in use at all. */
export const state: InputKind<boolean> = { ...flag, spelling: 'state' };

/** `what` names the values that fit, in the plural. */
export function pattern(form: RegExp, what: string, otherwise?: string): InputKind<string> {
  const read = (value: unknown) =>
    typeof value === 'string' && form.test(value)
      ? value
      : new Misread(`${what} are needed${otherwise ?? `, not ${shown(value)}`}`);
  return { ...formed(form, what), read };
}

export const countryCode: InputKind<string> = readBy('a code of two letters such as US', (text) => {
  const code = text.toUpperCase();
  return isCountry(code) ? code : undefined;
});

/** An amount in the endpoint's currency: stored in minor units, given and shown in major ones. */
export const limit: SettingKind<bigint, string> = {
  schema: { type: 'string' },
  what: 'an amount',
  spelling: 'amount',
  none: { word: CLEARED, value: 0n },
  read: (value, context) => {
    const currency = currencyOf(context);
    const minor = typeof value === 'string' ? readAmount(value, currency, 'major') : undefined;
    if (minor !== undefined) return minor;
    const example = writeAmount({ minor: 1000n, currency }, 'major');
    return new Misread(`an amount in ${currency} such as ${example}, or none, is needed, not ${shown(value)}`);
  },
  told: (minor, context) => writeAmount({ minor, currency: currencyOf(context) }, 'major'),
};

function currencyOf({ currency }: Pick<SettingContext, 'currency'>): string {
  if (currency === undefined) throw new Error('only what has a currency can have a limit');
  return currency;
}

/** A setting that may be left unset. */
export function clearable<T, Told = T>(kind: SettingKind<T, Told>): SettingKind<T | undefined, Told | null> {
  const { told = (value: T) => value as unknown as Told } = kind;
  return {
    ...kind,
    none: { word: CLEARED, value: undefined },
    told: (value, context) => (value === undefined ? null : told(value, context)),
  };
}

/** A list without repetitions. `word` is the word for an empty list, also when it comes as the only entry of one. */
export function several(entry: InputKind<string, SettingContext>, word = CLEARED): SettingKind<readonly string[]> {
  return { ...listed(entry), none: { word, value: [] } };
}

/** An entry of a list: its fault is a sentence of its own. */
function entry(
  what: string,
  read: (value: unknown, context: SettingContext) => string | undefined,
  otherwise: (value: string, context: SettingContext) => string = (value) => `${value} is not ${what}`,
): InputKind<string, SettingContext> {
  return {
    schema: { type: 'string' },
    what,
    spelling: 'text',
    read: (value, context) =>
      read(value, context) ?? new Misread(otherwise(shown(value), context), { standsAlone: true }),
  };
}

/** One of these words, however its letters are written. */
export function listedWord(words: readonly string[], what: string): InputKind<string, SettingContext> {
  const wordLike = (value: unknown) => words.find((one) => one.toLowerCase() === String(value).toLowerCase());
  return entry(what, wordLike, (value) => `there is no ${what} ${value}; there are ${words.join(', ')}`);
}

export const listedCurrency = entry('an ISO 4217 code such as USD', (value) => {
  const code = String(value).toUpperCase();
  return isCurrency(code) ? code : undefined;
});

/** An amount with its currency: `500.00 EUR`. */
export const listedAmount = entry('an amount with its currency such as 500.00 EUR', (value) => {
  const money = readMoney(String(value));
  return money && `${writeAmount(money, 'major')} ${money.currency}`;
});

/** Reads `500.00 EUR`, and also nothing at all, `0.00 EUR`. */
export function readMoney(text: string): Money | undefined {
  const [, amount = '', code = ''] = /^(\d[\d.]*) +([a-z]{3})$/i.exec(text) ?? [];
  const currency = code.toUpperCase();
  if (!isCurrency(currency)) return undefined;
  const minor = /^0(\.0+)?$/.test(amount) ? 0n : readAmount(amount, currency, 'major');
  return minor === undefined ? undefined : { minor, currency };
}

/** Scheme, host and port, without characters that could end the Content-Security-Policy it is put into. */
export const origin = entry('an origin such as https://shop.example', (value) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host) ? url.origin : undefined;
});

/** An address and everything below it: scheme, host, port and path, and nothing else. */
export const formAddress = entry('an address such as https://shop.example or https://shop.example/pay', (value) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  if (/[?#]/.test(value as string)) return undefined;
  return url.pathname === '/' ? url.origin : url.origin + url.pathname;
});

/** Written as the system writes the address of a connection, so that equal addresses are equal text. */
export const networkAddress = entry('a network address such as 192.0.2.7 or 2001:db8::7', (value) => {
  const family = typeof value === 'string' ? isIP(value) : 0;
  if (family === 0) return undefined;
  const { address } = new SocketAddress({ address: value as string, family: family === 4 ? 'ipv4' : 'ipv6' });
  return address.replace(/^::ffff:(?=\d+\.)/, '');
});

const FINGERPRINT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** SHA-256, or SHA-1 where a proxy tells only that. */
export const certificateFingerprint = entry(
  'the fingerprint of a certificate as "openssl x509 -noout -fingerprint -sha256" prints it',
  (value) => {
    const digits = String(value).replace(/^.*=/, '').replaceAll(':', '').trim().toLowerCase();
    return FINGERPRINT.test(digits) ? digits : undefined;
  },
);

export const optionalField = entry('an optional field such as first_name, phone or zip_code', (value, { vocabulary }) =>
  vocabulary.fields.find((one) => one === value),
);

export const operationName = entry(
  'the name of an operation',
  (value, { vocabulary }) => {
    const wanted = String(value).toUpperCase();
    return vocabulary.operations.find((one) => one.toUpperCase() === wanted);
  },
  (value, { vocabulary }) => `there is no operation ${value}; there are ${vocabulary.operations.join(', ')}`,
);
