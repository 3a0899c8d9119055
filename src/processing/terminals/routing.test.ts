import { describe, expect, it } from 'vitest';
import { NO_USE } from '../../domain/acquirer/routing.ts';
import { DEMO_TERMINAL, newTerminal } from '../../domain/acquirer/terminal.ts';
import { Refusal } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import type { StoredCard } from '../../storage/store.ts';
import { type RoutedOrder, Routing, type RoutingParts } from './routing.ts';

const DOES = ['sale', 'preauth', 'verification', 'push', 'pull', 'eligibility'] as const;

const named = (...names: string[]) =>
  names.map((name) => ({ does: DOES, settings: newTerminal({ name, connector: 'any' }) }));

function routing(parts: Partial<RoutingParts> = {}): Routing {
  return new Routing({
    bins: { issuerOf: (card) => (card?.bin === '555555' ? { bank: undefined, country: 'DEU' } : undefined) },
    breakers: { isOpen: () => false },
    days: { today: () => NO_USE },
    mode: 'production',
    terminals: { all: () => named(DEMO_TERMINAL, 'a', 'b') },
    ...parts,
  });
}

const card = (number: string, cvv?: string) => ({
  typed: {
    ...{ number: new Secret(number), expireMonth: 12, expireYear: 2031 },
    ...(cvv === undefined ? {} : { cvv: new Secret(cvv) }),
  },
});

const VISA = card('4111111111111111', '123');
const MASTERCARD = card('5555555555554444', '123');
const STORED = { brand: 'MIR', bin: '220000', issuerDigits: '22000011', fingerprint: Buffer.alloc(0) } as StoredCard &
  object;

const ORDER: RoutedOrder = {
  operation: 'sale',
  type: 'sale',
  amount: { minor: 1042n, currency: 'USD' },
  card: VISA,
  details: {},
};

const at = (route: string | undefined, order: Partial<RoutedOrder> = {}, parts: Partial<RoutingParts> = {}) => {
  const begun = routing(parts).begin({ endpointId: 101, route }, { ...ORDER, ...order }, 1);
  return begun instanceof Refusal ? begun.faults[0].message : begun.terminal;
};

describe('an order goes to', () => {
  it.each<[what: string, route: string, order: Partial<RoutedOrder>, terminal: string]>([
    ['the bank for its brand', 'brand=VISA -> a; b', {}, 'a'],
    ['another for another brand', 'brand=VISA -> a; b', { card: MASTERCARD }, 'b'],
    ['the bank for its first eight digits', 'bin=41111111 -> a; b', {}, 'a'],
    ["the bank for its issuer's country", 'bin-country=DE -> a; b', { card: MASTERCARD }, 'a'],
    ['the bank for a stored card', 'brand=MIR bin=22000011 -> a; b', { card: { stored: STORED, cvv: undefined } }, 'a'],
    ["the bank for the payee's card", 'brand=MIR -> a; b', payout({ stored: STORED }), 'a'],
    ['the bank for accounts', 'brand=VISA -> a; b', payout({ account: { number: new Secret('1') } }), 'b'],
    ["the bank for the payer's country", 'payer-country=US -> a; b', { details: { country: 'US' } }, 'a'],
    ['the bank for payers who are there', 'initiator=payer -> a; b', {}, 'a'],
    ['the bank for rebills', 'initiator=merchant -> a; b', { operation: 'rebill' }, 'a'],
    ['the bank for recurring payments', 'initiator=merchant -> a; b', { operation: 'recurring' }, 'a'],
    ['the bank for payouts', 'initiator=merchant -> a; b', payout({ stored: STORED }), 'a'],
    [
      'the bank for transfers from stored cards',
      'initiator=merchant -> a; b',
      { operation: 'transfer', type: 'transfer', legs: 2, card: { stored: STORED, cvv: undefined } },
      'a',
    ],
    ['the bank for its amount', 'amount=10.42-10.42 -> a; b', {}, 'a'],
    ['no bank for amounts when it moves none', 'amount=0- -> a; b', { type: 'account-verification' }, 'b'],
  ])('%s: %s', (_what, route, order, terminal) => {
    expect(at(route, order)).toBe(terminal);
  });

  it.each<[order: Partial<RoutedOrder>, does: readonly (typeof DOES)[number][], terminal: string]>([
    [{ type: 'sale' }, ['sale'], 'a'],
    [{ type: 'preauth' }, ['preauth'], 'a'],
    [{ type: 'account-verification' }, ['verification'], 'a'],
    [{ type: 'pan-eligibility' }, ['eligibility'], 'a'],
    [{ type: 'payout', operation: 'payout' }, ['push'], 'a'],
    [{ type: 'transfer', operation: 'transfer' }, ['push'], 'a'],
    [{ type: 'transfer', operation: 'transfer', legs: 2 }, ['push'], 'b'],
    [{ type: 'transfer', operation: 'transfer', legs: 2 }, ['pull', 'push'], 'a'],
    [{ type: 'sale' }, ['preauth'], 'b'],
  ])('a terminal that can do all of it: %o with %o', (order, does, terminal) => {
    const [a, b] = named('a', 'b');
    const all = () => [{ ...a, does }, b] as ReturnType<RoutingParts['terminals']['all']>;
    expect(at('a,b', order, { terminals: { all } })).toBe(terminal);
  });

  it('keeps what rules chose, and nothing where there were none', () => {
    const own = routing().begin({ endpointId: 101, route: 'a,b' }, ORDER, 1);
    expect(own).toEqual({ terminal: 'a', route: { terminals: ['a', 'b'], reason: 'rule 1' } });
    const none = routing({ mode: 'sandbox' }).begin({ endpointId: 101, route: undefined }, ORDER, 1);
    expect(none).toEqual({ terminal: DEMO_TERMINAL });
  });
});

describe('an endpoint without a route', () => {
  const only = { all: () => named(DEMO_TERMINAL) };

  it('has the simulated bank in a sandbox', () => {
    expect(at(undefined, {}, { mode: 'sandbox' })).toBe(DEMO_TERMINAL);
    expect(at(undefined, {}, { mode: 'sandbox', terminals: only })).toBe(DEMO_TERMINAL);
  });

  it('has it in production while there is no other terminal', () => {
    expect(at(undefined, {}, { terminals: only })).toBe(DEMO_TERMINAL);
    expect(at(undefined)).toBe('No terminal takes this payment: end point 101 has no route');
  });

  it('is told apart before a card is known', () => {
    expect(routing().unroutable({ endpointId: 101, route: undefined })).toBeInstanceOf(Refusal);
    expect(routing().unroutable({ endpointId: 101, route: 'a' })).toBeUndefined();
    expect(routing({ terminals: only }).unroutable({ endpointId: 101, route: undefined })).toBeUndefined();
  });
});

describe('a terminal that fails', () => {
  const isOpen = (name: string) => name === 'a';

  it('is left out, and used when nothing else fits', () => {
    expect(at('a,b', {}, { breakers: { isOpen } })).toBe('b');
    expect(at('a', {}, { breakers: { isOpen } })).toBe('a');
  });
});

function payout(payee: RoutedOrder['payee'] & object): Partial<RoutedOrder> {
  return { operation: 'payout', type: 'payout', card: undefined, payee };
}
