import { describe, expect, it } from 'vitest';
import { timeOfShare } from './answer-times.ts';
import { reasonText } from './end-reasons.ts';
import { type RangeName, rangeBetween, rangeUntil, recountAfter } from './spans.ts';

const at = (text: string) => Date.parse(`2027-01-31T${text}Z`);
const MINUTE = 60_000;

describe('a range of figures', () => {
  it.each<[RangeName, string, string, number, number]>([
    ['hour', '2027-01-31T11:35:00.000Z', '2027-01-31T12:35:00.000Z', 5, 5],
    ['day', '2027-01-30T13:00:00.000Z', '2027-01-31T13:00:00.000Z', 60, 60],
    ['week', '2027-01-24T18:00:00.000Z', '2027-01-31T18:00:00.000Z', 360, 60],
    ['month', '2027-01-02T00:00:00.000Z', '2027-02-01T00:00:00.000Z', 1440, 1440],
  ])('the last %s is whole steps with the present one', (name, from, to, minutes, width) => {
    const range = rangeUntil(at('12:31:00'), name);
    expect([new Date(range.from).toISOString(), new Date(range.to).toISOString()]).toEqual([from, to]);
    expect([range.stepMs, range.width]).toEqual([minutes * MINUTE, width]);
    // As much as is over is compared with as much before: the five minutes under way are in neither.
    expect(range.compared).toEqual({ from: range.from, to: at('12:30:00') });
    expect(range.before.to - range.before.from).toBe(at('12:30:00') - range.from);
    expect(range.from - range.before.from).toBe(range.to - range.from);
  });

  it.each([
    ['10:01:00', '10:04:00', 5, '10:00:00', '10:05:00'],
    ['10:00:00', '15:00:00', 5, '10:00:00', '15:00:00'],
    ['10:01:00', '15:06:00', 15, '10:00:00', '15:15:00'],
  ])('from %s to %s is in steps of %i minutes', (from, to, minutes, first, last) => {
    const range = rangeBetween(at(from), at(to), at('20:00:00'));
    expect([range.stepMs / MINUTE, range.from, range.to]).toEqual([minutes, at(first), at(last)]);
  });

  it.each([
    ['09:00:00', '10:00:00', '10:00:00'],
    ['19:00:00', '20:00:00', '19:55:00'],
    ['20:00:00', '21:00:00', '20:00:00'],
  ])('from %s to %s is compared up to %s, at two minutes to eight', (from, to, over) => {
    const { compared, before } = rangeBetween(at(from), at(to), at('19:58:00'));
    expect(compared).toEqual({ from: at(from), to: at(over) });
    expect(before).toEqual({ from: at(from) - 60 * MINUTE, to: at(over) - 60 * MINUTE });
  });

  it('of a year is in weeks', () => {
    const range = rangeBetween(at('00:00:00') - 365 * 1440 * MINUTE, at('00:00:00'), at('00:00:00'));
    expect([range.stepMs / MINUTE, range.width]).toEqual([10_080, 1440]);
  });
});

it.each([
  [-MINUTE, 10_000],
  [8 * MINUTE, MINUTE],
  [10_000 * MINUTE, 10 * MINUTE],
])('a span that ended %i ms ago is counted again after %i ms', (age, after) => {
  expect(recountAfter(age)).toBe(after);
});

describe('the time within which a share of answers came', () => {
  it.each([
    [[], 0.5, undefined],
    [[{ cell: 8, answers: 1, slowestMs: 700 }], 1, 700],
    [[{ cell: 4, answers: 10, slowestMs: 99 }], 0.5, 75],
    [
      [
        { cell: 21, answers: 1, slowestMs: 90_000 },
        { cell: 0, answers: 99, slowestMs: 4 },
      ],
      0.5,
      3,
    ],
    [
      [
        { cell: 21, answers: 10, slowestMs: 90_000 },
        { cell: 0, answers: 90, slowestMs: 4 },
      ],
      0.95,
      75_000,
    ],
  ])('%j', (cells, share, ms) => {
    expect(timeOfShare(cells, share)).toBe(ms);
  });
});

it.each([
  ['declined', '116', 'There are not enough funds.'],
  ['declined', 'none', 'The payer gave up after a decline.'],
  ['filtered', 'card-blocked', 'This card is on a block list.'],
  ['error', 'expired', 'It was not confirmed in time, and never sent.'],
  ['error', 'toString', 'toString'],
] as const)('%s for %s says: %s', (status, reason, says) => {
  expect(reasonText(status, reason)).toBe(says);
});
