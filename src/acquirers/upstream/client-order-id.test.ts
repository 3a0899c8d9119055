import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import {
  clientOrderIdOf,
  readProviderOrder,
  referenceIn,
  storedCardId,
  writeProviderOrder,
} from './client-order-id.ts';

const DIGEST = /^r-[0-9a-f]{64}$/;

describe('our reference as client order id', () => {
  it.each(['4711-1-mfx8k2ab', '4711-1-2-mfx8k2ab', '1800000000000-1', 'a', 'a.b_c-d'])('%s stays as it is', (text) => {
    expect(clientOrderIdOf(text)).toBe(text);
    expect(referenceIn(text)).toBe(text);
  });

  it.each(['', 'ä', 'a b', '-a', 'x'.repeat(65), 'a\n', `r-${'0'.repeat(64)}`])('%j is named by its digest', (text) => {
    expect(clientOrderIdOf(text)).toMatch(DIGEST);
    expect(referenceIn(clientOrderIdOf(text))).toBeUndefined();
  });

  it('is another for another reference, fits every provider, and tells a reference only if it is its own', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(clientOrderIdOf(one) === clientOrderIdOf(other)).toBe(one === other);
        expect(clientOrderIdOf(one)).toMatch(/^[\x21-\x7e]{1,128}$/);
        expect([one, undefined]).toContain(referenceIn(clientOrderIdOf(one)));
      }),
    );
  });
});

describe('a card stored at the provider', () => {
  const key = new Secret('a key');
  const card = { number: new Secret('4111111111111111'), expireMonth: 12, expireYear: 2031 };

  it('has one id, whoever holds it and whatever its code is, and no other card has it', () => {
    const id = storedCardId(card, 'USD', key);
    expect(id).toMatch(/^card-[0-9a-f]{40}$/);
    expect(storedCardId({ ...card, holder: 'ANN', cvv: new Secret('123') }, 'USD', key)).toBe(id);
    const others = [
      storedCardId({ ...card, expireMonth: 11 }, 'USD', key),
      storedCardId({ ...card, number: new Secret('5555555555554444') }, 'USD', key),
      storedCardId(card, 'EUR', key),
      storedCardId(card, 'USD', new Secret('another')),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });
});

describe('an order at the provider', () => {
  it.each([
    [
      { reference: '7-1', processorTxId: '42' },
      { orderId: '42', clientOrderId: '7-1' },
    ],
    [
      { reference: '7-2', processorTxId: '42/7-1' },
      { orderId: '42', clientOrderId: '7-1' },
    ],
    [{ reference: '7-1', processorTxId: '' }, undefined],
    [{ reference: '7-1' }, undefined],
    [{ reference: '7-1', processorTxId: 'ch_42' }, undefined],
  ])('%j is %j', (origin, order) => {
    expect(readProviderOrder(origin)).toEqual(order);
  });

  it('is found again from the name of its follow-up', () => {
    const order = { orderId: '42', clientOrderId: '7-1' };
    expect(readProviderOrder({ reference: '7-2', processorTxId: writeProviderOrder(order) })).toEqual(order);
  });
});
