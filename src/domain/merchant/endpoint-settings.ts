// The settings of endpoints. A new one is a line here and a column of its name in table `endpoints`; everything else
// about a setting is made from this list.

import { readRules, UnreadableRules, writeRules } from '../acquirer/routing-rules.ts';
import { flag, type InputKind, line, Misread, wholeNumber, word } from '../input-kinds.ts';
import { shown } from '../text.ts';
import { type SettingsOf, setting } from './setting.ts';
import {
  clearable,
  countryCode,
  formAddress,
  limit,
  optionalField,
  origin,
  pattern,
  several,
  state,
} from './setting-kinds.ts';

/** What card statements have room for. */
const descriptor = pattern(
  /^[\x20-\x7e]{1,25}$/,
  '1 to 25 plain characters',
  '; card statements have no room for more',
);

// How the acquirer registered an endpoint with the card networks. Every 3-D Secure message carries it, so it is as long
// as the messages of every version have room for.
export const acquirerBin = pattern(/^\d{1,11}$/, 'at most 11 digits');
const acquirerMerchantId = pattern(/^[!-~]{1,24}$/, 'at most 24 characters without spaces');
/** ISO 18245. */
const category = pattern(/^\d{4}$/, '4 digits such as 5999');

const MAX_ROUTE = 4_000;

/** The rules by which terminals are chosen, kept as they are written when nothing is left out. */
const routingRules: InputKind<string> = {
  schema: { type: 'string', maxLength: MAX_ROUTE },
  what: 'rules such as "brand=VISA -> bank-a,bank-b; bank-c"',
  spelling: 'text',
  read: (value) => {
    if (typeof value !== 'string' || value.length > MAX_ROUTE) {
      return new Misread(`rules of at most ${MAX_ROUTE} characters are needed`);
    }
    try {
      return writeRules(readRules(value));
    } catch (error) {
      if (error instanceof UnreadableRules) return new Misread(error.message);
      throw error;
    }
  },
};

export const endpointSettings = [
  setting('name', line(100), { first: "the merchant's name and the currency", says: 'name for people' }),
  setting('enabled', state, { default: true, title: 'State', says: 'take new orders', off: 'take no new orders' }),
  setting('minimum', clearable(limit), {
    default: undefined,
    says: 'smallest amount, in major units of its currency (10.00)',
  }),
  setting('maximum', clearable(limit), {
    default: undefined,
    says: 'largest amount, in major units of its currency (250.00)',
  }),
  setting('creditLimit', limit, {
    default: 0n,
    says: 'how far payouts may take the balance below zero (500.00)',
  }),
  setting('requiredFields', several(optionalField), {
    default: [],
    option: 'require',
    takes: 'fields',
    says: 'optional fields it demands, such as first_name,phone',
  }),
  setting('descriptor', descriptor, {
    first: "the merchant's login in capitals",
    says: 'what card statements show',
  }),
  setting('route', clearable(routingRules), {
    default: undefined,
    takes: 'rules',
    unset: 'demo-bank, while no other terminal is set up or in a sandbox',
    says: 'the terminals of its orders, such as "brand=VISA -> bank-a,bank-b; bank-c"',
  }),
  setting('threeDSecure', word(['none', 'optional', 'required']), {
    default: 'none',
    option: '3ds',
    takes: 'gate',
    title: '3-D Secure',
    says: '3-D Secure',
  }),
  setting('unauthenticated', word(['by-gate', 'pass', 'refuse']), {
    default: 'by-gate',
    option: '3ds-unavailable',
    takes: 'what',
    title: '3-D Secure unavailable',
    says: 'payers whose issuer cannot say who they are; by-gate refuses them where 3-D Secure is required',
  }),
  // Simulated card networks take anything; real ones must be told what was agreed with them.
  setting('acquirerBin', acquirerBin, {
    default: '400000',
    takes: 'digits',
    title: 'Acquirer',
    says: "the acquirer's number, as 3-D Secure messages name it",
  }),
  setting('acquirerMerchantId', acquirerMerchantId, {
    default: String,
    first: 'its own id',
    behind: 'its merchant',
    says: "the acquirer's name for this endpoint there; its own id at first",
  }),
  setting('category', category, {
    default: '5999',
    takes: 'digits',
    says: "the merchant's category (ISO 18245) there, such as 5999",
  }),
  setting('country', countryCode, { default: 'US', takes: 'code', says: "the merchant's country there, such as US" }),
  setting('legacyReplies', flag, { default: false, says: 'answer as older services of this family do' }),
  setting('signedInHundredths', flag, {
    default: false,
    says: 'read yen and the like as signed in hundredths',
  }),
  setting('strictSigning', flag, { default: false, says: 'demand header X-Signature too' }),
  setting('demandAmounts', flag, {
    default: false,
    says: 'take no CAPTURE or RETURN without amount and currency',
  }),
  setting('signedForms', clearable(flag), {
    default: undefined,
    first: 'off in a sandbox, else on',
    unset: 'off in a sandbox, else on',
    says: 'take no unsigned payment-form or payout-form',
  }),
  setting('formAddresses', several(formAddress), {
    default: [],
    takes: 'addresses',
    says: 'where unsigned forms may redirect and call back, such as https://shop.example/pay',
  }),
  setting('formTries', clearable(wholeNumber(1, 5)), {
    default: undefined,
    first: '1 with legacy replies, else 3',
    unset: '1 with legacy replies, else 3',
    says: 'how many cards a form takes, 1 to 5',
  }),
  setting('cardTesting', clearable(flag), {
    default: undefined,
    first: 'off in a sandbox, else on',
    unset: 'off in a sandbox, else on',
    says: 'filter payers who try one card after another',
  }),
  setting('cardsPerNetwork', wholeNumber(2, 1_000), {
    default: 10,
    says: 'how many different cards may be declined from one address range, /24 or /64, in an hour',
  }),
  setting('cardsPerEmail', wholeNumber(2, 1_000), {
    default: 5,
    says: 'how many different cards may be declined under one e-mail address in a day',
  }),
  setting('frameAncestors', several(origin), {
    default: [],
    takes: 'origins',
    says: 'origins that may show its hosted pages in a frame',
  }),
  // A sandbox endpoint also takes security codes that choose how 3-D Secure goes.
  setting('sandbox', flag, {
    first: 'on in a sandbox',
    says: 'explain wrong signatures, and call back loopback addresses',
  }),
] as const;

export type EndpointSettings = SettingsOf<typeof endpointSettings>;

/** Why the settings do not go together. */
export function limitsComplaint({ minimum, maximum }: EndpointSettings): string | undefined {
  const isEmpty = minimum !== undefined && maximum !== undefined && minimum > maximum;
  return isEmpty ? 'minimum: it must not be above the maximum' : undefined;
}

/** Why this gateway cannot have a sandbox endpoint. */
export function sandboxComplaint(changes: Partial<EndpointSettings>, mode: 'sandbox' | 'production') {
  const isRefused = changes.sandbox && mode === 'production';
  return isRefused ? 'sandbox: a gateway in production has no sandbox endpoints' : undefined;
}

/** Which terminal of new rules there is not. */
export function routeComplaint({ route }: Partial<EndpointSettings>, known: readonly string[]): string | undefined {
  const named = route === undefined ? [] : readRules(route).flatMap(({ terminals }) => terminals);
  const missing = named.find((name) => !known.includes(name));
  return missing === undefined
    ? undefined
    : `route: there is no terminal ${shown(missing)}; there are ${known.join(', ')}`;
}
