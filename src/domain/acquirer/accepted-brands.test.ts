import { describe, expect, it } from 'vitest';
import { CARD_BRANDS } from '../card/card.ts';
import { acceptedBrands, type OrderFacts } from './accepted-brands.ts';
import { NO_USE, type RoutableTerminal } from './routing.ts';
import { readRules } from './routing-rules.ts';

const terminal = (name: string, about: Partial<RoutableTerminal> = {}): RoutableTerminal => ({
  ...{ name, enabled: true, currencies: [], brands: [], operations: [], does: ['sale'], isFailing: false },
  today: NO_USE,
  ...about,
});

const TERMINALS = [
  terminal('all'),
  terminal('visa', { brands: ['VISA'] }),
  terminal('two', { brands: ['VISA', 'MASTERCARD'] }),
  terminal('euro', { currencies: ['EUR'] }),
  terminal('off', { enabled: false }),
  terminal('failing', { isFailing: true, brands: ['JCB'] }),
];

const ORDER: OrderFacts = {
  ...{ orderId: 1, kinds: ['sale'], currency: 'USD', amounts: [1042n], initiator: 'payer' },
  payerCountry: undefined,
};

describe('the brands an endpoint accepts', () => {
  it.each<[string, readonly string[]]>([
    ['all', CARD_BRANDS],
    ['visa', ['VISA']],
    ['visa,two', ['VISA', 'MASTERCARD']],
    ['off', []],
    ['nowhere', []],
    ['euro', []],
    // A bank that does not answer just now still takes its cards.
    ['failing', ['JCB']],
    ['brand=AMEX,JCB -> all', ['AMEX', 'JCB']],
    ['brand=AMEX -> off; two', ['VISA', 'MASTERCARD']],
    ['brand=VISA -> off; all', CARD_BRANDS.filter((brand) => brand !== 'VISA')],
    ['currency=EUR -> all; visa', ['VISA']],
    ['amount=-10.00 -> all; visa', ['VISA']],
    ['initiator=merchant -> all; visa', ['VISA']],
    // Of the digits nothing is known yet: some card of the brand may fit.
    ['bin=4111 brand=VISA -> all', ['VISA']],
    ['bin-country=DE -> two; visa', ['VISA', 'MASTERCARD']],
    ['payer-country=DE -> off; two', ['VISA', 'MASTERCARD']],
  ])('by the rules "%s"', (rules, brands) => {
    expect(acceptedBrands(readRules(rules), ORDER, TERMINALS)).toEqual(brands);
  });
});
