// Which brands of cards an order could be paid with, before a card is known: a brand counts as accepted when the
// endpoint's rules could lead one of its cards to a terminal that takes it.

import { CARD_BRANDS, type KnownBrand } from '../card/card.ts';
import { misfitOf, type RoutableTerminal } from './routing.ts';
import { type RoutingFacts, type RoutingRule, ruleHolds } from './routing-rules.ts';

/** Conditions on a card's digits and on what a payer may still be asked for: they may hold or not. */
const UNDECIDED: ReadonlySet<string> = new Set(['bin', 'bin-country', 'payer-country']);

export type OrderFacts = Omit<RoutingFacts, 'brands' | 'bin' | 'binCountry'>;

export function acceptedBrands(
  rules: readonly RoutingRule[],
  order: OrderFacts,
  terminals: readonly RoutableTerminal[],
): readonly KnownBrand[] {
  return CARD_BRANDS.filter((brand) => {
    const facts = { ...order, brands: [brand], bin: undefined, binCountry: undefined };
    return isAccepted(rules, facts, terminals);
  });
}

function isAccepted(
  rules: readonly RoutingRule[],
  facts: RoutingFacts,
  terminals: readonly RoutableTerminal[],
): boolean {
  for (const [place, { conditions, terminals: names }] of rules.entries()) {
    const decided = conditions.filter(({ word }) => !UNDECIDED.has(word));
    if (!ruleHolds({ conditions: decided, terminals: names }, facts, place)) continue;
    const fits = ({ name }: RoutableTerminal) => names.includes(name);
    if (terminals.filter(fits).some((terminal) => misfitOf(terminal, facts) === undefined)) return true;
    // This rule holds for every card of the brand, so those behind it never do.
    if (decided.length === conditions.length) return false;
  }
  return false;
}
