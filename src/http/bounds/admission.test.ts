import { describe, expect, it } from 'vitest';
import { operations } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { Admission, ALWAYS_TAKEN, isRefused, Pace, type Place, queueOf } from './admission.ts';

const named = (name: string) => operations.find((one) => one.name === name) as Operation;
const SALE = named('SALE');
const STATUS = named('STATUS');

describe('who is refused', () => {
  it.each<[all: number, own: number, merchants: number, paceMs: number | undefined, mostWaitMs: number, no: boolean]>([
    // A commit's worth is always taken, however slow all is.
    [0, 0, 0, undefined, 500, false],
    [127, 127, 1, 100, 500, false],
    // 0.25 ms each: 2,000 end within half a second. Alone, one may have half of that.
    [999, 999, 1, 0.25, 500, false],
    [1_000, 1_000, 1, 0.25, 500, true],
    // Before it is known how quick the machine is, the same.
    [999, 999, 1, undefined, 500, false],
    [1_000, 1_000, 1, undefined, 500, true],
    // Beside one that floods, others find what is free.
    [1_000, 0, 1, 0.25, 500, false],
    [1_333, 666, 2, 0.25, 500, false],
    [1_334, 667, 2, 0.25, 500, true],
    [1_334, 1, 2, 0.25, 500, false],
    // Those that ask for little leave the rest to others.
    [1_020, 979, 21, 0.25, 500, false],
    [1_020, 980, 21, 0.25, 500, true],
    // All is taken, by some: the others have their equal shares all the same.
    [1_999, 1, 2, 0.25, 500, false],
    [2_500, 499, 3, 0.25, 500, false],
    [2_500, 500, 3, 0.25, 500, true],
    // The pace fell to a quarter while one had half of the places: it must wait, and others need not.
    [1_000, 1_000, 1, 1, 500, true],
    [1_000, 10, 4, 1, 500, false],
    // There is an end to it.
    [7_999, 0, 9_000, 0.25, 500, false],
    [8_000, 0, 9_000, 0.25, 500, true],
    // A slow machine has fewer places, but never fewer than two commits' worth.
    [128, 127, 1, 5, 500, false],
    [128, 128, 1, 5, 500, true],
    [255, 0, 2, 5, 500, false],
    [1_023, 0, 2, 5, 500, false],
    [1_024, 0, 2, 5, 500, true],
    // More patience, more places.
    [1_000, 1_000, 1, 0.25, 1_000, false],
    [2_000, 2_000, 1, 0.25, 1_000, true],
  ])('%i under way, %i own of %i merchants, %d ms each, wait %i ms: %s', (all, own, merchants, paceMs, wait, no) => {
    expect(isRefused({ all, own, merchants, paceMs }, wait)).toBe(no);
  });

  it.each([1, 2, 3, 10])('%i that flood end at equal shares, and one place of each share stays free', (greedy) => {
    const admission = new Admission(500);
    for (let turn = 0; turn < 5_000; turn++) {
      for (let merchant = 1; merchant <= greedy; merchant++) {
        if (!admission.refuses(SALE, merchant)) admission.begin(SALE, merchant);
      }
    }
    const share = 2_000 / (greedy + 1);
    expect(Math.abs(admission.underWay.orders - greedy * share)).toBeLessThanOrEqual(greedy);
    expect(admission.refuses(SALE, 99)).toBe(false);
    expect(admission.refused.orders).toBeGreaterThan(0);
  });

  it('never refuses who asks how an order stands because of new ones, and the other way round', () => {
    const admission = new Admission(500);
    for (let number = 0; number < 3_000; number++) admission.begin(SALE, 1);
    expect([admission.refuses(SALE, 1), admission.refuses(STATUS, 1)]).toEqual([true, false]);
    const asked = new Admission(500);
    for (let number = 0; number < 3_000; number++) asked.begin(STATUS, 1);
    expect([asked.refuses(SALE, 1), asked.refuses(STATUS, 1)]).toEqual([false, true]);
    expect(asked.refused).toEqual({ orders: 0, others: 1 });
  });

  it('lets those in who ask for little when the pace falls while one has all it may have', () => {
    const admission = new Admission(500);
    const places: Place[] = [];
    while (!admission.refuses(SALE, 1)) places.push(admission.begin(SALE, 1) as Place);
    // A hundred end, twenty times as slowly as it was hoped.
    for (let number = 0; number < 100; number++) admission.end(places.pop() as Place, 5 * number);
    expect([admission.refuses(SALE, 1), admission.refuses(SALE, 2)]).toEqual([true, false]);
    for (let number = 0; number < 20; number++) {
      expect(admission.refuses(SALE, 2)).toBe(false);
      admission.begin(SALE, 2);
    }
  });

  it('takes again as soon as there is less to do, and gives every place back', () => {
    const admission = new Admission(500);
    const places: Place[] = [];
    while (!admission.refuses(SALE, 1)) places.push(admission.begin(SALE, 1) as Place);
    admission.end(places.pop() as Place, 0);
    expect(admission.refuses(SALE, 1)).toBe(false);
    for (const place of places) admission.end(place, 0);
    expect(admission.underWay).toEqual({ orders: 0, others: 0 });
  });

  it('does not count who waits for the bank, and refuses nobody without a bound', () => {
    const admission = new Admission(500);
    const waiting = named('SYNC_ACCOUNT_VERIFICATION');
    expect(admission.begin(waiting, 1)).toBeUndefined();
    expect(admission.isBusy).toBe(false);
    for (let number = 0; number < 3_000; number++) admission.begin(SALE, 1);
    expect([admission.isBusy, admission.refuses(waiting, 1)]).toEqual([true, true]);
    const boundless = new Admission(undefined);
    for (let number = 0; number < 30_000; number++) boundless.begin(SALE, 1);
    expect(boundless.refuses(SALE, 1)).toBe(false);
  });

  it('has what begins or changes an order in one queue, and everything else in the other', () => {
    const others = operations.filter((one) => queueOf(one) === 'others').map(({ name }) => name);
    expect(others.filter((name) => /SALE|PREAUTH|CAPTURE|RETURN|VOID|PAYOUT|TRANSFER|PROCESS_RP/.test(name))).toEqual(
      [],
    );
    expect(others).toEqual(expect.arrayContaining(['STATUS', 'STATUS_V4', 'CARDINFO', 'TDS_UPLOAD_CRES_RESULT']));
  });
});

