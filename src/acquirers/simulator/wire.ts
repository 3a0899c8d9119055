// The other messages between connector and bank as JSON text, checked field by field on arrival.

import type { Answer, CardEligibility, Eligibility, InquiryAnswer, ReversalAnswer } from '../acquirer.ts';
import type { BookEntry } from './book-entry.ts';
import { readScript, SCRIPT_WORDS, type ScriptStep } from './fault-script.ts';
import { BANK_MESSAGES, type BankMessage, type Delay, eachRate, type Faults, NO_BANK_FAULTS } from './faults.ts';
import type { ClearingSummary } from './settlement.ts';
import {
  booleanOf,
  type Fields,
  numberOf,
  optionalObjects,
  optionalTexts,
  readObject,
  textOf,
  UnreadableWire,
} from './wire-fields.ts';
import { REFERENCE } from './wire-instruction.ts';

export type AnyAnswer = Exclude<Answer | InquiryAnswer | ReversalAnswer, { word: 'challenge' | 'unsent' }>;

const ACTION_CODE = /^\d{3}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MAX_DELAY_MS = 600_000;

export function writeReference(reference: string): string {
  return JSON.stringify({ reference });
}

export function readReference(text: string): string {
  return textOf(readObject(text), 'reference', REFERENCE);
}

/** The answer, when it is one of the words that are allowed here. */
export function readBankAnswer<Word extends AnyAnswer['word']>(
  text: string,
  words: readonly Word[],
): Extract<AnyAnswer, { word: Word }> {
  const fields = readObject(text);
  const word = words.find((known) => known === fields.word);
  if (word === undefined) throw new UnreadableWire('word: not one that answers this');
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
        ...optionalTexts(fields, ['terminalId']),
        ...optionalObjects(fields, ['eligibility'], readEligibility),
      };
    case 'declined':
      return {
        word,
        code: textOf(fields, 'code', ACTION_CODE),
        ...optionalTexts(fields, ['rrn', 'processorTxId']),
        ...(fields.returned === true && { returned: true }),
      };
    case 'unknown':
      return { word, reason: textOf(fields, 'reason') };
    default:
      return { word };
  }
}

function readEligibility(fields: Fields): Eligibility {
  return optionalObjects(fields, ['sending', 'receiving'], readCardEligibility);
}

function readCardEligibility(fields: Fields): CardEligibility {
  return {
    eligible: booleanOf(fields, 'eligible'),
    network: textOf(fields, 'network'),
    product: textOf(fields, 'product'),
    country: textOf(fields, 'country'),
    issuer: textOf(fields, 'issuer'),
  };
}

export function writeEntry({ amount, ...entry }: BookEntry): string {
  return JSON.stringify({ ...entry, minor: amount.minor.toString(), currency: amount.currency });
}

/** Books come only from our own bank, so their entries are not checked. */
export function readBookEntry(text: string): BookEntry {
  const { minor, currency, ...entry } = JSON.parse(text) as Omit<BookEntry, 'amount'> & Record<string, string>;
  return { ...entry, amount: { minor: BigInt(String(minor)), currency: String(currency) } };
}

export function readDate(query: URLSearchParams): string {
  return textOf({ date: query.get('date') }, 'date', DATE);
}

export function readSummary(text: string): ClearingSummary {
  const fields = readObject(text);
  const count = (name: string) => numberOf(fields, name, 0, Number.MAX_SAFE_INTEGER);
  return { date: textOf(fields, 'date', DATE), at: count('at'), lines: count('lines') };
}

export function readFaults(text: string): Faults {
  const given = readObject(text);
  for (const name of Object.keys(given))
    if (!(name in NO_BANK_FAULTS)) throw new UnreadableWire(`${name}: no such fault`);
  const fields = { ...NO_BANK_FAULTS, ...given };
  return {
    seed: numberOf(fields, 'seed', 0, Number.MAX_SAFE_INTEGER),
    messages: messagesOf(fields),
    requestDelayMs: delayOf(fields, 'requestDelayMs'),
    answerDelayMs: delayOf(fields, 'answerDelayMs'),
    ...eachRate((name) => numberOf(fields, name, 0, 1)),
    skip: numberOf(fields, 'skip', 0, Number.MAX_SAFE_INTEGER),
    limit: numberOf(fields, 'limit', 0, Number.MAX_SAFE_INTEGER),
    script: scriptOf(fields),
  };
}

function scriptOf({ script }: Fields): readonly ScriptStep[] {
  const isText = (value: unknown) => typeof value === 'string';
  const steps = Array.isArray(script) && script.every(isText) ? readScript(script as string[]) : undefined;
  if (steps) return steps;
  throw new UnreadableWire(`script: expected a list of ${SCRIPT_WORDS}`);
}

function messagesOf({ messages }: Fields): readonly BankMessage[] {
  const isMessage = (value: unknown) => BANK_MESSAGES.some((message) => message === value);
  if (Array.isArray(messages) && messages.every(isMessage)) return messages;
  throw new UnreadableWire(`messages: expected a list of ${BANK_MESSAGES.join(', ')}`);
}

function delayOf(fields: Fields, name: string): Delay {
  const value = fields[name];
  if (typeof value !== 'object' || value === null) return numberOf(fields, name, 0, MAX_DELAY_MS);
  const range = value as Fields;
  const from = numberOf(range, 'from', 0, MAX_DELAY_MS);
  return { from, to: numberOf(range, 'to', from, MAX_DELAY_MS) };
}
