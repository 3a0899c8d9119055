import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../domain/merchant/look.ts';
import { chooseLanguage, directionOf, sayIn, TEXTS } from './language.ts';
import { en, type TextName } from './texts/en.ts';

const names = Object.keys(en) as TextName[];
const words = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, word]) => word).sort();

// These texts may well be the same in another language.
const SAME = new Set(['expiryExample', 'namedFault', 'receiptDate', 'cardEnding']);

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = TEXTS[language];

  it('are all there, and no others', () => {
    expect(Object.keys(texts).sort()).toEqual([...names].sort());
    expect(names.filter((name) => texts[name].trim() === '')).toEqual([]);
  });

  it('say the same things', () => {
    expect(names.filter((name) => words(texts[name]).join() !== words(en[name]).join())).toEqual([]);
  });

  it('are translated', () => {
    if (language === 'en') return;
    expect(names.filter((name) => !SAME.has(name) && texts[name] === en[name])).toEqual([]);
  });
});

describe('the language of a payer', () => {
  it.each<[string | null, string | undefined, string]>([
    [null, undefined, 'en'],
    [null, 'de-CH, fr;q=0.8', 'de'],
    [null, 'fr;q=0.8, de;q=0.9', 'de'],
    [null, 'pt, ja;q=0.9, ru;q=0.2', 'ru'],
    [null, 'pt, *', 'en'],
    [null, 'AR-eg', 'ar'],
    [null, 'es;q=0, fr;q=0.1', 'fr'],
    [null, ';;;,,q=,', 'en'],
    ['fr', 'de', 'fr'],
    ['xx', 'de', 'de'],
    ['constructor', '__proto__', 'en'],
  ])('switched to %s, browser says %s: %s', (switched, header, language) => {
    expect(chooseLanguage(switched, header)).toBe(language);
  });

  it('is written from the right only in Arabic', () => {
    expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar']);
  });

  it('puts words into texts once', () => {
    expect(sayIn('en')('payTo', { merchant: '{amount} $& shop' })).toBe('Payment to {amount} $& shop');
  });
});
