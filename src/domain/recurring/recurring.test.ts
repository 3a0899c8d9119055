import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import {
  type Amounts,
  amountOfCharge,
  CHECK_PAUSE_MS,
  type ChargeProgress,
  type IntervalUnit,
  isScheduledOrderId,
  latestOccurrence,
  nextStep,
  type OrderNews,
  occurrenceAt,
  type Plan,
  RETRY_PAUSES_MS,
  type RecurringPayment,
  type RecurringSchedule,
  type RecurringStep,
  resumeAt,
  scheduledOrderId,
  whyNotCharged,
} from './recurring.ts';

const DAY = 24 * 60 * 60 * 1000;
const day = (text: string) => Date.parse(`${text}T10:30:00Z`);
const written = (moment: number) => new Date(moment).toISOString().slice(0, 10);

const scheduleOf = (unit: IntervalUnit, interval: number, anchor: string): RecurringSchedule => ({
  unit,
  interval,
  anchorAt: day(anchor),
});

type Row = [unit: IntervalUnit, interval: number, anchor: string, days: string];

const SCHEDULES: Row[] = [
  ['month', 1, '2027-01-31', '2027-01-31 2027-02-28 2027-03-31 2027-04-30 2027-05-31 2027-06-30'],
  ['month', 1, '2028-01-30', '2028-01-30 2028-02-29 2028-03-30 2028-04-30'],
  ['month', 1, '2027-12-29', '2027-12-29 2028-01-29 2028-02-29 2028-03-29'],
  ['month', 12, '2028-02-29', '2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29'],
  ['month', 3, '2027-11-30', '2027-11-30 2028-02-29 2028-05-30 2028-08-30'],
  ['month', 1, '2027-11-15', '2027-11-15 2027-12-15 2028-01-15'],
  ['week', 2, '2027-12-20', '2027-12-20 2028-01-03 2028-01-17'],
  ['day', 1, '2028-02-27', '2028-02-27 2028-02-28 2028-02-29 2028-03-01'],
  ['day', 30, '2027-01-31', '2027-01-31 2027-03-02 2027-04-01'],
];

describe('the days of a schedule', () => {
  it.each(SCHEDULES)('every %s × %i from %s', (unit, interval, anchor, days) => {
    const schedule = scheduleOf(unit, interval, anchor);
    const expected = days.split(' ');
    expect(expected.map((_, occurrence) => written(occurrenceAt(schedule, occurrence)))).toEqual(expected);
    for (const [occurrence, text] of expected.entries()) {
      expect(latestOccurrence(schedule, day(text))).toBe(occurrence);
      expect(latestOccurrence(schedule, day(text) - 1)).toBe(occurrence - 1);
    }
  });

  const anySchedule = fc.record({
    unit: fc.constantFrom<IntervalUnit>('day', 'week', 'month'),
    interval: fc.integer({ min: 1, max: 999 }),
    anchorAt: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2040, 0, 1) }),
  });

  it('follow each other, keep the time of day, and are found again', () => {
    fc.assert(
      fc.property(anySchedule, fc.nat(200), (schedule, occurrence) => {
        const at = occurrenceAt(schedule, occurrence);
        expect(occurrenceAt(schedule, occurrence + 1)).toBeGreaterThan(at);
        expect(at % DAY).toBe(schedule.anchorAt % DAY);
        expect(latestOccurrence(schedule, at)).toBe(occurrence);
        expect(latestOccurrence(schedule, at - 1)).toBe(occurrence - 1);
      }),
    );
  });
});

const monthly = (anchor: string, ends?: string, chargesLeft?: number): Plan => ({
  schedule: scheduleOf('month', 1, anchor),
  endsAt: ends === undefined ? undefined : Date.parse(`${ends}T00:00:00Z`) + DAY,
  chargesLeft,
});
const daily: Plan = { schedule: scheduleOf('day', 1, '2027-03-01'), endsAt: undefined, chargesLeft: undefined };

