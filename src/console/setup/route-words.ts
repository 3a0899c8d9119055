// The rules of a route as people say them.

import { type RoutingCondition, readRules, UnreadableRules } from '../../domain/acquirer/routing-rules.ts';

const WORDS: Readonly<Record<string, string>> = {
  brand: 'the card is',
  bin: 'the card number begins with',
  'bin-country': 'the card was issued in',
  currency: 'the currency is',
  amount: 'the amount is',
  initiator: 'it is begun by the',
  'payer-country': 'the payer is in',
};

/** A sentence for each rule, or why there is none. */
export function routeInWords(text: string): { readonly lines: readonly string[]; readonly fault: string | undefined } {
  try {
    const rules = readRules(text);
    const lines = rules.map(({ conditions, terminals }, index) => {
      const then = inTurn(terminals);
      if (conditions.length > 0) return `If ${conditions.map(conditionInWords).join(', and ')}: ${then}.`;
      return index === 0 ? `Always: ${then}.` : `Otherwise: ${then}.`;
    });
    return { lines, fault: undefined };
  } catch (error) {
    if (error instanceof UnreadableRules) return { lines: [], fault: error.message };
    throw error;
  }
}

/** The names of all terminals that rules send to. */
export function terminalsIn(text: string): readonly string[] {
  return [...new Set(readRules(text).flatMap(({ terminals }) => terminals))];
}

function inTurn([first, ...others]: readonly string[]): string {
  return [`to ${first}`, ...others.map((name) => `then ${name}`)].join(', ');
}

function conditionInWords({ word, values }: RoutingCondition): string {
  if (word === 'share') return `the order is among ${values[0]}% of those that come so far`;
  if (word === 'amount') return `${WORDS.amount} ${rangeInWords(values[0] ?? '')}`;
  return `${WORDS[word] ?? `${word} is`} ${values.join(' or ')}`;
}

function rangeInWords(range: string): string {
  const [least, most] = range.split('-');
  if (!least) return `at most ${most}`;
  return most ? `from ${least} to ${most}` : `at least ${least}`;
}
