// The rules by which an endpoint chooses terminals, as operators write them: `brand=VISA currency=USD -> bank-a,bank-b;
// share=20 -> bank-b; bank-a`. The first rule that holds decides; a rule without conditions always holds.

import { createHash } from 'node:crypto';
import { CARD_BRANDS, type CardBrand } from '../card/card.ts';
import { countryAlphaThree, isCountry } from '../country.ts';
import { exponentOf, isCurrency } from '../money/currency.ts';
import { shown } from '../text.ts';
import { TERMINAL_NAME } from './terminal.ts';

/** What is known of an order before it is sent anywhere. */
export type RoutingFacts = {
  readonly orderId: number;
  /** Every kind of instruction it needs: a transfer from card to card needs two. */
  readonly kinds: readonly RoutedKind[];
  /** Of the card that pays, or else is paid; then of the other one, if there are two. */
  readonly brands: readonly string[];
  /** The first digits of that card, at most eight. */
  readonly bin: string | undefined;
  /** The country of its issuer, three letters, where the table of issuers knows it. */
  readonly binCountry: string | undefined;
  readonly currency: string;
  /** In minor units: the amount, then the alternatives to it; none when no money moves. */
  readonly amounts: readonly bigint[];
  readonly initiator: 'payer' | 'merchant';
  /** Two letters. */
  readonly payerCountry: string | undefined;
};

/** The kinds of instructions that begin an order. */
export const ROUTED_KINDS = ['sale', 'preauth', 'verification', 'push', 'pull', 'eligibility'] as const;

export type RoutedKind = (typeof ROUTED_KINDS)[number];

/** `values` are as they were written, in capitals where they are codes; one of them must hold. */
export type RoutingCondition = { readonly word: string; readonly values: readonly string[] };

export type RoutingRule = {
  readonly conditions: readonly RoutingCondition[];
  /** In the order in which they are tried. */
  readonly terminals: readonly string[];
};

/** Why rules cannot be read, in one line. */
export class UnreadableRules extends Error {}

type Word = {
  /** What a value is, for complaints. */
  readonly what: string;
  readonly single?: true;
  /** The value as it is kept; undefined when it is none. */
  read(text: string): string | undefined;
  holds(value: string, facts: RoutingFacts, place: number): boolean;
};

/** Cards of no known brand are routed too. */
const BRANDS: readonly CardBrand[] = [...CARD_BRANDS, 'UNKNOWN'];

const matching = (form: RegExp) => (text: string) => (form.test(text) ? text : undefined);
const inCapitals = (isSo: (code: string) => boolean) => (text: string) => {
  const code = text.toUpperCase();
  return isSo(code) ? code : undefined;
};

const AMOUNT = '\\d{1,12}(?:\\.\\d{1,3})?';
const RANGE = new RegExp(`^(${AMOUNT})?-(${AMOUNT})?$`);

const WORDS: ReadonlyMap<string, Word> = new Map<string, Word>([
  [
    'brand',
    {
      what: `one of ${BRANDS.join(', ')}`,
      read: inCapitals((code) => BRANDS.some((brand) => brand === code)),
      holds: (value, { brands }) => brands[0] === value,
    },
  ],
  [
    'bin',
    {
      what: '1 to 8 digits that a card number begins with',
      read: matching(/^\d{1,8}$/),
      // Of numbers shorter than 16 digits only six are known: a value of more digits never holds for them.
      holds: (value, { bin }) => bin?.startsWith(value) === true,
    },
  ],
  [
    'bin-country',
    {
      what: 'a country of two letters such as DE',
      read: inCapitals(isCountry),
      holds: (value, { binCountry }) => binCountry !== undefined && countryAlphaThree(value) === binCountry,
    },
  ],
  [
    'currency',
    {
      what: 'an ISO 4217 code such as USD',
      read: inCapitals(isCurrency),
      holds: (value, { currency }) => value === currency,
    },
  ],
  [
    'amount',
    {
      what: 'a range such as 10.00-250.00, 10.00- or -250.00',
      single: true,
      read: readRange,
      holds: (value, { amounts, currency }) => amounts[0] !== undefined && isInRange(value, amounts[0], currency),
    },
  ],
  [
    'initiator',
    {
      what: 'payer or merchant',
      read: matching(/^(payer|merchant)$/),
      holds: (value, { initiator }) => value === initiator,
    },
  ],
  [
    'payer-country',
    {
      what: 'a country of two letters such as US',
      read: inCapitals(isCountry),
      holds: (value, { payerCountry }) => value === payerCountry,
    },
  ],
  [
    'share',
    {
      what: 'a percentage from 1 to 99',
      single: true,
      read: matching(/^[1-9]\d?$/),
      holds: (value, { orderId }, place) => percentileOf(orderId, place) < Number(value),
    },
  ],
]);

const WORD_LIST = [...WORDS.keys()].join(', ');

const MAX_RULES = 50;
const MAX_VALUES = 100;
/** A rule may name more than an order is sent to: some of them may not fit. */
const MAX_NAMED = 10;

export function readRules(text: string): readonly RoutingRule[] {
  const parts = text.split(';').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  if (parts.length === 0) throw new UnreadableRules('rules are needed, such as "brand=VISA -> bank-a,bank-b; bank-c"');
  if (parts.length > MAX_RULES) throw new UnreadableRules(`at most ${MAX_RULES} rules are possible`);
  const rules = parts.map(readRule);
  const last = rules.slice(0, -1).findIndex(({ conditions }) => conditions.length === 0);
  if (last >= 0) throw new UnreadableRules(`rule ${last + 1} always holds, so those behind it never would`);
  return rules;
}

