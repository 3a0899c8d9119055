// The written bound on how long an outcome stays open, for every kind of fault a bank can have and every message it can
// hit: with a clock that is put forward to whatever is due next, each transaction is final or in the manual queue in
// time.

import { afterEach, expect, it } from 'vitest';
import type { Faults } from '../../src/acquirers/index.ts';
import {
  INQUIRY_PAUSES_MS,
  longestOpenMs,
  RESEND_PAUSES_MS,
  REVERSAL_PAUSES_MS,
} from '../../src/domain/order/retry-schedule.ts';
import { describeGateway } from '../harness.ts';

/** Passes on the clock that is put forward; hardly ever in real time, on a machine that is very busy. */
const TIMEOUT_MS = 3_000;
/** Nothing is slow here but what the test makes slow. */
const LOOKS = 5;
const LIMITS = { sendMs: TIMEOUT_MS, askMs: TIMEOUT_MS };
/** Real time that passes while the clock is put forward: polls, commits, a machine with other things to do. */
const SLACK_MS = 60_000;
const SECOND = 1_000;
const HOUR = 60 * 60 * SECOND;

const FAULTS: Readonly<Record<string, Partial<Faults>>> = {
  'a time-out: it arrives late': { requestDelayMs: TIMEOUT_MS * 2 },
  'a lost request': { loseRequestRate: 1 },
  'a lost answer': { loseAnswerRate: 1 },
  'a late answer': { answerDelayMs: TIMEOUT_MS * 4 },
  'a doubled answer': { doubleRate: 1 },
  'a refused connection': { refuseRate: 1 },
  garbage: { garbleRate: 1 },
};

type End = 'approved' | 'error' | 'stuck';

/** How the payment ends when only it is hit, when inquiries are too, and when nothing at all gets through. */
const ENDS: Readonly<Record<string, readonly [End, End, End]>> = {
  'a time-out: it arrives late': ['approved', 'error', 'stuck'],
  // Never seen by the bank: sent again as often as allowed, then barred.
  'a lost request': ['error', 'error', 'stuck'],
  'a lost answer': ['approved', 'error', 'stuck'],
  'a late answer': ['approved', 'error', 'stuck'],
  'a doubled answer': ['approved', 'approved', 'approved'],
  'a refused connection': ['error', 'error', 'stuck'],
  garbage: ['approved', 'error', 'stuck'],
};

const SCOPES = [
  ['the payment', ['instruct']],
  ['payment and inquiries', ['instruct', 'inquire']],
  ['every message', ['instruct', 'inquire', 'reverse']],
] as const;

const CASES = Object.entries(FAULTS).flatMap(([name, faults]) =>
  SCOPES.map(([scope, messages], index) => [name, scope, { ...faults, messages }, ENDS[name]?.[index] as End] as const),
);

const SHORT = { acquirerTimeoutMs: TIMEOUT_MS, leaseMs: 10 * TIMEOUT_MS, holdMs: 50 };

describeGateway('however the bank misbehaves', SHORT, (gateway) => {
  afterEach(() => gateway.bank.faults.set({}));

  it.each(CASES)('%s of %s: it ends in time', async (_name, scope, faults, expected) => {
    gateway.bank.faults.set(faults);
    const { status, body } = await gateway.demo.sale();
    expect(status).toBe(200);
    await gateway.untilAllFinal({ looks: LOOKS });
    const orderId = body['paynet-order-id'];
    const [row] = await gateway.query(
      `select stage, due_at, extract(epoch from changed_at - created_at) * 1000 as ms, sends
       from transactions where order_id = ${orderId}`,
    );
    const took = Number(row?.ms);
    expect(row).toMatchObject({ stage: expected, due_at: null });
    expect(took).toBeLessThanOrEqual(longestOpenMs(LIMITS) + SLACK_MS);
    // What only the payment itself meets is known as soon as the bank is asked, or was sent it often enough.
    const sends = expected === 'error' ? sum(RESEND_PAUSES_MS) : 0;
    if (scope === 'the payment') expect(took).toBeLessThanOrEqual(sends + SLACK_MS);
    if (scope === 'the payment') expect(took).toBeGreaterThanOrEqual(sends);
    // A bank that never says anything: one round of inquiries, one of reversals.
    if (expected === 'stuck') expect(took).toBeGreaterThan(sum(INQUIRY_PAUSES_MS) + sum(REVERSAL_PAUSES_MS));
    const booked = await gateway.bookedFor(orderId);
    expect(booked.length).toBeLessThanOrEqual(1);
    if (expected !== 'stuck') expect(booked[0]?.outcome).toBe(bankOutcome(expected, booked.length));
  });

  it('the bound that is written down is the one that is kept', () => {
    const standard = { sendMs: 30 * SECOND, askMs: 10 * SECOND };
    expect(sum(INQUIRY_PAUSES_MS)).toBe(81 * 60 * SECOND + 20 * SECOND);
    expect(sum(REVERSAL_PAUSES_MS)).toBe(31 * HOUR + 21 * 60 * SECOND + 20 * SECOND);
    expect(longestOpenMs(standard) / HOUR).toBeCloseTo(38.38, 2);
    expect(longestOpenMs(standard, 2)).toBe(2 * longestOpenMs(standard));
  });
});

function bankOutcome(end: End, booked: number): string | undefined {
  if (booked === 0) return undefined;
  return end === 'approved' ? 'approved' : 'reversed';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
