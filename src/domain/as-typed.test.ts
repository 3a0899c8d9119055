import { describe, expect, it } from 'vitest';
import { digitsOf, plainDigits, plainPhone } from './as-typed.ts';

describe('what people type', () => {
  it.each([
    ['٤١١١ ١١١١', '4111 1111'],
    ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['٠٨ / ٢٩', '08 / 29'],
    ['Ann 12', 'Ann 12'],
  ])('%s has the digits of %s', (typed, meant) => {
    expect(plainDigits(typed)).toBe(meant);
    expect(digitsOf(typed)).toBe(meant.replaceAll(/\D/g, ''));
  });

  it.each([
    ['+44 20 7946 0958', '+442079460958'],
    ['+1 (555) 123-4567', '+15551234567'],
    ['030/12 34 56', '030123456'],
    ['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '+966501234567'],
    ['none', 'none'],
  ])('the phone number %s is %s', (typed, meant) => {
    expect(plainPhone(typed)).toBe(meant);
  });
});
