// The messages of 3-D Secure 1.0.2 (XML): VEReq and VERes ask a directory server whether a card is enrolled, PAReq and
// PARes travel through the browser. Values are checked the same way as those of EMV 3DS.

import { faultsIn } from './faults.ts';
import {
  always,
  code,
  digits,
  type FieldTable,
  matching,
  neededWhen,
  plainText,
  sometimes,
  type ValuesOf,
  webAddress,
} from './format.ts';

const xid = matching(
  /^[A-Za-z0-9+/]{27}=$/,
  28,
  28,
  '20 bytes in base64',
  (value) => Buffer.from(value, 'base64').toString('base64') === value,
);
/** In GMT. */
const purchaseDate = matching(/^[0-9]{8} [0-9]{2}:[0-9]{2}:[0-9]{2}$/, 17, 17, 'written YYYYMMDD HH:MM:SS');
const acqBIN = matching(/^[0-9]+$/, 1, 11, 'at most 11 digits');
const merID = plainText(24);

export const VEREQ = {
  messageId: always(plainText(64)),
  pan: always(digits(13, 19)),
  acqBIN: always(acqBIN),
  merID: always(merID),
  password: sometimes(plainText(8)),
  accept: sometimes(plainText(2048)),
  userAgent: sometimes(plainText(2048)),
};

export const VERES = {
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

export const PAREQ = {
  ...PURCHASE,
  name: always(plainText(25)),
  country: always(digits(3)),
  url: always(webAddress(2048)),
  /** As the payer shall see it. */
  amount: always(plainText(20)),
  desc: sometimes(plainText(125)),
  acctID: always(plainText(28)),
  expiry: always(matching(/^[0-9]{2}(?:0[1-9]|1[0-2])$/, 4, 4, 'written YYMM')),
};

const hasValue = ({ message }: { message: Readonly<Record<string, unknown>> }) =>
  message.status === 'Y' || message.status === 'A';

export const PARES = {
  ...PURCHASE,
  /** Zeros and the last four digits. */
  pan: always(matching(/^0{9,15}[0-9]{4}$/, 13, 19, 'zeros and the last four digits')),
  time: always(purchaseDate),
  status: always(code('Y', 'N', 'U', 'A')),
  cavv: neededWhen('status Y or A', hasValue, xid),
  eci: neededWhen('status Y or A', hasValue, digits(2)),
  cavvAlgorithm: neededWhen('status Y or A', hasValue, code('0', '1', '2', '3')),
};

export type VEReq = ValuesOf<typeof VEREQ>;
export type VERes = ValuesOf<typeof VERES>;
export type PAReq = ValuesOf<typeof PAREQ>;
export type PARes = ValuesOf<typeof PARES>;

/** Thrown for a document of 1.0.2 that cannot be accepted or sent; it names fields, never values. */
export class InvalidDocument extends Error {}

/** The values, when all of them are valid. */
export function checked<Table extends FieldTable>(
  name: string,
  table: Table,
  values: Readonly<Record<string, unknown>>,
): ValuesOf<Table> {
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const faults = faultsIn(present, table, { version: '2.2.0', category: '01' });
  if (faults.length === 0) return present as ValuesOf<Table>;
  throw new InvalidDocument(`${name}: ${faults.map(({ field, hint }) => `${field} ${hint}`).join(', ')}`);
}
