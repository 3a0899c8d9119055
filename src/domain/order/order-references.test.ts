import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InstructionPlace, placeOfReference, referenceAt } from './order.ts';

const ORDERED_AT = Date.UTC(2027, 0, 1);
const TIME = ORDERED_AT.toString(36);

describe('the name of an instruction at the bank', () => {
  it.each<[string, Pick<InstructionPlace, 'orderId' | 'seq' | 'leg'>, string]>([
    ['has the time of its order', { orderId: 1042, seq: 1, leg: 1 }, `1042-1-${TIME}`],
    ['tells a second leg', { orderId: 1042, seq: 2, leg: 2 }, `1042-2-2-${TIME}`],
    ['has it above 32 bits too', { orderId: 2 ** 31, seq: 1, leg: 1 }, `2147483648-1-${TIME}`],
    ['has it up to the last counted id', { orderId: 99_999_999_999, seq: 1, leg: 1 }, `99999999999-1-${TIME}`],
    ['stays what it was for older ids', { orderId: 225_233_353_367_552, seq: 1, leg: 1 }, '225233353367552-1'],
    ['stays for their legs', { orderId: 225_233_353_367_552, seq: 3, leg: 2 }, '225233353367552-3-2'],
  ])('%s', (_, place, reference) => {
    expect(referenceAt({ ...place, orderedAt: ORDERED_AT })).toBe(reference);
  });

  it('is another one for an id that a restored counter gives again', () => {
    const place = { orderId: 1042, seq: 1, leg: 1 };
    expect(referenceAt({ ...place, orderedAt: ORDERED_AT })).not.toBe(
      referenceAt({ ...place, orderedAt: ORDERED_AT + 1 }),
    );
  });

  it('leads back to the order and the transaction, whatever it was made of', () => {
    const place = fc.record({
      orderId: fc.integer({ min: 1, max: 999_999_999_999_999 }),
      orderedAt: fc.integer({ min: 0, max: ORDERED_AT * 2 }),
      seq: fc.integer({ min: 1, max: 999 }),
      leg: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(place, ({ orderId, orderedAt, seq, leg }) => {
        expect(placeOfReference(referenceAt({ orderId, orderedAt, seq, leg }))).toEqual({ orderId, seq });
      }),
    );
  });

  it.each([
    '',
    '1042',
    '0-1',
    '1042-0',
    '1042-1-',
    '-1-1',
    '1e3-1',
    '1042-1-2-x-y',
    ' 1042-1',
    '1042-1\n',
    '9'.repeat(17),
  ])('is not %j', (text) => expect(placeOfReference(text)).toBeUndefined());
});
