import { describe, expect, it } from 'vitest';
import { lookCss, previewColours } from './look-colours.ts';

const of = (given: Record<string, string>) => previewColours((part) => given[part] ?? '');

describe('the colours of a look that is being chosen', () => {
  it("are the pages' own where nothing is chosen", () => {
    expect(of({})).toMatchObject({ light: { '--accent': '#2347c5' }, dark: { '--accent': '#9db4ff' }, faults: [] });
  });

  it('give dark pages a lighter accent, and buttons a text that can be read', () => {
    const { light, dark, faults } = of({ accent: '#7a1f3d' });
    expect(faults).toEqual([]);
    expect(light).toMatchObject({ '--accent': '#7a1f3d', '--on-accent': '#ffffff' });
    expect(dark['--accent']).not.toBe('#7a1f3d');
  });

  it.each([
    [{ accent: '#ffff00' }, /contrast of 1\.\d\d with a light page/],
    [{ accentDark: '#111111' }, /with a dark page/],
    [{ background: '#444444' }, /with the text on it/],
    [{ accent: 'red' }, /^red is no colour/],
  ])('%j are complained of as they would be refused', (given, fault) => {
    expect(of(given).faults).toEqual([expect.stringMatching(fault)]);
  });

  it('let nothing but colours into a stylesheet', () => {
    expect(lookCss({ accent: 'red; } body { display: none' })).not.toContain('body');
  });
});
