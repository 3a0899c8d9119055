// Card ranges: what changes them, which one a card is in, and the version that follows.

import { describe, expect, it } from 'vitest';
import { type CardRange, type CardRanges, rangeOf, updatedRanges, versionFor } from './card-ranges.ts';
import type { PRes } from './messages/index.ts';

const range = (startRange: string, endRange: string, differs: Partial<CardRange> = {}): CardRange => ({
  startRange,
  endRange,
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
  ...differs,
});
const A = range('4000000000000000', '4999999999999999');
const B = range('5000000000000', '5999999999999');

const answer = (cardRangeData: CardRange[] | undefined, serialNum: string | undefined = '2') =>
  ({ dsStartProtocolVersion: '2.1.0', dsEndProtocolVersion: '2.2.0', serialNum, cardRangeData }) as PRes;

const ranges = (all: CardRange[]): CardRanges => updatedRanges(undefined, answer(all, '1'));

describe('an update', () => {
  it.each<[string, CardRange[] | undefined, CardRange[]]>([
    ['changes nothing when it says nothing', undefined, [A, B]],
    [
      'adds',
      [range('6'.repeat(16), '6'.repeat(16), { actionInd: 'A' })],
      [A, B, range('6'.repeat(16), '6'.repeat(16), { actionInd: 'A' })],
    ],
    ['deletes', [{ ...A, actionInd: 'D' }], [B]],
    [
      'modifies',
      [{ ...A, acsEndProtocolVersion: '2.1.0', actionInd: 'M' }],
      [B, { ...A, acsEndProtocolVersion: '2.1.0', actionInd: 'M' }],
    ],
    [
      'works in order',
      [
        { ...A, actionInd: 'D' },
        { ...A, actionInd: 'A' },
      ],
      [B, { ...A, actionInd: 'A' }],
    ],
  ])('%s', (_name, changes, expected) => {
    expect(updatedRanges(ranges([A, B]), answer(changes))).toMatchObject({ serialNum: '2', ranges: expected });
  });

  it('of nobody knows no actions: it is the full list', () => {
    const first = { ...A, actionInd: 'D' } as const;
    expect(updatedRanges(undefined, answer([first])).ranges).toEqual([first]);
  });

  it('keeps the serial number when none is told', () => {
    const { serialNum: _, ...silent } = answer(undefined);
    expect(updatedRanges(ranges([A]), silent as PRes).serialNum).toBe('1');
  });
});

it.each([
  ['4000000000000000', A],
  ['4999999999999999', A],
  ['3999999999999999', undefined],
  ['5000000000000000', undefined],
  ['5000000000000', B],
  // These have the same first digits and another length.
  ['4000000000000', undefined],
  ['4000000000000000000', undefined],
])('%s is in its range', (number, expected) => {
  expect(rangeOf(ranges([A, B]), number)).toEqual(expected);
});

it('a range of two lengths holds nothing', () => {
  const odd = [range('4000000000000', '4999999999999999'), range('4000000000000000', '4999999999999')];
  for (const number of ['4000000000001', '4000000000001000']) expect(rangeOf(ranges(odd), number)).toBeUndefined();
});

it('the newest of two ranges wins', () => {
  const newer = range('4444000000000000', '4444999999999999');
  expect(rangeOf(ranges([A, newer]), '4444555566661111')).toEqual(newer);
});

it.each([
  [{}, '2.2.0'],
  [{ acsEndProtocolVersion: '2.1.0' }, '2.1.0'],
  [{ acsStartProtocolVersion: '2.2.0' }, '2.2.0'],
  [{ acsStartProtocolVersion: '2.0.0', acsEndProtocolVersion: '2.10.0' }, '2.2.0'],
  [{ acsStartProtocolVersion: '2.3.0', acsEndProtocolVersion: '2.3.1' }, undefined],
  [{ acsStartProtocolVersion: '1.0.0', acsEndProtocolVersion: '2.0.9' }, undefined],
  [{ dsEndProtocolVersion: '2.1.0' }, '2.1.0'],
  [{ dsStartProtocolVersion: '2.2.0', acsEndProtocolVersion: '2.1.0' }, undefined],
] as const)('a range with %j speaks %s', (differs, expected) => {
  expect(versionFor(ranges([]), { ...A, ...differs })).toBe(expected);
});
