import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TERMINALS } from '../order/cascade.ts';
import { misfitOf, NO_USE, NoRoute, type RoutableTerminal, routeOf } from './routing.ts';
import { type RoutingFacts, readRules, ruleHolds, UnreadableRules, writeRules } from './routing-rules.ts';

const FACTS: RoutingFacts = {
  orderId: 1001,
  kinds: ['sale'],
  brands: ['VISA'],
  bin: '41111111',
  binCountry: 'DEU',
  currency: 'USD',
  amounts: [4200n],
  initiator: 'payer',
  payerCountry: 'US',
};

const ALL = ['sale', 'preauth', 'verification', 'push', 'pull', 'eligibility', 'capture', 'refund'];

function terminal(name: string, own: Partial<RoutableTerminal> = {}): RoutableTerminal {
  const open = { enabled: true, currencies: [], brands: [], operations: [], does: ALL, isFailing: false };
  return { name, ...open, today: NO_USE, ...own };
}

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((name) => terminal(name)) as [
  RoutableTerminal,
  RoutableTerminal,
  RoutableTerminal,
  RoutableTerminal,
];

const chosen = (rules: string, facts: Partial<RoutingFacts> = {}, terminals = [A, B, C, D]) => {
  const route = routeOf(readRules(rules), { ...FACTS, ...facts }, terminals);
  return route instanceof NoRoute ? `none: ${route.hint}` : route.terminals.join(',');
};

const NO_RULE = 'none: no rule of the end point is for it';

describe('a rule', () => {
  it.each<[rules: string, facts: Partial<RoutingFacts>, chosen: string]>([
    ['a', {}, 'a'],
    ['a,b', {}, 'a,b'],
    ['b , a', {}, 'b,a'],
    ['a,b,c,d', {}, 'a,b,c'],
    ['brand=VISA -> a', {}, 'a'],
    ['brand=visa -> a', {}, 'a'],
    ['brand=MASTERCARD -> a; b', {}, 'b'],
    ['brand=MASTERCARD,VISA -> a; b', {}, 'a'],
    ['brand=VISA -> a; b', { brands: [] }, 'b'],
    ['brand=VISA -> a; b', { brands: ['MASTERCARD', 'VISA'] }, 'b'],
    ['brand=VISA -> a', { brands: ['UNKNOWN'] }, NO_RULE],
    ['bin=411111 -> a; b', {}, 'a'],
    ['bin=4 -> a; b', {}, 'a'],
    ['bin=41111111 -> a; b', {}, 'a'],
    ['bin=41111112 -> a; b', {}, 'b'],
    ['bin=41111111 -> a; b', { bin: '411111' }, 'b'],
    ['bin=42,41 -> a; b', {}, 'a'],
    ['bin=4 -> a; b', { bin: undefined }, 'b'],
    ['bin-country=DE -> a; b', {}, 'a'],
    ['bin-country=de -> a; b', {}, 'a'],
    ['bin-country=FR,DE -> a; b', {}, 'a'],
    ['bin-country=FR -> a; b', {}, 'b'],
    ['bin-country=DE -> a; b', { binCountry: undefined }, 'b'],
    ['currency=USD -> a; b', {}, 'a'],
    ['currency=EUR -> a; b', {}, 'b'],
    ['currency=eur,usd -> a; b', {}, 'a'],
    ['amount=10.00-250.00 -> a; b', {}, 'a'],
    ['amount=42.00-250.00 -> a; b', {}, 'a'],
    ['amount=42.01-250.00 -> a; b', {}, 'b'],
    ['amount=10-42 -> a; b', {}, 'a'],
    ['amount=10-41.99 -> a; b', {}, 'b'],
    ['amount=42- -> a; b', {}, 'a'],
    ['amount=42.001- -> a; b', {}, 'b'],
    ['amount=-42 -> a; b', {}, 'a'],
    ['amount=-41.999 -> a; b', {}, 'b'],
    ['amount=4200- -> a; b', { currency: 'JPY' }, 'a'],
    ['amount=4200.5- -> a; b', { currency: 'JPY' }, 'b'],
    ['amount=4.2-4.2 -> a; b', { currency: 'KWD' }, 'a'],
    ['amount=4.201- -> a; b', { currency: 'KWD' }, 'b'],
    ['amount=0- -> a; b', { amounts: [] }, 'b'],
    ['amount=50- -> a; b', { amounts: [6000n, 1000n] }, 'a'],
    ['initiator=payer -> a; b', {}, 'a'],
    ['initiator=merchant -> a; b', {}, 'b'],
    ['initiator=merchant,payer -> a; b', {}, 'a'],
    ['initiator=merchant -> a; b', { initiator: 'merchant' }, 'a'],
    ['payer-country=US -> a; b', {}, 'a'],
    ['payer-country=GB -> a; b', {}, 'b'],
    ['payer-country=US -> a; b', { payerCountry: undefined }, 'b'],
    ['brand=VISA currency=USD -> a; b', {}, 'a'],
    ['brand=VISA currency=EUR -> a; b', {}, 'b'],
    ['  brand=VISA   currency=USD->a ;b ; ', {}, 'a'],
    ['brand=VISA -> a; brand=VISA -> b', {}, 'a'],
    ['brand=MASTERCARD -> a; brand=VISA -> b; c', {}, 'b'],
    ['brand=MASTERCARD -> a; currency=EUR -> b', {}, NO_RULE],
  ])('%s, for %o: %s', (rules, facts, expected) => {
    expect(chosen(rules, facts)).toBe(expected);
  });
});

