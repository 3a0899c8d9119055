// Numbers that pass for cards, as many as a thief has, and the thief's way of working through them.

import { passesLuhn } from '../../src/domain/card/luhn.ts';

/** The bank declines a card with this security code. */
export const WRONG_CODE = '100';

/** The same number for the same place in the thief's list. */
export function stolenCard(place: number): string {
  const digits = `411112${String(place).padStart(9, '0')}`;
  const check = [...'0123456789'].find((digit) => passesLuhn(digits + digit)) as string;
  return digits + check;
}

/** Works through places 0, 1, 2 … with so many hands at once. */
export async function workThrough<T>(count: number, hands: number, one: (place: number) => Promise<T>): Promise<T[]> {
  const outcomes: T[] = [];
  let next = 0;
  const hand = async () => {
    for (let place = next++; place < count; place = next++) outcomes.push(await one(place));
  };
  await Promise.all(Array.from({ length: hands }, hand));
  return outcomes;
}

export function tally(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of outcomes) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}
