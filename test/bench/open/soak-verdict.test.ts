import { expect, it } from 'vitest';
import { growthOf, soakVerdict } from './soak-verdict.mjs';

it.each<[values: number[], growth: number]>([
  [[10, 10, 10, 10], 0],
  [[9, 10, 11], 0.2],
  [[11, 10, 9], -0.2],
  [[10, 30], 0],
])('%j grows by %d of its mean', (values, growth) => {
  expect(growthOf(values)).toBeCloseTo(growth);
});

it('sees a leak of a megabyte a minute, and forgives a warm-up and noise', () => {
  const minutes = Array.from({ length: 60 }, (_, minute) => minute);
  const noise = (minute: number) => ((minute * 7919) % 13) / 13 - 0.5;
  const flat = minutes.map((minute) => ({
    ...{ heap: 32 + noise(minute) + (minute < 6 ? minute - 6 : 0), resident: 240 + 10 * noise(minute) },
    ...{ p50: 2 + 0.3 * noise(minute), p99: 12 + 8 * noise(minute) },
  }));
  expect(soakVerdict(flat).every(({ isFlat }) => isFlat)).toBe(true);
  const leaking = flat.map((row, minute) => ({ ...row, heap: row.heap + minute }));
  expect(
    soakVerdict(leaking)
      .filter(({ isFlat }) => !isFlat)
      .map(({ name }) => name),
  ).toEqual(['heap']);
  const slower = flat.map((row, minute) => ({ ...row, p99: row.p99 * (1 + minute / 30) }));
  expect(
    soakVerdict(slower)
      .filter(({ isFlat }) => !isFlat)
      .map(({ name }) => name),
  ).toEqual(['p99']);
});
