// The kinds a setting can be of: how each is read from what an administrator gave, and how it is told.

import { isIP, SocketAddress } from 'node:net';
import { isCountry } from '../country.ts';
import { readAmount, writeAmount } from '../money/money.ts';
import { shown } from '../text.ts';
import { InvalidSettings, type SettingContext, type SettingKind } from './setting.ts';

const NONE = 'none';
const MAX_LIST = 100;

const same = <T>(value: T): T => value;

export const flag: SettingKind<boolean> = {
  sort: 'flag',
  takes: 'on|off',
  read: (given, name) => (typeof given === 'boolean' ? given : new InvalidSettings(`${name}: true or false is needed`)),
  told: same,
};

/** A flag that says whether something is in use at all. */
export const state: SettingKind<boolean> = { ...flag, sort: 'state' };

export function word<const Word extends string>(...words: readonly Word[]): SettingKind<Word> {
  return {
    sort: 'word',
    takes: 'word',
    words,
    read: (given, name) =>
      words.find((one) => one === given) ??
      new InvalidSettings(`${name}: one of ${words.join(', ')} is needed, not ${shown(given)}`),
    told: same,
  };
}

/** Text without control characters. */
export function line(maxLength: number): SettingKind<string> {
  return textKind((text, name) => {
    const trimmed = text.trim();
    const isFit = trimmed !== '' && trimmed.length <= maxLength && !/\p{Cc}/u.test(trimmed);
    return isFit ? trimmed : new InvalidSettings(`${name}: 1 to ${maxLength} characters on one line are needed`);
  });
}

/** `what` names what fits, in the plural. */
export function pattern(form: RegExp, what: string): SettingKind<string> {
  return textKind((text, name, given) =>
    form.test(text) ? text : new InvalidSettings(`${name}: ${what} are needed, not ${shown(given)}`),
  );
}

export const countryCode: SettingKind<string> = textKind((text, name, given) => {
  const code = text.toUpperCase();
  if (isCountry(code)) return code;
  return new InvalidSettings(`${name}: a code of two letters such as US is needed, not ${shown(given)}`);
});

/** What is no text is read as an empty one. */
export function textKind(
  read: (text: string, name: string, given: unknown) => string | InvalidSettings,
): SettingKind<string> {
  return {
    sort: 'text',
    takes: 'text',
    read: (given, name) => read(typeof given === 'string' ? given : '', name, given),
    told: same,
  };
}

/** An amount in the endpoint's currency: kept in minor units, given and told in major ones. */
export const limit: SettingKind<bigint, string> = {
  sort: 'amount',
  takes: 'amount',
  none: { word: NONE, value: 0n },
  read: (given, name, context) => {
    const currency = currencyOf(context);
    const minor = typeof given === 'string' ? readAmount(given, currency, 'major') : undefined;
    if (minor !== undefined) return minor;
    const example = writeAmount({ minor: 1000n, currency }, 'major');
    return new InvalidSettings(
      `${name}: an amount in ${currency} such as ${example}, or none, is needed, not ${shown(given)}`,
    );
  },
  told: (minor, context) => writeAmount({ minor, currency: currencyOf(context) }, 'major'),
};

function currencyOf({ currency }: Pick<SettingContext, 'currency'>): string {
  if (currency === undefined) throw new Error('only what has a currency can have a limit');
  return currency;
}

/** A setting that may be left unset. */
export function clearable<T, Told>(kind: SettingKind<T, Told>): SettingKind<T | undefined, Told | null> {
  return {
    ...kind,
    none: { word: NONE, value: undefined },
    told: (value, context) => (value === undefined ? null : kind.told(value, context)),
  };
}

type Entry = (given: unknown, context: SettingContext) => string | InvalidSettings;

/** A list without repetitions; `none` is the word for an empty one. */
export function several(entry: Entry, none = NONE): SettingKind<readonly string[]> {
  return {
    sort: 'list',
    takes: 'list',
    none: { word: none, value: [] },
    read: (given, name, context) => {
      if (!Array.isArray(given) || given.length > MAX_LIST) {
        return new InvalidSettings(`${name}: a list of at most ${MAX_LIST} is needed`);
      }
      // The command line gives every list as one.
      if (given.length === 1 && given[0] === none) return [];
      const entries = given.map((one) => entry(one, context));
      return entries.find((one) => one instanceof InvalidSettings) ?? [...new Set(entries as string[])];
    },
    told: same,
  };
}

/** Scheme, host and port, and nothing that could end the policy it is put into. */
export const origin: Entry = (given) => {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (url && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host)) return url.origin;
  return new InvalidSettings(`${shown(given)} is not an origin such as https://shop.example`);
};

/** As the system writes the address of a connection, so that equal ones are equal text. */
export const networkAddress: Entry = (given) => {
  const family = typeof given === 'string' ? isIP(given) : 0;
  if (family === 0) {
    return new InvalidSettings(`${shown(given)} is not a network address such as 192.0.2.7 or 2001:db8::7`);
  }
  const { address } = new SocketAddress({ address: given as string, family: family === 4 ? 'ipv4' : 'ipv6' });
  return address.replace(/^::ffff:(?=\d+\.)/, '');
};

export const optionalField: Entry = (given, { vocabulary: { fields } }) =>
  fields.find((one) => one === given) ??
  new InvalidSettings(`${shown(given)} is not an optional field such as first_name, phone or zip_code`);

export const operationName: Entry = (given, { vocabulary: { operations } }) => {
  const wanted = String(given).toUpperCase();
  return (
    operations.find((one) => one.toUpperCase() === wanted) ??
    new InvalidSettings(`there is no operation ${shown(given)}; there are ${operations.join(', ')}`)
  );
};
