import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterCall,
  type BreakerState,
  CLOSED,
  closed,
  isLineFault,
  type LineRecord,
  mayBeTried,
  mustOpen,
  NEW_LINE,
  opened,
} from './breaker.ts';

const NOW = 1_800_000_000_000;

/** `+` is an answer, `-` a fault. */
const seen = (calls: string, everyMs = 10): LineRecord =>
  [...calls].reduce((record, call, at) => afterCall(record, call === '-', NOW + at * everyMs), NEW_LINE);

describe('what says that a line fails', () => {
  it.each([
    [{ word: 'approved', approvalCode: '', rrn: '', processorTxId: '' }, false],
    [{ word: 'declined', code: '912' }, false],
    [{ word: 'declined', code: '909' }, false],
    [{ word: 'pending' }, false],
    [{ word: 'challenge', url: 'https://bank.example' }, false],
    [{ word: 'not-found' }, false],
    [{ word: 'reversed' }, false],
    [{ word: 'unknown', reason: 'the bank does not know' }, false],
    [{ word: 'unknown', reason: 'no connection', fault: 'unreachable' }, true],
    [{ word: 'unknown', reason: 'no answer', fault: 'silent' }, true],
    [{ word: 'unknown', reason: 'nonsense', fault: 'unreadable' }, undefined],
    [{ word: 'unsent', reason: 'no connection' }, true],
  ] as const)('%o: %s', (answer, expected) => {
    expect(isLineFault(answer)).toBe(expected);
  });
});

describe('when it opens', () => {
  it.each([
    ['', false],
    ['-', false],
    ['----', false],
    ['-----', true],
    ['+++++-----', true],
    ['----+----', false],
    ['----+-----', true],
    ['-+'.repeat(9), false],
    ['-+'.repeat(10), true],
    ['-++'.repeat(20), false],
    [`${'+'.repeat(40)}----`, false],
  ])('after %s: %s', (calls, expected) => {
    expect(mustOpen(seen(calls))).toBe(expected);
  });

  it('forgets faults that are long ago', () => {
    expect(mustOpen(seen('-----', 10_000))).toBe(false);
  });

  it('never opens on answers, whatever they say', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 200 }), (pauses) => {
        let at = NOW;
        let record = NEW_LINE;
        for (const pause of pauses) {
          at += pause;
          record = afterCall(record, false, at);
          expect(mustOpen(record)).toBe(false);
        }
      }),
    );
  });
});

describe('for how long it is open', () => {
  it('is open longer each time that a try fails, and never longer than a minute', () => {
    let state: BreakerState = opened(CLOSED, 'silence', NOW);
    const pauses = [state.at - NOW];
    for (let at = state.at, times = 0; times < 6; times++, at = state.at) {
      state = opened(state, 'silence', at);
      pauses.push(state.at - at);
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  });

  it('may be tried when its pause is over, and not when it is closed', () => {
    const state = opened(CLOSED, 'silence', NOW);
    expect(mayBeTried(state, NOW + 4_999)).toBe(false);
    expect(mayBeTried(state, NOW + 5_000)).toBe(true);
    expect(mayBeTried(closed(state, NOW + 5_000), NOW + 9_000)).toBe(false);
  });

  it('goes on with longer pauses when it opens again soon after it closed', () => {
    const first = opened(CLOSED, 'silence', NOW);
    const back = closed(first, NOW + 6_000);
    expect(opened(back, 'silence', NOW + 60_000)).toMatchObject({ opens: 2, at: NOW + 60_000 + 10_000 });
    expect(opened(back, 'silence', NOW + 600_000)).toMatchObject({ opens: 1, at: NOW + 600_000 + 5_000 });
  });
});
