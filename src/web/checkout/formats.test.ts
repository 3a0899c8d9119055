import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../domain/merchant/look.ts';
import { countries, momentText, shownAmount } from './formats.ts';

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('an amount', () => {
  it.each<[bigint, string, Language, string]>([
    [1042n, 'USD', 'en', '$10.42'],
    [104250n, 'EUR', 'de', '1.042,50 €'],
    [104250n, 'EUR', 'fr', '1 042,50 €'],
    [104250n, 'RUB', 'ru', '1 042,50 ₽'],
    [500n, 'JPY', 'en', '¥500'],
    [9_999_999_999n, 'KWD', 'es', '9.999.999,999 KWD'],
    // The library would show this currency without decimals.
    [123456n, 'ISK', 'en', 'ISK 123,456'],
    [1042n, 'USD', 'ar', '\u206610.42 US$\u2069'],
  ])('of %s %s in %s', (minor, currency, language, text) => {
    expect(plain(shownAmount({ minor, currency }, language))).toBe(text);
  });
});

it.each(LANGUAGES)('names every country in %s', (language) => {
  const all = countries(language);
  expect(all.length).toBeGreaterThan(240);
  expect(all.filter(([code, name]) => name === '' || name === code)).toEqual([]);
});

it('writes a moment for machines and for people', () => {
  const text = plain(momentText(Date.UTC(2026, 5, 1, 14, 30), 'time', 'en').text);
  expect(text).toBe('<time datetime="2026-06-01T14:30:00.000Z" data-style="time">2:30 PM UTC</time>');
});
