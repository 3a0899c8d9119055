// The messages of 3-D Secure 1.0.2 (XML): VEReq and VERes ask a directory server whether a card is enrolled, PAReq and
// PARes travel through the browser. Values are checked the same way as those of EMV 3DS.

import { faultsIn } from './faults.ts';
import * as field from './fields.ts';
import {
  always,
  code,
  digits,
  matching,
  neededWhen,
  plainText,
  sometimes,
  type ValuesOf,
  webAddress,
} from './format.ts';

const xid = field.authenticationValue;
/** In GMT. */
const purchaseDate = matching(/^[0-9]{8} [0-9]{2}:[0-9]{2}:[0-9]{2}$/, 17, 17, 'written YYYYMMDD HH:MM:SS');
const acqBIN = field.acquirerBIN;
const merID = plainText(24);

const VEREQ = {
  messageId: always(plainText(64)),
  pan: always(digits(13, 19)),
  acqBIN: always(acqBIN),
  merID: always(merID),
  password: sometimes(plainText(8)),
  accept: sometimes(plainText(2048)),
  userAgent: sometimes(plainText(2048)),
};

const VERES = {
  messageId: always(plainText(64)),
  enrolled: always(code('Y', 'N', 'U')),
  acctID: neededWhen('enrolled Y', ({ message }) => message.enrolled === 'Y', plainText(28)),
  url: neededWhen('enrolled Y', ({ message }) => message.enrolled === 'Y', webAddress(2048)),
  protocol: neededWhen('enrolled Y', ({ message }) => message.enrolled === 'Y', code('ThreeDSecure')),
  /** Why the directory server could not accept the request. */
  iReqCode: sometimes(plainText(2)),
};

/** The values of a PAReq that its PARes repeats. */
const PURCHASE = {
  messageId: always(plainText(64)),
  acqBIN: always(acqBIN),
  merID: always(merID),
  xid: always(xid),
  date: always(purchaseDate),
  purchAmount: always(digits(1, 12)),
  currency: always(digits(3)),
  exponent: always(digits(1)),
};

const PAREQ = {
  ...PURCHASE,
  name: always(plainText(25)),
  country: always(digits(3)),
  url: always(webAddress(2048)),
  /** As the payer shall see it. */
  amount: always(plainText(20)),
  desc: sometimes(plainText(125)),
  acctID: always(plainText(28)),
  expiry: always(field.cardExpiryDate),
};

const hasValue = ({ message }: { message: Readonly<Record<string, unknown>> }) =>
  message.status === 'Y' || message.status === 'A';

const PARES = {
  ...PURCHASE,
  /** Zeros and the last four digits. */
  pan: always(matching(/^0{9,15}[0-9]{4}$/, 13, 19, 'zeros and the last four digits')),
  time: always(purchaseDate),
  status: always(code('Y', 'N', 'U', 'A')),
  cavv: neededWhen('status Y or A', hasValue, xid),
  eci: neededWhen('status Y or A', hasValue, digits(2)),
  cavvAlgorithm: neededWhen('status Y or A', hasValue, code('0', '1', '2', '3')),
};

export const V1_FIELDS = { VEReq: VEREQ, VERes: VERES, PAReq: PAREQ, PARes: PARES };

export type V1Type = keyof typeof V1_FIELDS;
export type V1Values<Type extends V1Type> = ValuesOf<(typeof V1_FIELDS)[Type]>;
export type VEReq = V1Values<'VEReq'>;
export type VERes = V1Values<'VERes'>;
export type PAReq = V1Values<'PAReq'>;
export type PARes = V1Values<'PARes'>;

/** Thrown for a document of 1.0.2 that cannot be accepted or sent; it names fields, never values. */
export class InvalidDocument extends Error {}

/** The values, when all of them are valid. */
export function checked<Type extends V1Type>(type: Type, values: Readonly<Record<string, unknown>>): V1Values<Type> {
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const faults = faultsIn(present, V1_FIELDS[type], { version: '2.2.0', category: '01' });
  if (faults.length === 0) return present as V1Values<Type>;
  throw new InvalidDocument(`${type}: ${faults.map(({ field, hint }) => `${field} ${hint}`).join(', ')}`);
}