describe('the pace', () => {
  /** So many end one after the other, each after so many milliseconds. */
  function ended(
    pace: Pace,
    { from, count, everyMs, left = 100 }: Record<'from' | 'count' | 'everyMs', number> & { left?: number },
  ) {
    for (let number = 0; number < count; number++) pace.ended(from + number * everyMs, left);
    return from + count * everyMs;
  }

  it('is not known while requests are few: then it says how often they come', () => {
    const pace = new Pace();
    ended(pace, { from: 0, count: 1_000, everyMs: 40, left: 31 });
    expect(pace.ms).toBeUndefined();
  });

  it('is the time from one end to the next, and follows what changes', () => {
    const pace = new Pace();
    const at = ended(pace, { from: 1_000, count: 65, everyMs: 0.5 });
    expect(pace.ms).toBeCloseTo(0.5);
    ended(pace, { from: at, count: 640, everyMs: 2 });
    expect(pace.ms).toBeGreaterThan(1.8);
    expect(pace.ms).toBeLessThanOrEqual(2);
  });

  it('leaves out pauses in which there was nothing to do', () => {
    const pace = new Pace();
    const at = ended(pace, { from: 0, count: 60, everyMs: 1 });
    pace.ended(at, 0);
    ended(pace, { from: at + 60_000, count: 65, everyMs: 1 });
    expect(pace.ms).toBeCloseTo(1);
  });

  it('never lets places become fewer than two commits take, however long everything stood still', () => {
    const pace = new Pace();
    const at = ended(pace, { from: 0, count: 64, everyMs: 1 });
    pace.ended(at + 600_000, 100);
    expect(pace.ms).toBeGreaterThan(1_000);
    expect(isRefused({ all: ALWAYS_TAKEN - 1, own: ALWAYS_TAKEN - 1, merchants: 1, paceMs: pace.ms }, 500)).toBe(false);
  });
});
