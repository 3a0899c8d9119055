// What connector and bank say to each other as text: JSON, checked field by field on arrival. Text that is not what it
// should be throws `Unreadable`, whose message never repeats the text, because it may hold card data.

import { isCurrency } from '../../domain/money.ts';
import { Secret } from '../../domain/secret.ts';
import type { Answer, InquiryAnswer, Instruction, ReversalAnswer } from '../acquirer.ts';
import type { BookEntry } from './book-entry.ts';
import { BANK_MESSAGES, type BankMessage, type Delay, type Faults, NO_FAULTS } from './faults.ts';

export class Unreadable extends Error {}

export type AnyAnswer = Answer | InquiryAnswer | ReversalAnswer;

const REFERENCE = /^[\x21-\x7e]{1,128}$/;
const CARD_NUMBER = /^\d{12,19}$/;
const CVV = /^\d{3,4}$/;
const MINOR = /^\d{1,18}$/;
const ACTION_CODE = /^\d{3}$/;
const ANY_TEXT = /^[\s\S]{0,1024}$/;
const MAX_DELAY_MS = 600_000;

type Fields = Readonly<Record<string, unknown>>;

export function writeInstruction({ kind, reference, amount, card, descriptor }: Instruction): string {
  return JSON.stringify({
    kind,
    reference,
    minor: amount.minor.toString(),
    currency: amount.currency,
    cardNumber: card.number.reveal(),
    expireMonth: card.expireMonth,
    expireYear: card.expireYear,
    cvv: card.cvv?.reveal(),
    holder: card.holder,
    descriptor,
  });
}

export function readInstruction(text: string): Instruction {
  const fields = readObject(text);
  if (fields.kind !== 'sale') throw new Unreadable('kind: expected "sale"');
  const currency = textOf(fields, 'currency');
  if (!isCurrency(currency)) throw new Unreadable('currency: expected an ISO 4217 code');
  return {
    kind: fields.kind,
    reference: textOf(fields, 'reference', REFERENCE),
    amount: { minor: BigInt(textOf(fields, 'minor', MINOR)), currency },
    card: {
      number: new Secret(textOf(fields, 'cardNumber', CARD_NUMBER)),
      expireMonth: numberOf(fields, 'expireMonth', 1, 12),
      expireYear: numberOf(fields, 'expireYear', 1000, 9999),
      ...(fields.cvv === undefined ? {} : { cvv: new Secret(textOf(fields, 'cvv', CVV)) }),
      ...(fields.holder === undefined ? {} : { holder: textOf(fields, 'holder') }),
    },
    descriptor: textOf(fields, 'descriptor'),
  };
}

export function writeReference(reference: string): string {
  return JSON.stringify({ reference });
}

export function readReference(text: string): string {
  return textOf(readObject(text), 'reference', REFERENCE);
}

/** The answer, when it is one of the words that may be said here. */
export function readAnswer<Word extends AnyAnswer['word']>(
  text: string,
  words: readonly Word[],
): Extract<AnyAnswer, { word: Word }> {
  const fields = readObject(text);
  const word = words.find((known) => known === fields.word);
  if (word === undefined) throw new Unreadable('word: not one that answers this');
  return answerOf(word, fields) as Extract<AnyAnswer, { word: Word }>;
}

function answerOf(word: AnyAnswer['word'], fields: Fields): AnyAnswer {
  switch (word) {
    case 'approved':
      return {
        word,
        approvalCode: textOf(fields, 'approvalCode'),
        rrn: textOf(fields, 'rrn'),
        processorTxId: textOf(fields, 'processorTxId'),
        ...optionalText(fields, 'terminalId'),
      };
    case 'declined':
      return {
        word,
        code: textOf(fields, 'code', ACTION_CODE),
        ...optionalText(fields, 'rrn'),
        ...optionalText(fields, 'processorTxId'),
      };
    case 'unknown':
      return { word, reason: textOf(fields, 'reason') };
    default:
      return { word };
  }
}

export function writeEntry({ amount, ...entry }: BookEntry): string {
  return JSON.stringify({ ...entry, minor: amount.minor.toString(), currency: amount.currency });
}

/** Books come only from our own bank, so their entries are believed. */
export function readEntry(text: string): BookEntry {
  const { minor, currency, ...entry } = JSON.parse(text) as Omit<BookEntry, 'amount'> & Record<string, string>;
  return { ...entry, amount: { minor: BigInt(String(minor)), currency: String(currency) } };
}

export function readFaults(text: string): Faults {
  const given = readObject(text);
  for (const name of Object.keys(given)) if (!(name in NO_FAULTS)) throw new Unreadable(`${name}: no such fault`);
  const fields = { ...NO_FAULTS, ...given };
  return {
    seed: numberOf(fields, 'seed', 0, Number.MAX_SAFE_INTEGER),
    messages: messagesOf(fields),
    requestDelayMs: delayOf(fields, 'requestDelayMs'),
    answerDelayMs: delayOf(fields, 'answerDelayMs'),
    refuseRate: numberOf(fields, 'refuseRate', 0, 1),
    loseRequestRate: numberOf(fields, 'loseRequestRate', 0, 1),
    loseAnswerRate: numberOf(fields, 'loseAnswerRate', 0, 1),
  };
}

function messagesOf({ messages }: Fields): readonly BankMessage[] {
  const isMessage = (value: unknown) => BANK_MESSAGES.some((message) => message === value);
  if (Array.isArray(messages) && messages.every(isMessage)) return messages;
  throw new Unreadable(`messages: expected a list of ${BANK_MESSAGES.join(', ')}`);
}

function delayOf(fields: Fields, name: string): Delay {
  const value = fields[name];
  if (typeof value !== 'object' || value === null) return numberOf(fields, name, 0, MAX_DELAY_MS);
  const range = value as Fields;
  const from = numberOf(range, 'from', 0, MAX_DELAY_MS);
  return { from, to: numberOf(range, 'to', from, MAX_DELAY_MS) };
}

function readObject(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Unreadable('not JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Unreadable('not a JSON object');
}

function textOf(fields: Fields, name: string, shape: RegExp = ANY_TEXT): string {
  const value = fields[name];
  if (typeof value === 'string' && shape.test(value)) return value;
  throw new Unreadable(`${name}: missing or malformed`);
}

function optionalText<Name extends string>(fields: Fields, name: Name): { readonly [name in Name]?: string } {
  return fields[name] === undefined ? {} : ({ [name]: textOf(fields, name) } as { [name in Name]: string });
}

function numberOf(fields: Fields, name: string, least: number, most: number): number {
  const value = fields[name];
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new Unreadable(`${name}: expected a number from ${least} to ${most}`);
}
