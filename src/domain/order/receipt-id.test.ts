import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newReceiptId, orderIdIn } from './receipt-id.ts';

const RANDOM = '01234567-89ab-4cde-8f01-23456789abcd';

describe('the id of a receipt', () => {
  it.each([
    [1, '00000000-0000-801e-8f01-23456789abcd'],
    [0x7fffffff, '0000007f-ffff-8ffe-8f01-23456789abcd'],
    [Number.MAX_SAFE_INTEGER, '1fffffff-ffff-8ffe-8f01-23456789abcd'],
  ])('of order %d holds it', (orderId, receiptId) => {
    expect(newReceiptId(orderId, RANDOM)).toBe(receiptId);
    expect(orderIdIn(receiptId)).toBe(orderId);
  });

  it.each([
    RANDOM,
    randomUUID(),
    '',
    '1',
    'ffffffff-ffff-8fff-8fff-ffffffffffff',
    '00000000-0000-801E-8F01-23456789ABCD',
    '00000000-0000-801e-0f01-23456789abcd',
    '00000000-0000-801e-8f01-23456789abcd/',
  ])('%j holds none', (text) => {
    expect(orderIdIn(text)).toBeUndefined();
  });

  it('is a UUID whose other bits are those of the random one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.uuid({ version: 4 }), (orderId, random) => {
        const receiptId = newReceiptId(orderId, random);
        expect(receiptId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(orderIdIn(receiptId)).toBe(orderId);
        expect(receiptId.slice(17)).toBe(random.slice(17));
      }),
    );
  });
});
