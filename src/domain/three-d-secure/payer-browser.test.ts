import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payerBrowser, screenFor, type ToldOfBrowser } from './payer-browser.ts';

const headers = { acceptHeader: 'text/html', userAgent: 'Test/1.0', language: 'en-GB' };
const screen = { colorDepth: '24', screenHeight: '900', screenWidth: '1440', timeZone: '-120', javaEnabled: 'false' };

describe("the payer's browser", () => {
  it.each<[string, ToldOfBrowser, object]>([
    ['headers alone', headers, { javascriptEnabled: false, language: 'en-GB' }],
    [
      'with its screen',
      { ...headers, ...screen },
      { javascriptEnabled: true, screen: { colorDepth: '24', width: '1440' } },
    ],
    ['a screen of 30 bits', { ...headers, ...screen, colorDepth: '30' }, { screen: { colorDepth: '24' } }],
    ['a screen of 99 bits', { ...headers, ...screen, colorDepth: '99' }, { screen: { colorDepth: '48' } }],
    ['a list of languages', { ...headers, language: 'de-AT,de;q=0.9,en;q=0.8' }, { language: 'de-AT' }],
    ['a long language', { ...headers, language: 'zh-Hans-CN' }, { language: 'zh' }],
    ['no language at all', { ...headers, language: '*' }, { language: 'en' }],
    ['a long header', { ...headers, userAgent: 'x'.repeat(4000) }, { userAgent: 'x'.repeat(2048) }],
    ['scripts switched off', { ...headers, ...screen, javascriptEnabled: 'false' }, { javascriptEnabled: false }],
    ['half a screen', { ...headers, ...screen, timeZone: undefined }, { javascriptEnabled: false }],
    ['its address', { ...headers, ip: '203.0.113.7' }, { ip: '203.0.113.7' }],
  ])('%s', (_, told, expected) => {
    expect(payerBrowser(told)).toMatchObject(expected);
  });

  it('names what is missing', () => {
    expect(payerBrowser({ acceptHeader: 'text/html', userAgent: ' ' })).toEqual(['userAgent', 'language']);
  });

  it('has a screen where the version wants one', () => {
    const plain = payerBrowser(headers);
    const full = payerBrowser({ ...headers, ...screen });
    if ('length' in plain || 'length' in full) throw new Error('both are complete');
    expect(screenFor('2.2.0', plain)).toBeUndefined();
    expect(screenFor('2.1.0', plain)).toMatchObject({ colorDepth: '24', height: '0' });
    expect(screenFor('2.2.0', full)).toMatchObject({ height: '900' });
    expect(screenFor('2.1.0', full)).toMatchObject({ height: '900' });
  });

  it('fits the protocol, whatever a browser says', () => {
    const anything = fc.record(
      Object.fromEntries([...Object.keys(headers), ...Object.keys(screen)].map((name) => [name, fc.string()])),
    );
    fc.assert(
      fc.property(anything, (told) => {
        const browser = payerBrowser({ ...headers, ...told });
        if ('length' in browser) return;
        expect(browser.language).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,7}$/);
        expect(browser.acceptHeader.length).toBeLessThanOrEqual(2048);
        if (browser.screen) expect([1, 4, 8, 15, 16, 24, 32, 48]).toContain(Number(browser.screen.colorDepth));
      }),
    );
  });
});
