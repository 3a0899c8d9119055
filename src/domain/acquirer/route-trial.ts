// Where an order would go that is not there: what each rule of an endpoint makes of it, by the same judgement as of
// real ones. Which share an order belongs to depends on its id, so of shares the chances are told.

import { choiceOf, type RoutableTerminal } from './routing.ts';
import {
  conditionHolds,
  percentageOf,
  type RoutingFacts,
  type RoutingRule,
  writeConditions,
  writeRule,
} from './routing-rules.ts';

export type TriedTerminal = {
  readonly name: string;
  /** Which it is among those that are used, from 1; undefined when it is left out. */
  readonly turn: number | undefined;
  /** Why it is left out, or used although its bank does not answer. */
  readonly why: string | undefined;
};

export type TriedRule = {
  /** As it is written. */
  readonly text: string;
  /** Of a hundred such orders, how many this rule decides. */
  readonly chance: number;
  /** The conditions that do not hold, as they are written. */
  readonly unmet: string | undefined;
  /** Empty where the rule decides nothing. */
  readonly terminals: readonly TriedTerminal[];
};

export function tryRules(
  rules: readonly RoutingRule[],
  facts: RoutingFacts,
  terminals: readonly RoutableTerminal[],
): readonly TriedRule[] {
  let left = 100;
  return rules.map((rule, place) => {
    const plain = rule.conditions.filter(({ word }) => word !== 'share');
    const unmet = plain.filter((condition) => !conditionHolds(condition, facts, place));
    const chance = unmet.length > 0 ? 0 : (left * (percentageOf(rule) ?? 100)) / 100;
    left -= chance;
    return {
      text: writeRule(rule),
      chance,
      unmet: unmet.length === 0 ? undefined : writeConditions(unmet),
      terminals: chance > 0 ? triedTerminals(rule, facts, terminals) : [],
    };
  });
}

function triedTerminals(
  rule: RoutingRule,
  facts: RoutingFacts,
  terminals: readonly RoutableTerminal[],
): TriedTerminal[] {
  const { judged, used } = choiceOf(rule, facts, terminals);
  return judged.map(({ name, unfit, isFailing }) => {
    const place = used.indexOf(name);
    const failing = isFailing ? 'its bank does not answer' : undefined;
    const beyond = place === -1 ? 'others come first, and an order is sent to only so many' : undefined;
    return { name, turn: place === -1 ? undefined : place + 1, why: unfit ?? failing ?? beyond };
  });
}