const NONE: OrderNews = { order: 'none' };
const OPEN: OrderNews = { order: 'open' };
const APPROVED: OrderNews = { order: 'approved' };
const failedOn = (text: string, code = '116'): OrderNews => ({ order: 'failed', at: day(text), code });

type StepRow = [title: string, plan: Plan, progress: [number, number], news: OrderNews, now: string, expected: string];

const STEPS: StepRow[] = [
  ['the first day has come', monthly('2027-01-31'), [0, 0], NONE, '2027-01-31', 'charge 0/0'],
  ['the first day is still to come', monthly('2027-01-31'), [0, 0], NONE, '2027-01-20', 'wait 0/0 2027-01-31'],
  ['a month was missed', monthly('2027-01-31'), [1, 0], NONE, '2027-03-02', 'charge 1/0'],
  ['three months were missed', monthly('2027-01-31'), [1, 0], NONE, '2027-05-02', 'charge 3/0'],
  ['the order is open', monthly('2027-01-31'), [1, 0], OPEN, '2027-02-28', 'wait 1/0 2027-02-28'],
  ['the order was approved', monthly('2027-01-31'), [1, 0], APPROVED, '2027-02-28', 'wait 2/0 2027-03-31'],
  ['it was approved at last', monthly('2027-01-31'), [1, 2], APPROVED, '2027-03-04', 'wait 2/0 2027-03-31'],
  ['approved, and the next is overdue', monthly('2027-01-31'), [1, 0], APPROVED, '2027-04-10', 'charge 2/0'],
  ['declined once', monthly('2027-01-31'), [1, 0], failedOn('2027-02-28'), '2027-02-28', 'wait 1/1 2027-03-01'],
  ['declined twice', monthly('2027-01-31'), [1, 1], failedOn('2027-03-01'), '2027-03-01', 'wait 1/2 2027-03-04'],
  ['declined three times', monthly('2027-01-31'), [1, 2], failedOn('2027-03-04'), '2027-03-04', 'wait 1/3 2027-03-09'],
  ['declined four times', monthly('2027-01-31'), [1, 3], failedOn('2027-03-09'), '2027-03-09', 'suspend 1/4'],
  ['declined for good', monthly('2027-01-31'), [1, 0], failedOn('2027-02-28', '209'), '2027-02-28', 'suspend 1/1'],
  ['its retry is due', monthly('2027-01-31'), [1, 1], NONE, '2027-03-01', 'charge 1/1'],
  ['its retry was missed for long', monthly('2027-01-31'), [1, 1], NONE, '2027-04-02', 'charge 2/1'],
  ['daily, and the next day comes first', daily, [0, 1], failedOn('2027-03-01'), '2027-03-01', 'wait 1/2 2027-03-02'],
  ['daily, declined four days in a row', daily, [3, 3], failedOn('2027-03-04'), '2027-03-04', 'suspend 3/4'],
  ['it ends before the next', monthly('2027-01-31', '2027-03-30'), [1, 0], APPROVED, '2027-02-28', 'finish 2/0'],
  ['it ends with the next', monthly('2027-01-31', '2027-03-31'), [1, 0], APPROVED, '2027-02-28', 'wait 2/0 2027-03-31'],
  ['it ended while nobody looked', monthly('2027-01-31', '2027-03-30'), [1, 0], NONE, '2027-04-01', 'finish 1/0'],
  [
    'it ends before the retry',
    monthly('2027-01-31', '2027-02-28'),
    [1, 0],
    failedOn('2027-02-28'),
    '2027-02-28',
    'finish 1/1',
  ],
  ['its sequence is used up', monthly('2027-01-31', undefined, 0), [1, 0], APPROVED, '2027-02-28', 'finish 2/0'],
];

function describeStep(step: RecurringStep): string {
  const { occurrence, failures } = step.progress;
  return `${step.do} ${occurrence}/${failures}${step.do === 'wait' ? ` ${written(step.until)}` : ''}`;
}

