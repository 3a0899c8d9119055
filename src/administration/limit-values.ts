// What a limit is made of, as an administrator gives it: a window of time, a count and a sum.

import type { Endpoint } from '../domain/merchant/merchant.ts';
import { readAmount, writeAmount } from '../domain/money/money.ts';
import { type Given, shown, Unfit } from './given.ts';

const MAX_COUNT = 1_000_000;
const MAX_WINDOW_MS = 31 * 24 * 60 * 60 * 1000;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function windowOf({ window }: Given, or = ''): number {
  const [, figure, unit] = (typeof window === 'string' && /^([1-9]\d{0,6})([smhd])$/.exec(window)) || [];
  const windowMs = Number(figure) * UNITS[unit as keyof typeof UNITS];
  if (windowMs <= MAX_WINDOW_MS) return windowMs;
  throw new Unfit(`window: a time up to 31d such as 90s, 30m, 24h or 7d${or} is needed, not ${shown(window)}`);
}

/** In the largest unit that leaves nothing over. */
export function writeWindow(windowMs: number): string {
  const [unit, length] = Object.entries(UNITS).findLast(([, one]) => windowMs % one === 0) ?? ['s', UNITS.s];
  return `${windowMs / length}${unit}`;
}

export function countOf({ count }: Given): number | undefined {
  if (count === undefined) return undefined;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MAX_COUNT) return count;
  throw new Unfit(`count: a whole number from 1 to ${MAX_COUNT} is needed, not ${shown(count)}`);
}

export function sumOf({ amount }: Given, { currency }: Endpoint): bigint | undefined {
  if (amount === undefined) return undefined;
  const minor = typeof amount === 'string' ? readAmount(amount, currency, 'major') : undefined;
  if (minor !== undefined) return minor;
  const example = writeAmount({ minor: 50_000n, currency }, 'major');
  throw new Unfit(`amount: an amount in ${currency} such as ${example} is needed, not ${shown(amount)}`);
}
