// Which terminals an order may be sent to, in order, and why: the endpoint's rules say which ones, and what each
// terminal takes says which of these fit. A terminal whose bank does not answer is left out while another one fits.

import { writeAmount } from '../money/money.ts';
import { MAX_TERMINALS } from '../order/cascade.ts';
import {
  isWithin,
  type RoutedKind,
  type RoutingFacts,
  type RoutingRule,
  ruleHolds,
  writeConditions,
} from './routing-rules.ts';
import type { Route } from './terminal.ts';

/** What a terminal takes, and how it stands now. */
export type RoutableTerminal = {
  readonly name: string;
  readonly enabled: boolean;
  /** None means all, as of brands and operations. */
  readonly currencies: readonly string[];
  readonly brands: readonly string[];
  readonly operations: readonly string[];
  /** Amounts in major units of the payment's currency. */
  readonly minimum?: string | undefined;
  readonly maximum?: string | undefined;
  /** The most that is approved in a day of UTC, by currency; and how many payments. */
  readonly dayAmount?: string | undefined;
  readonly dayCount?: number | undefined;
  /** What its connector can carry out. */
  readonly does: readonly string[];
  /** Whether its breaker is open. */
  readonly isFailing: boolean;
  /** What was approved today. */
  readonly today: DayUse;
};

export type DayUse = {
  readonly count: number;
  /** In minor units. */
  readonly amounts: ReadonlyMap<string, bigint>;
};

export const NO_USE: DayUse = { count: 0, amounts: new Map() };

/** Why an order can be sent nowhere; it names no terminal, so merchants may read it. */
export class NoRoute {
  readonly hint: string;

  constructor(hint: string) {
    this.hint = hint;
  }
}

export function routeOf(
  rules: readonly RoutingRule[],
  facts: RoutingFacts,
  terminals: readonly RoutableTerminal[],
): Route | NoRoute {
  const place = rules.findIndex((rule, index) => ruleHolds(rule, facts, index));
  const rule = rules[place];
  if (!rule) return new NoRoute('no rule of the end point is for it');
  const { judged, used } = choiceOf(rule, facts, terminals);
  if (used.length === 0) return new NoRoute([...new Set(judged.map(({ unfit }) => unfit))].join(', '));
  return { terminals: used, reason: reasonOf(rule, place, judged, used) };
}

/** What a rule that holds makes of its terminals: how each stands, and which are used, in order. */
export function choiceOf(
  rule: RoutingRule,
  facts: RoutingFacts,
  terminals: readonly RoutableTerminal[],
): { readonly judged: readonly Judged[]; readonly used: readonly string[] } {
  const judged = rule.terminals.map((name) => judgedOf(name, facts, terminals));
  const fitting = judged.filter(({ unfit }) => unfit === undefined);
  const working = fitting.filter(({ isFailing }) => !isFailing);
  // Where all of them fail, asking one costs nothing.
  const used = (working.length > 0 ? working : fitting.slice(0, 1)).slice(0, MAX_TERMINALS);
  return { judged, used: used.map(({ name }) => name) };
}

type Judged = { readonly name: string; readonly unfit: string | undefined; readonly isFailing: boolean };

function judgedOf(name: string, facts: RoutingFacts, terminals: readonly RoutableTerminal[]): Judged {
  const terminal = terminals.find((one) => one.name === name);
  if (!terminal) return { name, unfit: 'not there', isFailing: false };
  return { name, unfit: misfitOf(terminal, facts), isFailing: terminal.isFailing };
}

/** Why a terminal does not take an order; undefined when it does, also while its bank does not answer. */
export function misfitOf(terminal: RoutableTerminal, facts: RoutingFacts): string | undefined {
  const { enabled, currencies, brands, operations, does, minimum, maximum } = terminal;
  const { currency, amounts } = facts;
  if (!enabled) return 'disabled';
  const impossible = facts.kinds.find((kind) => !does.includes(kind) || !takes(operations, kind));
  if (impossible) return `does no ${KIND_NAMES[impossible]}`;
  if (!takes(currencies, currency)) return `takes no ${currency}`;
  const brand = facts.brands.find((one) => !takes(brands, one));
  if (brand !== undefined) return `takes no ${brand === 'UNKNOWN' ? 'cards of unknown brands' : brand}`;
  const outside = amounts.find((minor) => !isWithin({ minor, currency }, { least: minimum, most: maximum }));
  if (outside !== undefined) return `takes no ${writeAmount({ minor: outside, currency }, 'major')} ${currency}`;
  return isUsedUp(terminal, facts) ? 'its limit of the day is reached' : undefined;
}

const KIND_NAMES: Readonly<Record<RoutedKind, string>> = {
  sale: 'sales',
  preauth: 'preauthorizations',
  verification: 'account verifications',
  push: 'payouts',
  pull: 'transfers from cards',
  eligibility: 'questions about cards',
};

const takes = (list: readonly string[], one: string) => list.length === 0 || list.includes(one);

/** What moves no money uses nothing of a day's limit. */
function isUsedUp({ dayAmount, dayCount, today }: RoutableTerminal, { amounts, currency }: RoutingFacts): boolean {
  const [amount] = amounts;
  if (amount === undefined) return false;
  if (dayCount !== undefined && today.count >= dayCount) return true;
  const minor = (today.amounts.get(currency) ?? 0n) + amount;
  return dayAmount !== undefined && !isWithin({ minor, currency }, { most: dayAmount });
}

function reasonOf(
  { conditions }: RoutingRule,
  place: number,
  judged: readonly Judged[],
  used: readonly string[],
): string {
  const rule = `rule ${place + 1}${conditions.length === 0 ? '' : ` (${writeConditions(conditions)})`}`;
  const leftOut = judged
    .filter(({ name }) => !used.includes(name))
    .flatMap(({ name, unfit, isFailing }) => {
      const why = unfit ?? (isFailing ? 'its bank does not answer' : undefined);
      return why === undefined ? [] : [`${name} left out: ${why}`];
    });
  const anyway = judged.some(({ name, isFailing }) => isFailing && used.includes(name));
  return [rule, ...leftOut, ...(anyway ? ['no bank of it answers at present'] : [])].join('; ');
}
