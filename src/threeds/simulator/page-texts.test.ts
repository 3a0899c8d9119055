import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../domain/merchant/look.ts';
import { ISSUER_TEXTS, type IssuerTexts, issuerLanguage, switchedLanguage } from './page-texts.ts';
import { questionPage } from './pages.ts';

const names = Object.keys(ISSUER_TEXTS.en) as (keyof IssuerTexts)[];
const words = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, word]) => word);
// A shop is a shop in German too.
const SAME = new Set<string>(['shop']);

describe.each(LANGUAGES)('the issuer’s texts in %s', (language) => {
  it('say the same things, and are translated', () => {
    for (const name of names) {
      const text = ISSUER_TEXTS[language][name];
      expect(words(text)).toEqual(words(ISSUER_TEXTS.en[name]));
      if (language !== 'en' && !SAME.has(name)) expect(text).not.toBe(ISSUER_TEXTS.en[name]);
    }
  });

  it('stand on its page', () => {
    const asked = { action: 'answer', transaction: 'one', merchant: '<b>', amount: '10.42 USD', lastFour: '1111' };
    const { body, headers } = questionPage({ ...asked, language, wrongAnswers: 1 });
    expect(body).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
    expect(body).toContain(ISSUER_TEXTS[language].confirmPayment);
    expect(body).toContain('&lt;b&gt;');
    expect(body).not.toMatch(/[{}]/);
    expect(headers['content-language']).toBe(language);
  });
});

describe('the language of the issuer’s page', () => {
  it.each<[readonly (string | undefined)[], string]>([
    [[], 'en'],
    [[undefined, 'de-CH'], 'de'],
    [['xx', 'fr,de;q=0.5'], 'fr'],
    [['ar', 'de'], 'ar'],
  ])('of %j is %s', (tags, language) => {
    expect(issuerLanguage(...tags)).toBe(language);
  });

  it.each([
    ['ZGU', 'de'],
    ['', undefined],
    ['bm90IGEgbGFuZ3VhZ2U', undefined],
    [undefined, undefined],
  ])('in the session data %s is %s', (data, language) => {
    expect(switchedLanguage(data)).toBe(language);
  });
});
