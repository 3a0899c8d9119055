import { describe, expect, it } from 'vitest';
import { meaningOf } from './action-codes.ts';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, step) => String(from + step));

describe('meaningOf', () => {
  it.each([
    ['101', 'The card has expired.'],
    ['116', 'There are not enough funds.'],
    ['119', 'The cardholder may not make this kind of payment.'],
    ['209', 'The card was reported stolen.'],
    ['913', 'The bank already holds a different transaction under this reference.'],
  ])('%s means "%s"', (code, meaning) => {
    expect(meaningOf(code)).toBe(meaning);
  });

  it.each([
    ['198', 'The bank declined the payment.'],
    ['286', 'The bank declined the payment and wants the card withheld.'],
    ['956', 'The bank could not process the payment.'],
    ['000', 'The bank approved the payment.'],
    ['480', 'The bank reversed the payment.'],
    ['777', 'The bank answered with a code that is not known.'],
    ['', 'The bank answered with a code that is not known.'],
    ['1', 'The bank answered with a code that is not known.'],
    ['1000', 'The bank answered with a code that is not known.'],
  ])('the private or unreadable code "%s" is judged by its range', (code, meaning) => {
    expect(meaningOf(code)).toBe(meaning);
  });

  it('every standard decline and pick-up has a sentence of its own', () => {
    const standard = [...numbers(100, 129), ...numbers(200, 210)];
    expect(new Set(standard.map(meaningOf)).size).toBe(standard.length);
    expect(standard.map(meaningOf)).not.toContain(meaningOf('199'));
  });
});
