import { describe, expect, it } from 'vitest';
import type { PublicStatus, Stage } from './stages.ts';
import { statusAtTerminal, wentToTerminal } from './terminal-tries.ts';

describe('a try at a terminal', () => {
  it.each<[Stage, sends: number, code: string | undefined, boolean]>([
    ['awaiting-payer', 0, undefined, false],
    ['waiting', 0, undefined, false],
    ['authenticating', 0, undefined, false],
    ['filtered', 0, undefined, false],
    ['expired', 0, undefined, false],
    ['abandoned', 0, undefined, false],
    ['given-up', 0, undefined, false],
    ['sending', 0, undefined, true],
    ['asking', 1, undefined, true],
    ['stuck', 3, undefined, true],
    ['approved', 1, undefined, true],
    ['declined', 1, '116', true],
    ['passed-on', 0, undefined, true],
    // A person settled it.
    ['declined', 0, undefined, true],
    // 3-D Secure refused, or the code was lost, before anything was sent; banks use such codes too.
    ['declined', 0, '190', false],
    ['declined', 0, '194', false],
    ['declined', 1, '190', true],
    ['declined', 0, '116', true],
  ])('that is %s after %i sends with code %s went there: %s', (stage, sends, declineCode, expected) => {
    expect(wentToTerminal({ stage, sends, declineCode, originalSeq: undefined })).toBe(expected);
    expect(wentToTerminal({ stage, sends, declineCode, originalSeq: 1 })).toBe(false);
  });

  it.each<[Stage, code: string | undefined, PublicStatus]>([
    ['approved', undefined, 'approved'],
    ['declined', '116', 'declined'],
    ['declined', undefined, 'declined'],
    ['passed-on', '116', 'declined'],
    ['passed-on', undefined, 'error'],
    ['asking', undefined, 'unknown'],
    ['error', undefined, 'error'],
  ])('that is %s with code %s counts as %s', (stage, declineCode, expected) => {
    expect(statusAtTerminal({ stage, declineCode })).toBe(expected);
  });
});