describe('what to do with a profile', () => {
  it.each(STEPS)('%s', (_, plan, [occurrence, failures], news, now, expected) => {
    expect(describeStep(nextStep(plan, { occurrence, failures }, news, day(now)))).toBe(expected);
  });

  it('looks at an open order again after a minute', () => {
    expect(nextStep(daily, { occurrence: 0, failures: 0 }, OPEN, 5)).toMatchObject({ until: 5 + CHECK_PAUSE_MS });
  });

  it.each([
    ['2027-02-10', 0, 'wait 1/0 2027-02-28'],
    ['2027-02-28', 1, 'wait 2/0 2027-03-31'],
    ['2027-06-01', 1, 'wait 5/0 2027-06-30'],
    ['2027-01-01', 0, 'wait 0/0 2027-01-31'],
  ])('resumed on %s it goes on with the first occurrence to come', (now, occurrence, expected) => {
    const plan = monthly('2027-01-31');
    expect(describeStep(resumeAt(plan, { occurrence, failures: 3 }, day(now)))).toBe(expected);
  });

  it('makes one order per try, none twice and none early, however the nodes sleep and the bank answers', () => {
    const outcome = fc.constantFrom('approved', 'declined', 'declined', 'approved', 'approved');
    const pauses = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 * DAY }), outcome), { maxLength: 60 });
    const unit = fc.constantFrom<IntervalUnit>('day', 'week', 'month');
    fc.assert(
      fc.property(unit, fc.integer({ min: 1, max: 3 }), pauses, (unit, interval, looks) => {
        const schedule = scheduleOf(unit, interval, '2027-01-31');
        const plan = { schedule, endsAt: day('2029-01-31'), chargesLeft: undefined };
        const seen = new Set<string>();
        const charged: number[] = [];
        let now = schedule.anchorAt - DAY;
        let progress: ChargeProgress = { occurrence: 0, failures: 0 };
        let due = 0;
        let news: OrderNews = NONE;
        for (const [pause, ends] of looks) {
          now += pause;
          // A node looks only when the profile is due, and goes on until the profile waits.
          while (due <= now) {
            const step = nextStep(plan, progress, news, now);
            progress = step.progress;
            news = NONE;
            if (step.do === 'wait') due = step.until;
            if (step.do === 'suspend' || step.do === 'finish') return;
            if (step.do !== 'charge') continue;
            const id = scheduledOrderId(7, progress);
            expect(seen.has(id)).toBe(false);
            seen.add(id);
            expect(occurrenceAt(schedule, progress.occurrence)).toBeLessThanOrEqual(now);
            expect(now).toBeLessThan(plan.endsAt);
            // Nothing is charged for a period when a later one has already begun.
            expect(progress.occurrence).toBe(latestOccurrence(schedule, now));
            if (ends === 'approved') charged.push(progress.occurrence);
            news = ends === 'approved' ? APPROVED : { order: 'failed', at: now, code: '116' };
          }
        }
        expect(charged).toEqual([...new Set(charged)].sort((a, b) => a - b));
      }),
    );
  });

  it('skips nothing when it is looked at in time and every charge is approved', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<IntervalUnit>('day', 'week', 'month'),
        fc.integer({ min: 1, max: 30 }),
        (unit, interval) => {
          const plan = {
            schedule: scheduleOf(unit, interval, '2027-01-31'),
            endsAt: undefined,
            chargesLeft: undefined,
          };
          let progress: ChargeProgress = { occurrence: 0, failures: 0 };
          for (let expected = 0; expected < 50; expected++) {
            const now = occurrenceAt(plan.schedule, expected);
            const step = nextStep(plan, progress, NONE, now);
            expect(describeStep(step)).toBe(`charge ${expected}/0`);
            const after = nextStep(plan, step.progress, APPROVED, now);
            expect(after).toMatchObject({ do: 'wait', until: occurrenceAt(plan.schedule, expected + 1) });
            progress = after.progress;
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('gives up after as many tries as there are pauses, and one', () => {
    let progress: ChargeProgress = { occurrence: 0, failures: 0 };
    let tries = 0;
    let step: RecurringStep;
    do {
      tries += 1;
      step = nextStep(monthly('2027-01-31'), progress, failedOn('2027-01-31'), day('2027-01-31'));
      progress = step.progress;
    } while (step.do !== 'suspend');
    expect(tries).toBe(RETRY_PAUSES_MS.length + 1);
  });
});

type AmountRow = [
  title: string,
  amounts: Amounts,
  asked: bigint | undefined,
  approved: number,
  amount: bigint | string,
];

const sequence: Amounts = { kind: 'sequence', minors: [1000n, 500n, 500n] };
const range: Amounts = { kind: 'range', least: 100n, most: 900n };

const AMOUNTS: AmountRow[] = [
  ['open, the merchant says', { kind: 'open' }, 1042n, 0, 1042n],
  ['open, nobody says', { kind: 'open' }, undefined, 0, 'Parameter amount is required'],
  ['fixed', { kind: 'fixed', minor: 1042n }, undefined, 5, 1042n],
  ['fixed, said again', { kind: 'fixed', minor: 1042n }, 1042n, 5, 1042n],
  ['fixed, said otherwise', { kind: 'fixed', minor: 1042n }, 1n, 5, 'its amount is 10.42 USD'],
  ['range, the least', range, 100n, 0, 100n],
  ['range, the most', range, 900n, 0, 900n],
  ['range, below', range, 99n, 0, 'from 1.00 USD to 9.00 USD'],
  ['range, above', range, 901n, 0, 'from 1.00 USD to 9.00 USD'],
  ['range, nobody says', range, undefined, 0, 'Parameter amount is required'],
  ['sequence, the first', sequence, undefined, 0, 1000n],
  ['sequence, the third', sequence, undefined, 2, 500n],
  ['sequence, said otherwise', sequence, 1000n, 1, 'its amount is 5.00 USD'],
  ['sequence, used up', sequence, undefined, 3, 'every amount of its sequence has been paid'],
];

describe('the amount of a charge', () => {
  it.each(AMOUNTS)('%s', (_, amounts, asked, approved, expected) => {
    const amount = amountOfCharge({ amounts, currency: 'USD' }, asked, approved);
    if (typeof expected === 'bigint') expect(amount).toBe(expected);
    else expect(amount instanceof Refusal && amount.faults[0].message).toContain(expected);
  });
});

describe('a charge out of turn', () => {
  const payment = { state: 'active', endsAt: day('2027-02-01') } as RecurringPayment;
  it.each<[string, Partial<RecurringPayment>, string, string | undefined]>([
    ['before the finish date is over', {}, '2027-01-31', undefined],
    ['at the moment it is over', {}, '2027-02-01', 'its finish date is over'],
    ['of one that is paused', { state: 'paused' }, '2027-01-31', 'it is paused'],
    ['of one without a finish date', { endsAt: undefined }, '2037-01-31', undefined],
  ])('%s', (_, changes, moment, refused) => {
    const why = whyNotCharged({ ...payment, ...changes }, day(moment));
    if (refused === undefined) expect(why).toBeUndefined();
    else expect(why?.faults[0].message).toContain(refused);
  });
});

describe('the ids of scheduled orders', () => {
  it.each([
    [225678901234567, { occurrence: 0, failures: 0 }, 'rp-225678901234567-0'],
    [225678901234567, { occurrence: 12, failures: 2 }, 'rp-225678901234567-12-2'],
    [7, { occurrence: 0, failures: 0 }, 'rp-000000000007-0'],
    [2 ** 31, { occurrence: 3, failures: 1 }, 'rp-002147483648-3-1'],
  ])('of payment %d %o', (recurringPaymentId, progress, id) => {
    expect(scheduledOrderId(recurringPaymentId, progress)).toBe(id);
    expect(isScheduledOrderId(id)).toBe(true);
  });
  it.each(['rp-', 'rp-2027-1', 'rp-225678901234567', 'rp-225678901234567-1-2-3', 'inv-rp-225678901234567-1'])(
    '%s is a free one',
    (id) => {
      expect(isScheduledOrderId(id)).toBe(false);
    },
  );
});
