// Instructions as JSON text: the only messages to the bank that hold card numbers.

import { isCurrency } from '../../domain/money/currency.ts';
import type { Money } from '../../domain/money/money.ts';
import { Secret } from '../../domain/secret.ts';
import type { Authentication } from '../../domain/three-d-secure/authentication.ts';
import type { BankAccount, CardDetails, ChargeInstruction, Instruction, Target, TargetCard } from '../acquirer.ts';
import {
  type Fields,
  numberOf,
  objectOf,
  optionalObjects,
  optionalTexts,
  readObject,
  textOf,
  UnreadableWire,
  wireWord,
} from './wire-fields.ts';

export const REFERENCE = /^[\x21-\x7e]{1,128}$/;

const CARD_NUMBER = /^\d{12,19}$/;
const CVV = /^\d{3,4}$/;
const VERSION = /^\d\.\d\.\d$/;
const CAVV = /^[A-Za-z0-9+/]{27}=$/;
const MINOR = /^\d{1,18}$/;
/** Any typed text is readable: a number that nobody can be paid at must be declined. */
const TARGET_NUMBER = /^[\x20-\x7e]{1,64}$/;

const KINDS = [
  'sale',
  'preauth',
  'pull',
  'verification',
  'capture',
  'cancel',
  'void',
  'refund',
  'push',
  'eligibility',
] as const satisfies readonly Instruction['kind'][];

/** The type makes this list complete: a new field of an account does not compile until it is here. */
const BANK_DETAILS = Object.keys({
  name: true,
  bankName: true,
  bankBranch: true,
  bankCode: true,
  bankProvince: true,
  bankArea: true,
  bankCity: true,
  bankAddress: true,
  bankZipCode: true,
  routingNumber: true,
} satisfies Record<Exclude<keyof BankAccount, 'number'>, true>) as Exclude<keyof BankAccount, 'number'>[];

export function writeInstruction(instruction: Instruction): string {
  const { amount, ...rest } = { amount: undefined, ...instruction };
  return JSON.stringify({ ...rest, ...amount }, revealed);
}

/** Whole numbers may be beyond those of JSON, and what is secret would be written as such. */
function revealed(this: object, name: string, value: unknown): unknown {
  const secret = Reflect.get(this, name);
  if (secret instanceof Secret) return secret.reveal();
  return typeof value === 'bigint' ? value.toString() : value;
}

export function readInstruction(text: string): Instruction {
  const fields = readObject(text);
  const kind = wireWord(fields, 'kind', KINDS);
  const reference = textOf(fields, 'reference', REFERENCE);
  switch (kind) {
    case 'eligibility':
      return { kind, reference, ...optionalObjects(fields, ['sending', 'receiving'], readTargetCard) };
    case 'push':
      return { kind, reference, amount: readMoney(fields), to: readTarget(objectOf(fields, 'to')) };
    case 'capture':
    case 'cancel':
    case 'void':
    case 'refund':
      return { kind, reference, original: textOf(fields, 'original', REFERENCE), amount: readMoney(fields) };
    default:
      return { kind, reference, amount: readMoney(fields), ...readCharge(fields) };
  }
}

function readCharge(fields: Fields): Pick<ChargeInstruction, 'card' | 'descriptor' | 'initiator' | 'authentication'> {
  return {
    card: readCard(objectOf(fields, 'card')),
    descriptor: textOf(fields, 'descriptor'),
    initiator: wireWord(fields, 'initiator', ['payer', 'merchant']),
    ...optionalObjects(fields, ['authentication'], readAuthentication),
  };
}

function readAuthentication(fields: Fields): Authentication {
  return {
    version: textOf(fields, 'version', VERSION),
    status: wireWord(fields, 'status', ['Y', 'A', 'N', 'R', 'U', 'I']),
    ...(fields.cavv === undefined ? {} : { cavv: new Secret(textOf(fields, 'cavv', CAVV)) }),
    ...optionalTexts(fields, ['eci', 'dsTransactionId', 'xid']),
  };
}

function readMoney(fields: Fields): Money {
  const currency = textOf(fields, 'currency');
  if (!isCurrency(currency)) throw new UnreadableWire('currency: expected an ISO 4217 code');
  return { minor: BigInt(textOf(fields, 'minor', MINOR)), currency };
}

function readCard(fields: Fields): CardDetails {
  return {
    number: new Secret(textOf(fields, 'number', CARD_NUMBER)),
    expireMonth: numberOf(fields, 'expireMonth', 1, 12),
    expireYear: numberOf(fields, 'expireYear', 1000, 9999),
    ...(fields.cvv === undefined ? {} : { cvv: new Secret(textOf(fields, 'cvv', CVV)) }),
    ...optionalTexts(fields, ['holder']),
  };
}

function readTarget(fields: Fields): Target {
  if (fields.card !== undefined) return { card: readTargetCard(objectOf(fields, 'card')) };
  const account = objectOf(fields, 'account');
  return { account: { number: readTargetNumber(account), ...optionalTexts(account, BANK_DETAILS) } };
}

function readTargetCard(fields: Fields): TargetCard {
  return { number: readTargetNumber(fields), ...optionalTexts(fields, ['holder']) };
}

function readTargetNumber(fields: Fields): Secret<string> {
  return new Secret(textOf(fields, 'number', TARGET_NUMBER));
}