describe('what a terminal takes', () => {
  it.each<[own: Partial<RoutableTerminal>, facts: Partial<RoutingFacts>, misfit: string | undefined]>([
    [{}, {}, undefined],
    [{ enabled: false }, {}, 'disabled'],
    [{ isFailing: true }, {}, undefined],
    [{ currencies: ['USD', 'EUR'] }, {}, undefined],
    [{ currencies: ['EUR'] }, {}, 'takes no USD'],
    [{ brands: ['VISA'] }, {}, undefined],
    [{ brands: ['MASTERCARD'] }, {}, 'takes no VISA'],
    [{ brands: ['VISA'] }, { brands: ['UNKNOWN'] }, 'takes no cards of unknown brands'],
    [{ brands: ['VISA'] }, { brands: [] }, undefined],
    [{ brands: ['VISA'] }, { brands: ['VISA', 'MIR'] }, 'takes no MIR'],
    [{ operations: ['sale'] }, {}, undefined],
    [{ operations: ['preauth'] }, {}, 'does no sales'],
    [{ does: ['preauth', 'capture'] }, {}, 'does no sales'],
    [{ operations: ['pull'] }, { kinds: ['pull', 'push'] }, 'does no payouts'],
    [{ does: ['push'] }, { kinds: ['pull', 'push'] }, 'does no transfers from cards'],
    [{ does: ['sale'] }, { kinds: ['preauth'] }, 'does no preauthorizations'],
    [{ does: ['sale'] }, { kinds: ['verification'], amounts: [] }, 'does no account verifications'],
    [{ does: ['sale'] }, { kinds: ['eligibility'], amounts: [] }, 'does no questions about cards'],
    [{ minimum: '42.00' }, {}, undefined],
    [{ minimum: '42.01' }, {}, 'takes no 42.00 USD'],
    [{ maximum: '42' }, {}, undefined],
    [{ maximum: '41.999' }, {}, 'takes no 42.00 USD'],
    [{ minimum: '10' }, { amounts: [4200n, 999n] }, 'takes no 9.99 USD'],
    [{ minimum: '10', maximum: '20' }, { amounts: [] }, undefined],
    [{ maximum: '4200' }, { currency: 'JPY' }, undefined],
    [{ maximum: '4199' }, { currency: 'JPY' }, 'takes no 4200 JPY'],
    [{ dayCount: 3, today: { count: 2, amounts: new Map() } }, {}, undefined],
    [{ dayCount: 3, today: { count: 3, amounts: new Map() } }, {}, 'its limit of the day is reached'],
    [{ dayCount: 3, today: { count: 3, amounts: new Map() } }, { amounts: [] }, undefined],
    [{ dayAmount: '100.00', today: { count: 9, amounts: new Map([['USD', 5800n]]) } }, {}, undefined],
    [
      { dayAmount: '100.00', today: { count: 9, amounts: new Map([['USD', 5801n]]) } },
      {},
      'its limit of the day is reached',
    ],
    [{ dayAmount: '100.00', today: { count: 9, amounts: new Map([['EUR', 9999n]]) } }, {}, undefined],
    [{ dayAmount: '41.99' }, {}, 'its limit of the day is reached'],
  ])('%o, for %o: %s', (own, facts, misfit) => {
    expect(misfitOf(terminal('a', own), { ...FACTS, ...facts })).toBe(misfit);
  });
});

