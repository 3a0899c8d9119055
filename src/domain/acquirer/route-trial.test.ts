import { describe, expect, it } from 'vitest';
import { tryRules } from './route-trial.ts';
import { NO_USE, NoRoute, type RoutableTerminal, routeOf } from './routing.ts';
import { type RoutingFacts, readRules } from './routing-rules.ts';

const terminal = (name: string, changes: Partial<RoutableTerminal> = {}): RoutableTerminal => ({
  ...{ name, enabled: true, currencies: [], brands: [], operations: [], does: ['sale'], isFailing: false },
  ...{ today: NO_USE, ...changes },
});

const facts: RoutingFacts = {
  ...{ orderId: 1, kinds: ['sale'], brands: ['VISA'], bin: '41111111', binCountry: undefined, currency: 'USD' },
  ...{ amounts: [1000n], initiator: 'payer', payerCountry: undefined },
};

const terminals = [
  terminal('a'),
  terminal('b'),
  terminal('off', { enabled: false }),
  terminal('euro', { currencies: ['EUR'] }),
  terminal('silent', { isFailing: true }),
];

const tried = (rules: string, changes: Partial<RoutingFacts> = {}) =>
  tryRules(readRules(rules), { ...facts, ...changes }, terminals);

describe('where an order would go', () => {
  it('tells the rule that decides, and which conditions of others do not hold', () => {
    expect(tried('brand=AMEX amount=-50.00 -> b; a')).toEqual([
      { text: 'brand=AMEX amount=-50.00 -> b', chance: 0, unmet: 'brand=AMEX', terminals: [] },
      { text: 'a', chance: 100, unmet: undefined, terminals: [{ name: 'a', turn: 1, why: undefined }] },
    ]);
  });

  it('tells the chance of each share of what comes as far', () => {
    expect(tried('share=20 -> a; share=50 -> b; a').map(({ chance }) => chance)).toEqual([20, 40, 40]);
    expect(tried('brand=AMEX share=20 -> a; share=50 -> b; a').map(({ chance }) => chance)).toEqual([0, 50, 50]);
  });

  it('leaves nothing for rules behind the one that always holds', () => {
    expect(tried('brand=VISA -> a; share=10 -> b; b').map(({ chance }) => chance)).toEqual([100, 0, 0]);
  });

  it.each([
    ['off', 'disabled'],
    ['euro', 'takes no USD'],
    ['silent', 'its bank does not answer'],
    ['gone', 'not there'],
  ])('says why %s is left out', (name, why) => {
    expect(tried(`${name},a`)[0]?.terminals).toEqual([
      { name, turn: undefined, why },
      { name: 'a', turn: 1, why: undefined },
    ]);
  });

  it('uses a silent one where there is no other, and says so', () => {
    expect(tried('silent')[0]?.terminals).toEqual([{ name: 'silent', turn: 1, why: 'its bank does not answer' }]);
  });

  it.each(['off,a,b', 'silent,off', 'euro,off', 'b,a', 'brand=AMEX -> a; b', 'share=30 -> a; b'])(
    'agrees for %s with what becomes of orders',
    (rules) => {
      for (let orderId = 1; orderId <= 40; orderId++) {
        const route = routeOf(readRules(rules), { ...facts, orderId }, terminals);
        const used = route instanceof NoRoute ? [] : route.terminals;
        const possible = tried(rules)
          .filter(({ chance }) => chance > 0)
          .map((rule) => rule.terminals.filter(({ turn }) => turn !== undefined).map(({ name }) => name));
        expect(possible).toContainEqual(used);
      }
    },
  );
});
