import { describe, expect, it } from 'vitest';
import { type Attempt, type AttemptQuestion, isFinalDecline, judgeAttempt } from './network-limits.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 5, 15, 12);

/** Attempts over one amount: the newest is `agoMs` old, the others `apartMs` apart. */
const tried = (times: number, { agoMs = 0, minor = 1000n, currency = 'USD', apartMs = HOUR } = {}): Attempt[] =>
  Array.from({ length: times }, (_, index) => ({ at: NOW - agoMs - index * apartMs, minor, currency }));

const question: AttemptQuestion = {
  brand: 'VISA',
  currency: 'USD',
  amounts: [1000n],
  attempts: [],
  declineCodes: [],
  now: NOW,
};

type Row = [title: string, asked: Partial<AttemptQuestion>, allowed: boolean];

const ROWS: Row[] = [
  ['a first attempt', {}, true],
  ['Visa, 19 declines within 30 days', { attempts: tried(19) }, true],
  ['Visa, 20 declines within 30 days', { attempts: tried(20) }, false],
  ['Visa, the twentieth is 30 days old', { attempts: [...tried(19), ...tried(1, { agoMs: 30 * DAY })] }, true],
  ['Visa, 20 declines over another amount', { attempts: tried(20, { minor: 999n }) }, true],
  ['Visa, 20 declines over the same figure in another currency', { attempts: tried(20, { currency: 'JPY' }) }, true],
  ['Visa, two amounts, one of them used up', { amounts: [2000n, 1000n], attempts: tried(20) }, false],
  ['Visa, the same amount twice with one attempt left', { amounts: [1000n, 1000n], attempts: tried(19) }, false],
  ['Visa before May 2025, 15 declines', { now: Date.UTC(2025, 4, 1), attempts: early(15) }, false],
  ['Visa before May 2025, 14 declines', { now: Date.UTC(2025, 4, 1), attempts: early(14) }, true],
  ['Mastercard, 9 declines within a day', { brand: 'MASTERCARD', attempts: tried(9) }, true],
  ['Mastercard, 10 declines within a day', { brand: 'MASTERCARD', attempts: tried(10) }, false],
  ['Mastercard, 10 over any amounts', { brand: 'MASTERCARD', attempts: tried(10, { minor: 5n }) }, false],
  [
    'Mastercard, three amounts with two attempts left',
    { brand: 'MASTERCARD', amounts: [3n, 2n, 1n], attempts: tried(8) },
    false,
  ],
  [
    'Mastercard, 34 declines within 30 days',
    { brand: 'MASTERCARD', attempts: tried(34, { apartMs: 20 * HOUR, agoMs: DAY }) },
    true,
  ],
  [
    'Mastercard, 35 declines within 30 days',
    { brand: 'MASTERCARD', attempts: tried(35, { apartMs: 19 * HOUR, agoMs: DAY }) },
    false,
  ],
  [
    'Mastercard, two further terminals with two attempts left',
    { brand: 'MASTERCARD', attempts: tried(8), furtherTerminals: 2 },
    false,
  ],
  ['Visa, a further terminal with one attempt left', { attempts: tried(19), furtherTerminals: 1 }, false],
  ['Visa, a further terminal with two attempts left', { attempts: tried(18), furtherTerminals: 1 }, true],
  ['Maestro follows Mastercard', { brand: 'MAESTRO', attempts: tried(10) }, false],
  ['American Express has no count', { brand: 'AMEX', attempts: tried(100) }, true],
  ['Visa, declined for good', { declineCodes: ['116', '209'] }, false],
  ['American Express, declined for good', { brand: 'AMEX', declineCodes: ['208'] }, false],
  ['a card declined for want of money', { declineCodes: ['116', '100'] }, true],
];

function early(times: number): Attempt[] {
  return tried(times).map((one) => ({ ...one, at: one.at - NOW + Date.UTC(2025, 4, 1) }));
}

describe('another attempt on a card', () => {
  it.each(ROWS)('%s', (_, asked, allowed) => {
    expect(judgeAttempt({ ...question, ...asked }) === undefined).toBe(allowed);
  });

  it('is allowed again when enough declines have left the window', () => {
    const attempts = tried(21);
    const { until } = judgeAttempt({ ...question, attempts }) ?? {};
    expect(until).toBe(NOW - 19 * HOUR + 30 * DAY);
    expect(judgeAttempt({ ...question, attempts, now: (until as number) - 1 })).toBeDefined();
    expect(judgeAttempt({ ...question, attempts, now: until as number })).toBeUndefined();
  });

  it('waits for the later of two limits', () => {
    const attempts = [...tried(10), ...tried(25, { agoMs: 2 * DAY })];
    const { until } = judgeAttempt({ ...question, brand: 'MASTERCARD', attempts }) ?? {};
    expect(until).toBe(NOW - 2 * DAY - 24 * HOUR + 30 * DAY);
  });

  it('is never allowed after a final decline, nor for more amounts than the limit', () => {
    expect(judgeAttempt({ ...question, declineCodes: ['119'] })).toMatchObject({ until: undefined });
    const amounts = Array.from({ length: 11 }, (_, index) => BigInt(index + 1));
    expect(judgeAttempt({ ...question, brand: 'MASTERCARD', amounts })).toMatchObject({ until: undefined });
  });
});

describe('a final decline', () => {
  it.each(['111', '118', '119', '200', '201', '207', '208', '209', '210', '299', '902', '908'])('%s', (code) => {
    expect(isFinalDecline(code)).toBe(true);
  });
  it.each(['100', '101', '104', '109', '116', '121', '124', '125', '907', '909', '911', '20', ''])(
    '%s is not',
    (code) => {
      expect(isFinalDecline(code)).toBe(false);
    },
  );
});
