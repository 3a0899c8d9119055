import { expect, it } from 'vitest';
import { networkLimitsOf, type Settings } from './settings.ts';

it.each<[Settings['mode'], Settings['networkLimits'], 'on' | 'off']>([
  ['production', undefined, 'on'],
  ['production', 'off', 'off'],
  ['sandbox', undefined, 'off'],
  ['sandbox', 'on', 'on'],
])('in %s, set to %s, the limits of card networks are %s', (mode, networkLimits, limits) => {
  expect(networkLimitsOf({ mode, networkLimits } as Settings)).toBe(limits);
});
