import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, lightenedFor, MIN_TEXT_CONTRAST, readColour, textOn } from './colours.ts';
import { colourFault, darkAccent, logoTypeOf, lookText, PALETTE } from './look.ts';

const colours = fc
  .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }))
  .map((channels) => `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`);

describe('the contrast of two colours', () => {
  // Published figures of the WCAG formula.
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4.0],
    ['#0000ff', '#ffffff', 8.59],
  ])('%s on %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 1);
    expect(contrast(other, one)).toBe(contrast(one, other));
  });

  it('is enough for the text on any button', () => {
    fc.assert(fc.property(colours, (colour) => contrast(textOn(colour), colour) >= MIN_TEXT_CONTRAST));
  });

  it('is enough for any accent on dark pages', () => {
    const { surface } = PALETTE.dark;
    fc.assert(fc.property(colours, (colour) => contrast(lightenedFor(surface, colour), surface) >= MIN_TEXT_CONTRAST));
    fc.assert(fc.property(colours, (accent) => contrast(darkAccent({ accent }), surface) >= MIN_TEXT_CONTRAST));
  });
});

describe('a look', () => {
  it.each([
    ['#2347C5', '#2347c5'],
    [' #1a4 ', '#11aa44'],
    ['2347c5', undefined],
    ['#2347c5;}', undefined],
    ['red', undefined],
  ])('reads the colour %s as %s', (text, colour) => {
    expect(readColour(text)).toBe(colour);
  });

  it('takes its own colours', () => {
    expect(colourFault('accent', PALETTE.light.accent)).toBeUndefined();
    expect(colourFault('accentDark', PALETTE.dark.accent)).toBeUndefined();
    expect(colourFault('background', PALETTE.light.background)).toBeUndefined();
    expect(colourFault('accent', '#9db4ff')).toMatch(/contrast of 1\.\d\d with a light page/);
  });

  it('has the colours of the stylesheet', () => {
    const css = readFileSync(new URL('../../web/design/pages.css', import.meta.url), 'utf8');
    const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
    for (const [name, colour] of Object.entries(PALETTE.light)) expect(light).toContain(`--${name}: ${colour};`);
    for (const [name, colour] of Object.entries(PALETTE.dark)) expect(dark).toContain(`--${name}: ${colour};`);
  });

  it('says its texts in the payer’s language, or in the one for all', () => {
    const look = { texts: { intro: { all: 'Hello', de: 'Hallo' } } };
    expect(lookText(look, 'intro', 'de')).toBe('Hallo');
    expect(lookText(look, 'intro', 'fr')).toBe('Hello');
    expect(lookText(look, 'help', 'fr')).toBeUndefined();
    expect(lookText({}, 'help', 'fr')).toBeUndefined();
  });

  it.each([
    [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], 'image/png'],
    [[0xff, 0xd8, 0xff, 0xe0], 'image/jpeg'],
    [[...Buffer.from('RIFF????WEBPVP8 ')], 'image/webp'],
    [[...Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')], undefined],
    [[...Buffer.from('RIFF????WAVE')], undefined],
    [[...Buffer.from('GIF89a')], undefined],
    [[], undefined],
  ])('knows a picture by its first bytes', (bytes, type) => {
    expect(logoTypeOf(Uint8Array.from(bytes))).toBe(type);
  });
});
