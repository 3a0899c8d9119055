import { describe, expect, it } from 'vitest';
import {
  ADDRESS_RULE,
  addressKey,
  afterFailedTry,
  DECAY_MS,
  type Failures,
  isLockedOut,
  LOCK_MS,
  NAME_RULE,
  NO_FAILURES,
  remembered,
  waitMs,
} from './lock-out.ts';

const NOW = Date.UTC(2027, 0, 1);

/** So many failures, one after the other, the last of them now. */
function failed(times: number): Failures {
  return Array.from({ length: times }).reduce<Failures>((before) => afterFailedTry(before, NOW), NO_FAILURES);
}

describe('who fails to sign in', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 5_000],
    [6, 10_000],
    [9, 80_000],
    [10, LOCK_MS],
    [11, LOCK_MS],
    [60, LOCK_MS],
  ])('%s times under a name waits %s ms', (times, wait) => {
    expect(waitMs(failed(times), NOW, NAME_RULE)).toBe(wait);
    expect(isLockedOut(failed(times), NOW, NAME_RULE)).toBe(times >= 10);
  });

  it.each([
    [20, 0],
    [21, 5_000],
    [49, LOCK_MS],
    [50, LOCK_MS],
  ])('%s times from an address waits %s ms', (times, wait) => {
    expect(waitMs(failed(times), NOW, ADDRESS_RULE)).toBe(wait);
  });

  it('is locked for half an hour, as PCI DSS 8.3.4 asks', () => {
    expect(LOCK_MS).toBe(30 * 60_000);
  });

  it.each([
    [49, false],
    [50, true],
  ])('%s times from an address is locked out: %s', (times, isLocked) => {
    expect(isLockedOut(failed(times), NOW, ADDRESS_RULE)).toBe(isLocked);
  });

  it('waits from the last failure on, and no longer', () => {
    expect(waitMs(failed(5), NOW + 4_999, NAME_RULE)).toBe(1);
    expect(waitMs(failed(5), NOW + 5_000, NAME_RULE)).toBe(0);
    expect(waitMs(failed(10), NOW + LOCK_MS - 1, NAME_RULE)).toBe(1);
    expect(waitMs(failed(10), NOW + LOCK_MS, NAME_RULE)).toBe(0);
  });

  it('is locked again by the next failure after a lock, and free after a quiet day', () => {
    expect(waitMs(afterFailedTry(failed(10), NOW + LOCK_MS), NOW + LOCK_MS, NAME_RULE)).toBe(LOCK_MS);
    expect(remembered(failed(10), NOW + 10 * DECAY_MS)).toBe(0);
    expect(afterFailedTry(failed(10), NOW + 10 * DECAY_MS).count).toBe(1);
  });

  it.each([
    [DECAY_MS - 1, 3],
    [DECAY_MS, 2],
    [2 * DECAY_MS - 1, 2],
    [2 * DECAY_MS, 1],
  ])('three times is remembered after %s ms as %s', (quietMs, count) => {
    expect(remembered(failed(3), NOW + quietMs)).toBe(count);
  });

  it('a clock that goes back forgives nothing', () => {
    expect(remembered(failed(3), NOW - 10 * DECAY_MS)).toBe(3);
  });
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