function readRule(text: string, index: number): RoutingRule {
  const at = `rule ${index + 1}`;
  const sides = text.split('->');
  if (sides.length > 2) throw new UnreadableRules(`${at} has more than one "->"; rules are separated by ";"`);
  const [conditions, names] = sides.length === 2 ? (sides as [string, string]) : ['', text];
  if (sides.length === 2 && conditions.trim() === '') {
    throw new UnreadableRules(`${at} has no condition before "->"; without one, only terminals are written`);
  }
  return { conditions: readConditions(conditions, at), terminals: readTerminals(names, at) };
}

function readConditions(text: string, at: string): RoutingCondition[] {
  const conditions = text.split(/\s+/).filter((one) => one !== '');
  const read = conditions.map((one) => readCondition(one, at));
  const doubled = read.find(({ word }, index) => read.findIndex((other) => other.word === word) !== index);
  if (doubled) {
    throw new UnreadableRules(`${at} has ${doubled.word} twice; several values are separated by commas`);
  }
  return read;
}

function readCondition(text: string, at: string): RoutingCondition {
  const [word = '', values] = splitOnce(text, '=');
  const known = WORDS.get(word);
  if (!known) throw new UnreadableRules(`${at}: there is no word ${shown(word)}; there are ${WORD_LIST}`);
  const given = values?.split(',') ?? [];
  if (given.length > MAX_VALUES) throw new UnreadableRules(`${at}: ${word} has more than ${MAX_VALUES} values`);
  if (known.single && given.length > 1) throw new UnreadableRules(`${at}: ${word} has one value: ${known.what}`);
  const read = (given.length === 0 ? [''] : given).map((value) => {
    const kept = known.read(value);
    if (kept === undefined) throw new UnreadableRules(`${at}: ${word} needs ${known.what}, not ${shown(value)}`);
    return kept;
  });
  return { word, values: [...new Set(read)] };
}

function readTerminals(text: string, at: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (name === '') throw new UnreadableRules(`${at} has an empty place where a terminal is needed`);
    if (name.includes('=')) {
      throw new UnreadableRules(`${at} has no "->" between its conditions and its terminals`);
    }
    if (!TERMINAL_NAME.test(name)) throw new UnreadableRules(`${at}: ${shown(name)} is not the name of a terminal`);
  }
  if (new Set(names).size < names.length) throw new UnreadableRules(`${at} names a terminal twice`);
  if (names.length > MAX_NAMED) throw new UnreadableRules(`${at} names more than ${MAX_NAMED} terminals`);
  return names;
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

export function writeRules(rules: readonly RoutingRule[]): string {
  return rules.map(writeRule).join('; ');
}

export function writeRule({ conditions, terminals }: RoutingRule): string {
  const names = terminals.join(',');
  return conditions.length === 0 ? names : `${writeConditions(conditions)} -> ${names}`;
}

export function writeConditions(conditions: readonly RoutingCondition[]): string {
  return conditions.map(({ word, values }) => `${word}=${values.join(',')}`).join(' ');
}

/** `place`: which rule it is. A share is one of the orders that come as far as the rule. */
export function ruleHolds({ conditions }: RoutingRule, facts: RoutingFacts, place: number): boolean {
  return conditions.every((condition) => conditionHolds(condition, facts, place));
}

export function conditionHolds({ word, values }: RoutingCondition, facts: RoutingFacts, place: number): boolean {
  const known = WORDS.get(word);
  return known !== undefined && values.some((value) => known.holds(value, facts, place));
}

/** The percentage of a rule that is for a share of orders only; which ones depends on their ids. */
export function percentageOf({ conditions }: RoutingRule): number | undefined {
  const share = conditions.find(({ word }) => word === 'share')?.values[0];
  return share === undefined ? undefined : Number(share);
}

/** From 0 to 99, always the same for an order at a rule, and independent of what it is at other rules. */
function percentileOf(orderId: number, place: number): number {
  return createHash('sha256').update(`${place}:${orderId}`).digest().readUInt32BE(0) % 100;
}

function readRange(text: string): string | undefined {
  const match = RANGE.exec(text);
  if (!match) return undefined;
  const [, least, most] = match;
  if (least === undefined && most === undefined) return undefined;
  return least !== undefined && most !== undefined && fineUnits(least) > fineUnits(most) ? undefined : text;
}

function isInRange(range: string, minor: bigint, currency: string): boolean {
  const [, least, most] = RANGE.exec(range) ?? [];
  return isWithin({ minor, currency }, { least, most });
}

/** Amounts of every currency are compared in millionths of its major unit: no currency has so many decimals. */
const FINE_DECIMALS = 6;

function fineUnits(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(FINE_DECIMALS, '0'));
}

/** Whether an amount lies between two that are written in major units of its currency. */
export function isWithin(
  { minor, currency }: { readonly minor: bigint; readonly currency: string },
  { least, most }: { readonly least?: string | undefined; readonly most?: string | undefined },
): boolean {
  const fine = minor * 10n ** BigInt(FINE_DECIMALS - exponentOf(currency));
  return (least === undefined || fine >= fineUnits(least)) && (most === undefined || fine <= fineUnits(most));
}