describe('the terminals of a rule', () => {
  const off = (name: string) => terminal(name, { enabled: false });
  const failing = (name: string) => terminal(name, { isFailing: true });

  it.each<[rules: string, terminals: RoutableTerminal[], chosen: string]>([
    ['a,b', [off('a'), B], 'b'],
    ['a,b', [off('a'), off('b')], 'none: disabled'],
    ['a,b', [off('a'), terminal('b', { currencies: ['EUR'] })], 'none: disabled, takes no USD'],
    ['a,b', [B], 'b'],
    ['a', [B], 'none: not there'],
    ['a,b', [failing('a'), B], 'b'],
    ['a,b', [A, failing('b')], 'a'],
    ['a,b', [failing('a'), failing('b')], 'a'],
    ['a,b,c', [off('a'), failing('b'), failing('c')], 'b'],
    ['a', [failing('a')], 'a'],
    ['a,b,c,d', [off('a'), B, C, D], 'b,c,d'],
    ['a,b,c,d', [A, failing('b'), C, D], 'a,c,d'],
    // A rule that holds decides, also when it leads nowhere.
    ['brand=VISA -> a; b', [off('a'), B], 'none: disabled'],
  ])('%s with %o: %s', (rules, terminals, expected) => {
    expect(chosen(rules, {}, terminals)).toBe(expected);
  });

  it.each<[rules: string, terminals: RoutableTerminal[], reason: string]>([
    ['a,b', [A, B], 'rule 1'],
    ['currency=EUR -> a; brand=VISA -> b', [A, B], 'rule 2 (brand=VISA)'],
    ['a,b', [off('a'), B], 'rule 1; a left out: disabled'],
    ['a,b', [failing('a'), B], 'rule 1; a left out: its bank does not answer'],
    ['a', [failing('a')], 'rule 1; no bank of it answers at present'],
    ['a,b,c,d', [A, B, C, D], 'rule 1'],
  ])('%s with %o are chosen because of: %s', (rules, terminals, reason) => {
    expect(routeOf(readRules(rules), FACTS, terminals)).toMatchObject({ reason });
  });
});

