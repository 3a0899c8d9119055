// The simulated bank of a running gateway, as an operator reaches it: how it misbehaves, the end of its day, what was
// cleared for a day, and its books.

import { anyObject, readBy, wholeNumber } from '../domain/input-kinds.ts';
import type { BankOffice, Parts } from './parts.ts';
import { aList, aNumber, anObject, anything, aText, orNull, told } from './verb/answers.ts';
import { mayGive, mustGive } from './verb/inputs.ts';
import { InvalidInput, OutOfReach } from './verb/invalid-input.ts';
import { defineReading, defineVerb } from './verb/verb.ts';

const PART_LINES = 10_000;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day of a bank, which ends with its cut-off. */
export const businessDay = readBy(
  'a day such as 2027-01-31',
  (text) => (DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined),
  { format: 'date' },
);

/** A part of a file too long for one answer. */
const linesPart = anObject({
  lines: aList(aText()),
  next: orNull(aNumber('The line the next part begins with; null at the end.')),
});

const from = mayGive(wholeNumber(0, Number.MAX_SAFE_INTEGER, 'the number of a line'), 'the line the part begins with');

export const showBankFaults = defineReading({
  name: 'showBankFaults',
  summary: 'show how the bank misbehaves',
  given: {},
  answer: anything(),
  run: async (_, parts) => JSON.parse(await bankOf(parts).faults()),
});

export const setBankFaults = defineVerb({
  name: 'setBankFaults',
  summary: 'let exactly the given faults of the bank come into force',
  role: 'operator',
  conduct: 'outside',
  given: { faults: mayGive(anyObject, 'the faults; none when left out') },
  answer: anything(),
  run: async ({ faults = {} }, { mode, ...parts }) => {
    if (mode === 'production') throw new InvalidInput('a bank misbehaves on purpose only in a sandbox');
    try {
      return JSON.parse(await bankOf(parts).faults(JSON.stringify(faults)));
    } catch (error) {
      const isTold = error instanceof InvalidInput || error instanceof OutOfReach;
      throw isTold ? error : new InvalidInput(`the bank refuses: ${(error as Error).message}`);
    }
  },
});

export const clearBankDay = defineVerb({
  name: 'clearBank',
  summary: "end the bank's day now: what moved money can no longer be voided",
  role: 'operator',
  conduct: 'outside',
  given: {},
  answer: anObject({
    date: told(aText('The business day.')),
    at: aNumber('Milliseconds since 1970.'),
    lines: told(aNumber()),
  }),
  run: (_, parts) => bankOf(parts).clear(),
});

export const readSettlementPart = defineReading({
  name: 'readSettlement',
  summary: 'read what was cleared for a business day, as CSV in minor units',
  given: {
    date: mustGive(businessDay, 'the business day'),
    from,
    limit: mayGive(wholeNumber(1, PART_LINES), `how many lines the part has at most; ${PART_LINES} when left out`),
  },
  answer: linesPart,
  run: async ({ date, from = 0, limit }, parts) => partOf(without(bankOf(parts).settlement(date), from), from, limit),
});

export const readBankJournal = defineReading({
  name: 'readBankJournal',
  summary: "read the bank's journal of all instructions, oldest first, each a line of JSON",
  given: { from },
  answer: linesPart,
  run: async ({ from = 0 }, parts) => partOf(bankOf(parts).journal(from), from),
});

/** A part of the lines that begin with the line `from`. */
async function partOf(rest: AsyncIterable<string>, from: number, limit = PART_LINES) {
  const lines: string[] = [];
  for await (const line of rest) {
    if (lines.length === limit) return { lines, next: from + limit };
    lines.push(line);
  }
  return { lines, next: null };
}

/** The items without the first ones. */
export async function* without<T>(all: AsyncIterable<T>, first: number): AsyncGenerator<T> {
  let index = 0;
  for await (const item of all) if (index++ >= first) yield item;
}

/** The bank, when a gateway runs that has one. */
export function bankOf({ bank }: Parts<'bank'>): BankOffice {
  if (bank) return bank;
  throw new InvalidInput('no gateway runs here, so there is no bank; start it, or name a bank of its own with --url');
}
