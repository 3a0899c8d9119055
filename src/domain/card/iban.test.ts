import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeIban, normaliseIban, whyNotIban } from './iban.ts';

const RIGHT = `GB82WEST12345698765432 DE89370400440532013000 FR1420041010050500013M02606 LV80BANK0000435195001
  EE382200221020145685 LT121000011101001000 MT84MALT011000012345MTLCAST001S NO9386011117947 BE71096123456769
  PL61109010140000071219812874 AE070331234567890123456 TR330006100519786457841326 KZ86125KZT5004100100
  UA213223130000026007233566001 CH9300762011623852957 NL91ABNA0417164300
  CI93CI0080111301134291200589`.split(/\s+/);

describe('an IBAN', () => {
  it.each(RIGHT)('%s is right', (iban) => {
    expect(looksLikeIban(iban)).toBe(true);
    expect(whyNotIban(iban)).toBeUndefined();
  });

  it('may be written in groups and small letters', () => {
    const typed = 'gb82 west 1234 5698 7654 32';
    expect(looksLikeIban(typed)).toBe(true);
    expect(whyNotIban(normaliseIban(typed))).toBeUndefined();
  });

  it.each([
    ['NL91ABNA0517164300', /check digits/],
    ['GB82WEST1234569876543', /22 characters/],
    ['DE8937040044053201300O', /check digits/],
    ['US12345678901234567890', /begins with US/],
    ['DE00370400440532013000', /check digits/],
    ['LT991000011101001234', /check digits/],
    ['DE8937040044053201300é', /check digits/],
    ['CI94CI0080111301134291200589', /check digits/],
    ['GB98123456123456987654', /other places/],
  ])('%s is not', (iban, why) => {
    expect(whyNotIban(iban)).toMatch(why);
  });

  it.each(['12345678', '021000021', 'ACC-1', 'A1', ''])('%j is another kind of account number', (number) => {
    expect(looksLikeIban(number)).toBe(false);
  });

  // A digit taken for a letter changes how long the number is, and the remainder does not always notice.
  it('is never right with one character mistaken for another of its kind, or two neighbours of a kind swapped', () => {
    const isDigit = (character: string | undefined) => /\d/.test(character ?? '');
    fc.assert(
      fc.property(fc.constantFrom(...RIGHT), fc.nat(30), fc.nat(35), fc.boolean(), (iban, place, step, swap) => {
        const at = 2 + (place % (iban.length - 3));
        const [here = '', next = ''] = [iban[at], iban[at + 1]];
        const kind = isDigit(here) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
        const other = kind[(kind.indexOf(here) + step) % kind.length];
        const isSwap = swap && isDigit(here) === isDigit(next);
        const changed = iban.slice(0, at) + (isSwap ? next + here : `${other}${next}`) + iban.slice(at + 2);
        if (changed !== iban) expect(whyNotIban(changed)).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
  });
});