describe('rules that cannot be read', () => {
  const WORDS = 'there are brand, bin, bin-country, currency, amount, initiator, payer-country, share';

  it.each<[rules: string, complaint: string]>([
    ['', 'rules are needed, such as "brand=VISA -> bank-a,bank-b; bank-c"'],
    [' ; ', 'rule 1 has an empty place where a terminal is needed'],
    ['colour=red -> a', `rule 1: there is no word "colour"; ${WORDS}`],
    ['constructor=1 -> a', `rule 1: there is no word "constructor"; ${WORDS}`],
    ['__proto__=1 -> a', `rule 1: there is no word "__proto__"; ${WORDS}`],
    ['toString -> a', `rule 1: there is no word "toString"; ${WORDS}`],
    ['brand=VISA -> a; Brand=VISA -> b', `rule 2: there is no word "Brand"; ${WORDS}`],
    ['brand=VISA a', 'rule 1 has no "->" between its conditions and its terminals'],
    ['brand=VISA -> ', 'rule 1 has an empty place where a terminal is needed'],
    ['-> a', 'rule 1 has no condition before "->"; without one, only terminals are written'],
    ['brand=VISA -> a -> b', 'rule 1 has more than one "->"; rules are separated by ";"'],
    ['a; b', 'rule 1 always holds, so those behind it never would'],
    ['a;; b', 'rule 2 has an empty place where a terminal is needed'],
    ['brand=VISA brand=MIR -> a', 'rule 1 has brand twice; several values are separated by commas'],
    ['bin=123456789 -> a', 'rule 1: bin needs 1 to 8 digits that a card number begins with, not "123456789"'],
    ['bin= -> a', 'rule 1: bin needs 1 to 8 digits that a card number begins with, not ""'],
    ['bin -> a', 'rule 1: bin needs 1 to 8 digits that a card number begins with, not ""'],
    ['bin-country=XX -> a', 'rule 1: bin-country needs a country of two letters such as DE, not "XX"'],
    ['payer-country=USA -> a', 'rule 1: payer-country needs a country of two letters such as US, not "USA"'],
    ['currency=XXX -> a', 'rule 1: currency needs an ISO 4217 code such as USD, not "XXX"'],
    ['amount=10 -> a', 'rule 1: amount needs a range such as 10.00-250.00, 10.00- or -250.00, not "10"'],
    ['amount=- -> a', 'rule 1: amount needs a range such as 10.00-250.00, 10.00- or -250.00, not "-"'],
    ['amount=20-10 -> a', 'rule 1: amount needs a range such as 10.00-250.00, 10.00- or -250.00, not "20-10"'],
    ['amount=1-2,3-4 -> a', 'rule 1: amount has one value: a range such as 10.00-250.00, 10.00- or -250.00'],
    ['initiator=shop -> a', 'rule 1: initiator needs payer or merchant, not "shop"'],
    ['share=0 -> a', 'rule 1: share needs a percentage from 1 to 99, not "0"'],
    ['share=100 -> a', 'rule 1: share needs a percentage from 1 to 99, not "100"'],
    ['share=20% -> a', 'rule 1: share needs a percentage from 1 to 99, not "20%"'],
    ['share=20,30 -> a', 'rule 1: share has one value: a percentage from 1 to 99'],
    ['a,,b', 'rule 1 has an empty place where a terminal is needed'],
    ['a,a', 'rule 1 names a terminal twice'],
    ['Bank', 'rule 1: "Bank" is not the name of a terminal'],
    ['a,b,c,d,e,f,g,h,i,j,k', 'rule 1 names more than 10 terminals'],
    ['brand=VISA -> a;'.repeat(51), 'at most 50 rules are possible'],
    [`bin=${'4,'.repeat(100)}4 -> a`, 'rule 1: bin has more than 100 values'],
  ])('%s: %s', (rules, complaint) => {
    expect(() => readRules(rules)).toThrow(new UnreadableRules(complaint));
  });

  it('says which brands there are', () => {
    expect(() => readRules('brand=VISTA -> a')).toThrow(
      /^rule 1: brand needs one of VISA, MASTERCARD, .*MAESTRO, UNKNOWN, not "VISTA"$/,
    );
  });

  it('repeats no card number', () => {
    expect(() => readRules('bin=4111111111111111 -> a')).toThrow('not "411111******1111"');
  });
});

describe('rules as they are written', () => {
  it.each([
    ['a', 'a'],
    ['  brand=visa,VISA   currency=usd->a , b ;c ; ', 'brand=VISA currency=USD -> a,b; c'],
    ['amount=10.00-250.00 share=20 -> a; b', 'amount=10.00-250.00 share=20 -> a; b'],
  ])('%s becomes %s', (given, written) => {
    expect(writeRules(readRules(given))).toBe(written);
    expect(writeRules(readRules(written))).toBe(written);
  });
});

describe('a share', () => {
  const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

  it('is the same for an order whenever it is asked', () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 99 }), (orderId, share) => {
        const rules = `share=${share} -> a; b`;
        expect(chosen(rules, { orderId })).toBe(chosen(rules, { orderId }));
      }),
    );
  });

  it('only grows when its percentage does', () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 98 }), (orderId, share) => {
        const before = chosen(`share=${share} -> a; b`, { orderId });
        if (before === 'a') expect(chosen(`share=${share + 1} -> a; b`, { orderId })).toBe('a');
      }),
    );
  });

  it.each([1, 5, 20, 50, 80, 99])('of %i percent is near that, of consecutive ids', (share) => {
    const orders = 20_000;
    const [rule] = readRules(`share=${share} -> a`);
    const taken = Array.from({ length: orders }, (_, at) => at + 1).filter(
      (orderId) => rule && ruleHolds(rule, { ...FACTS, orderId }, 0),
    );
    const expected = (orders * share) / 100;
    // Five standard deviations: the ids are fixed, so this holds or does not.
    const allowed = 5 * Math.sqrt((orders * share * (100 - share)) / 10_000);
    expect(Math.abs(taken.length - expected)).toBeLessThan(allowed);
  });

  it('is one of the orders that come as far as its rule', () => {
    const orders = 20_000;
    const counts = { a: 0, b: 0, c: 0 };
    const rules = readRules('share=50 -> a; share=50 -> b; c');
    for (let orderId = 1; orderId <= orders; orderId++) {
      const route = routeOf(rules, { ...FACTS, orderId }, [A, B, C]);
      if (!(route instanceof NoRoute)) counts[route.terminals[0] as 'a' | 'b' | 'c']++;
    }
    expect(counts.a / orders).toBeCloseTo(0.5, 1);
    expect(counts.b / orders).toBeCloseTo(0.25, 1);
    expect(counts.c / orders).toBeCloseTo(0.25, 1);
  });
});

