// The test cards are valid numbers, no two ranges overlap, and the guide describes each card as it behaves.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { passesLuhn } from '../../domain/card/card.ts';
import { NETWORK_FAULTS } from './faults.ts';
import { numberRanges, TEST_CARDS } from './test-cards.ts';

const guide = readFileSync(new URL('../../../docs/guides/3-d-secure-sandbox.md', import.meta.url), 'utf8');

describe.each(Object.entries(TEST_CARDS))('%s', (_name, { number, means, versions }) => {
  it('has a right check digit, and is in a range exactly when its issuer speaks EMV 3DS', () => {
    expect(passesLuhn(number)).toBe(true);
    const holding = numberRanges().filter(
      ({ start, end }) => start.length === number.length && start <= number && number <= end,
    );
    expect(holding).toHaveLength(versions === undefined ? 0 : 1);
  });

  it('is in the guide', () => {
    expect(guide).toContain(`| ${number} | ${means} |`);
  });
});

it('ranges do not overlap, and hold every length', () => {
  const sorted = numberRanges().sort((a, b) => a.start.length - b.start.length || (a.start < b.start ? -1 : 1));
  for (const [place, { start }] of sorted.entries()) {
    const before = sorted[place - 1];
    if (before?.end.length === start.length) expect(before.end < start).toBe(true);
  }
  expect(new Set(sorted.map(({ start }) => start.length))).toEqual(new Set([13, 14, 15, 16, 17, 18, 19]));
});

it('every fault is in the guide', () => {
  for (const [place, words] of Object.entries(NETWORK_FAULTS)) {
    for (const word of words.filter((each) => each !== 'none')) expect(guide).toContain(`| \`--${place} ${word}\` |`);
  }
});
