import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAnswer,
  afterFailure,
  FAILURES_TO_CLOSE,
  FIRST_ROOM,
  isForgotten,
  isTroubled,
  NEW_DESTINATION,
  roomOf,
  type Trust,
} from './breaker.ts';

const NOW = 1_000_000;

/** The trust after so many failures, each as soon as the destination was tried again. */
function failed(times: number): { trust: Trust; now: number } {
  let trust = NEW_DESTINATION;
  let now = NOW;
  for (let time = 0; time < times; time++) {
    now = Math.max(now, trust.closedUntil);
    trust = afterFailure(trust, now, 0);
  }
  return { trust, now };
}

describe('a destination', () => {
  it('that is new is given little, and more with every answer, up to a bound', () => {
    const rooms: number[] = [];
    for (let trust = NEW_DESTINATION, answers = 0; answers < 8; answers++, trust = afterAnswer(trust, 20)) {
      rooms.push(roomOf(trust, NOW));
    }
    expect(rooms).toEqual([4, 8, 16, 32, 64, 64, 64, 64]);
  });

  it('that answers slowly is given little for as long as it does', () => {
    const quick = [20, 20, 20].reduce(afterAnswer, NEW_DESTINATION);
    expect([roomOf(quick, NOW), isTroubled(quick)]).toEqual([32, false]);
    const slow = [1_001, 5_000].reduce(afterAnswer, quick);
    expect([roomOf(slow, NOW), isTroubled(slow)]).toEqual([FIRST_ROOM, true]);
    expect(roomOf(afterAnswer(slow, 1_000), NOW)).toBe(2 * FIRST_ROOM);
  });

  it.each([
    [1, FIRST_ROOM / 2, 0],
    [2, FIRST_ROOM / 4, 0],
    [3, 0, 5_000],
    [4, 0, 10_000],
    [5, 0, 20_000],
    [20, 0, 300_000],
  ])('that failed %i times in a row has room for %i now, and is tried again after %i ms', (times, room, pauseMs) => {
    const { trust, now } = failed(times);
    expect(roomOf(trust, now)).toBe(room);
    expect(trust.closedUntil - now).toBe(pauseMs);
    if (pauseMs > 0) expect(roomOf(trust, now + pauseMs)).toBe(1);
  });

  it('counts what fails at the same time once', () => {
    const { trust, now } = failed(FAILURES_TO_CLOSE);
    expect(afterFailure(trust, now + 1, 0)).toEqual(trust);
  });

  it('is trusted again after one answer', () => {
    const { trust, now } = failed(12);
    expect(roomOf(afterAnswer(trust, 20), now)).toBe(2);
  });

  it('is remembered while it fails and for a while after, and no longer', () => {
    const { trust } = failed(4);
    expect(isForgotten(trust, trust.closedUntil)).toBe(false);
    expect(isForgotten(trust, trust.closedUntil + 10 * 60_000 + 1)).toBe(true);
    expect(isForgotten(NEW_DESTINATION, NOW)).toBe(true);
  });

  it('is always tried again within five minutes and a half, whatever happened', () => {
    const happenings = fc.array(
      fc.record({
        answers: fc.boolean(),
        afterMs: fc.nat(600_000),
        chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(happenings, (all) => {
        let trust = NEW_DESTINATION;
        let now = NOW;
        for (const { answers, afterMs, chance } of all) {
          now += afterMs;
          trust = answers ? afterAnswer(trust, afterMs) : afterFailure(trust, now, chance);
          expect(roomOf(trust, now + 330_000)).toBeGreaterThan(0);
          expect(roomOf(trust, now)).toBeLessThanOrEqual(64);
          expect(trust.closedUntil).toSatisfy(Number.isSafeInteger);
        }
      }),
    );
  });
});