describe('whatever the rules and terminals are', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const anyTerminal = (name: string) =>
    fc.record({
      name: fc.constant(name),
      enabled: fc.boolean(),
      currencies: fc.subarray(['USD', 'EUR', 'JPY']),
      brands: fc.subarray(['VISA', 'MASTERCARD']),
      operations: fc.subarray(['sale', 'preauth', 'push']),
      minimum: fc.constantFrom(undefined, '10', '50.00'),
      maximum: fc.constantFrom(undefined, '30', '1000'),
      dayAmount: fc.constantFrom(undefined, '20.00', '5000'),
      dayCount: fc.constantFrom(undefined, 0, 5),
      does: fc.subarray(['sale', 'preauth', 'push']),
      isFailing: fc.boolean(),
      today: fc.record({ count: fc.nat(10), amounts: fc.constant(new Map([['USD', 1500n]])) }),
    });
  const anyTerminals = fc.tuple(...names.map(anyTerminal));
  const anyFacts = fc.record({
    orderId: fc.integer({ min: 1 }),
    kinds: fc.constantFrom(['sale'] as const, ['preauth'] as const, ['push'] as const),
    brands: fc.constantFrom(['VISA'], ['MASTERCARD'], []),
    bin: fc.constantFrom('41111111', '55555555', undefined),
    binCountry: fc.constantFrom('DEU', undefined),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
    amounts: fc.constantFrom([1000n], [6000n, 2000n], []),
    initiator: fc.constantFrom('payer' as const, 'merchant' as const),
    payerCountry: fc.constantFrom('US', undefined),
  });
  const conditions = fc.subarray([
    'brand=VISA',
    'bin=4',
    'bin-country=DE',
    'currency=USD,EUR',
    'amount=20-',
    'share=40',
  ]);
  const anyRule = fc.tuple(conditions, fc.shuffledSubarray(names, { minLength: 1 })).map(([words, terminals]) => {
    return words.length === 0 ? `share=50 -> ${terminals}` : `${words.join(' ')} -> ${terminals}`;
  });
  const anyRules = fc.array(anyRule, { minLength: 1, maxLength: 4 }).map((rules) => rules.join(';'));

  it('sends an order only where it fits, in the order of the first rule that holds', () => {
    fc.assert(
      fc.property(anyRules, anyFacts, anyTerminals, (text, facts, terminals) => {
        const rules = readRules(text);
        const route = routeOf(rules, facts, terminals);
        const rule = rules.find((one, place) => ruleHolds(one, facts, place));
        const fits = (name: string) => {
          const found = terminals.find((one) => one.name === name);
          return found !== undefined && misfitOf(found, facts) === undefined;
        };
        const fails = (name: string) => terminals.some((one) => one.name === name && one.isFailing);
        const fitting = rule?.terminals.filter(fits) ?? [];
        if (route instanceof NoRoute) {
          expect(fitting).toEqual([]);
          return;
        }
        expect(route.terminals.every(fits)).toBe(true);
        expect(route.terminals.length).toBeGreaterThan(0);
        expect(route.terminals.length).toBeLessThanOrEqual(MAX_TERMINALS);
        const places = route.terminals.map((name) => rule?.terminals.indexOf(name) ?? -1);
        expect(places).toEqual([...places].sort((one, other) => one - other));
        const working = fitting.filter((name) => !fails(name));
        if (working.length > 0) expect(route.terminals).toEqual(working.slice(0, MAX_TERMINALS));
        else expect(route.terminals).toEqual(fitting.slice(0, 1));
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads what it writes', () => {
    fc.assert(
      fc.property(anyRules, (text) => {
        const rules = readRules(text);
        expect(readRules(writeRules(rules))).toEqual(rules);
      }),
    );
  });
});
