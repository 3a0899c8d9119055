import { describe, expect, it } from 'vitest';
import { routeInWords } from './route-words.ts';

describe('the rules of a route in words', () => {
  it.each([
    ['bank-a', ['Always: to bank-a.']],
    [
      'brand=VISA,AMEX -> bank-a,bank-b; bank-c',
      ['If the card is VISA or AMEX: to bank-a, then bank-b.', 'Otherwise: to bank-c.'],
    ],
    [
      'share=20 amount=10.00- -> a; b',
      [
        'If the order is among 20% of those that come so far, and the amount is at least 10.00: to a.',
        'Otherwise: to b.',
      ],
    ],
    ['amount=-5.00 -> a', ['If the amount is at most 5.00: to a.']],
    [
      'amount=1.00-5.00 initiator=merchant -> a',
      ['If the amount is from 1.00 to 5.00, and it is begun by the merchant: to a.'],
    ],
  ])('%s', (text, lines) => {
    expect(routeInWords(text)).toEqual({ lines, fault: undefined });
  });

  it('says what is wrong with others', () => {
    expect(routeInWords('colour=red -> a').fault).toMatch(/no word "colour"/);
  });
});
