import { describe, expect, it } from 'vitest';
import { stagesShownAs } from '../order/stages.ts';
import { endReasonOf, reasonText } from './end-reasons.ts';

describe('why an order ended without money', () => {
  it.each([
    ['declined', '116', undefined, '116'],
    ['passed-on', '100', undefined, '100'],
    ['passed-on', undefined, undefined, 'none'],
    ['given-up', undefined, undefined, 'none'],
    ['filtered', undefined, 'card-blocked', 'card-blocked'],
    ['filtered', undefined, undefined, 'none'],
    ['expired', undefined, undefined, 'expired'],
    ['abandoned', undefined, undefined, 'abandoned'],
    ['error', '116', undefined, 'error'],
    ['approved', undefined, undefined, ''],
    ['sending', '116', undefined, ''],
    ['stuck', undefined, undefined, ''],
  ] as const)('%s with code %s and filter %s: "%s"', (stage, declineCode, filterReason, expected) => {
    expect(endReasonOf({ stage, declineCode, filterReason })).toBe(expected);
  });

  it('has words for every stage that is an error', () => {
    const errors = stagesShownAs('error');
    expect(errors.filter((stage) => reasonText('error', stage) === stage)).toEqual([]);
  });
});
