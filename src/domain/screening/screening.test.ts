import { describe, expect, it } from 'vitest';
import { errors } from '../errors.ts';
import type { FilterReason } from './filter-reason.ts';
import {
  type Counted,
  countedBy,
  duplicateGuard,
  judgeLimits,
  type LimitKind,
  type Tally,
  type VelocityLimit,
  windowStart,
} from './screening.ts';

const HOUR = 60 * 60 * 1000;

const limit = (changes: Partial<VelocityLimit>): VelocityLimit => ({
  kind: 'card',
  windowMs: HOUR,
  maxCount: undefined,
  maxSum: undefined,
  ...changes,
});

const five = limit({ maxCount: 5 });
const money = limit({ maxSum: 50_000n });
const both = limit({ maxCount: 5, maxSum: 50_000n });

type Row = [title: string, limit: VelocityLimit, before: [count: number, sum: bigint], amount: bigint, passes: boolean];

const ROWS: Row[] = [
  ['the first order', five, [0, 0n], 1000n, true],
  ['the fifth of five', five, [4, 4000n], 1000n, true],
  ['the sixth of five', five, [5, 5000n], 1000n, false],
  ['far beyond, because the limit was lowered', five, [9, 9000n], 1000n, false],
  ['any amount when only orders count', five, [4, 10n ** 12n], 10n ** 10n, true],
  ['exactly up to the sum', money, [3, 49_000n], 1000n, true],
  ['a minor unit beyond the sum', money, [3, 49_000n], 1001n, false],
  ['one order over the whole sum', money, [0, 0n], 50_000n, true],
  ['one order beyond the whole sum', money, [0, 0n], 50_001n, false],
  ['any number when only money counts', money, [1_000_000, 0n], 1n, true],
  ['both kept', both, [4, 49_999n], 1n, true],
  ['both set, orders used up', both, [5, 5n], 1n, false],
  ['both set, money used up', both, [1, 50_000n], 1n, false],
  ['a limit of one, first', limit({ maxCount: 1 }), [0, 0n], 1n, true],
  ['a limit of one, second', limit({ maxCount: 1 }), [1, 1n], 1n, false],
];

describe('one more order', () => {
  it.each(ROWS)('%s', (_, one, [count, sum], amount, passes) => {
    const reason = judgeLimits([{ limit: one, tally: { count, sum } }], amount);
    expect(reason).toBe(passes ? undefined : 'card-over-limit');
  });

  it('passes where there is no limit', () => {
    expect(judgeLimits([], 1n)).toBeUndefined();
  });

  it.each<[kinds: LimitKind[], reason: FilterReason]>([
    [['address'], 'address-over-limit'],
    [['address', 'email'], 'email-over-limit'],
    [['address', 'email', 'card'], 'card-over-limit'],
    [['address', 'email', 'card', 'payment'], 'duplicate-payment'],
  ])('that breaks limits by %s is told the most telling one', (kinds, reason) => {
    const tally: Tally = { count: 1, sum: 1n };
    const counted = kinds.map((kind) => ({ limit: limit({ kind, maxCount: 1 }), tally }));
    const kept = { limit: limit({ kind: 'email', maxCount: 9 }), tally };
    expect(judgeLimits([kept, ...counted], 1n)).toBe(reason);
  });

  it('is told a number between 70 and 78, and no limit', () => {
    const reasons = Object.entries(errors).filter(([, { code }]) => code >= 70 && code < 79);
    expect(reasons).toHaveLength(9);
    for (const [, { text }] of reasons) expect(text).not.toMatch(/\d/);
  });
});

describe('the window', () => {
  it('begins its length ago', () => {
    expect(windowStart(five, 10 * HOUR)).toBe(9 * HOUR);
  });

  it('of the duplicate guard holds one payment', () => {
    const guard = duplicateGuard(60_000);
    expect(judgeLimits([{ limit: guard, tally: { count: 0, sum: 0n } }], 1n)).toBeUndefined();
    expect(judgeLimits([{ limit: guard, tally: { count: 1, sum: 0n } }], 1n)).toBe('duplicate-payment');
  });
});

describe('what is counted together', () => {
  const order: Counted = { direction: 'in', amount: 1000n, card: 'c1', email: 'ann@example.com', address: '192.0.2.7' };

  it.each<[kind: LimitKind, changes: Partial<Counted>, together: boolean]>([
    ['card', { amount: 5n, email: 'bob@example.com' }, true],
    ['card', { card: 'c2' }, false],
    ['card', { direction: 'out' }, false],
    ['email', { card: 'c2', address: '192.0.2.8' }, true],
    ['email', { email: 'bob@example.com' }, false],
    ['address', { card: 'c2' }, true],
    ['address', { address: '192.0.2.8' }, false],
    ['payment', { email: 'bob@example.com' }, true],
    ['payment', { amount: 1001n }, false],
    ['payment', { card: 'c2' }, false],
  ])('by %s: %o', (kind, changes, together) => {
    const other = countedBy(kind, { ...order, ...changes });
    expect(JSON.stringify(other) === JSON.stringify(countedBy(kind, order))).toBe(together);
  });

  it.each<[LimitKind, Partial<Counted>]>([
    ['card', { card: undefined }],
    ['payment', { card: undefined }],
    ['email', { email: undefined }],
    ['address', { address: undefined }],
  ])('by %s is nothing when it is not told', (kind, changes) => {
    expect(countedBy(kind, { ...order, ...changes })).toBeUndefined();
  });
});
