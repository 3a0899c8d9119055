import { describe, expect, it } from 'vitest';
import { type Stage, stages } from './stages.ts';
import { type Finding, nextStage, transitions } from './transitions.ts';

// from · finding · to; `-` means that nothing changes.
const TABLE: [Stage, Finding, Stage | '-'][] = [
  ['awaiting-payer', 'card-given', 'sending'],
  ['awaiting-payer', 'card-to-authenticate', 'authenticating'],
  ['awaiting-payer', 'card-kept', 'waiting'],
  ['awaiting-payer', 'card-filtered', 'filtered'],
  ['awaiting-payer', 'expired', 'abandoned'],
  ['awaiting-payer', 'given-up', 'given-up'],
  ['sending', 'given-up', '-'],
  ['authenticating', 'given-up', '-'],
  ['awaiting-payer', 'confirmed', '-'],
  ['awaiting-payer', 'approved', '-'],
  ['waiting', 'card-given', '-'],
  ['waiting', 'confirmed', 'sending'],
  ['waiting', 'expired', 'expired'],
  ['waiting', 'approved', '-'],
  ['authenticating', 'authenticated', 'sending'],
  ['authenticating', 'refused', 'declined'],
  ['authenticating', 'expired', 'declined'],
  // An acquirer's answer about a payment that was not sent yet is a mistake.
  ['authenticating', 'approved', '-'],
  ['authenticating', 'not-found', '-'],
  ['sending', 'authenticated', '-'],
  ['sending', 'refused', '-'],
  ['sending', 'approved', 'approved'],
  ['sending', 'declined', 'declined'],
  ['sending', 'no-answer', 'asking'],
  ['sending', 'not-found', 'sending'],
  ['sending', 'not-found-for-good', 'undoing'],
  ['sending', 'confirmed', '-'],
  ['sending', 'reversed', '-'],
  // Where a bank cannot be asked, the payment is taken back at once.
  ['sending', 'tries-used-up', 'undoing'],
  ['sending', 'unsent', 'error'],
  ['sending', 'challenge', 'challenged'],
  ['challenged', 'approved', 'approved'],
  ['challenged', 'declined', 'declined'],
  ['challenged', 'challenge', 'challenged'],
  ['challenged', 'no-answer', 'challenged'],
  ['challenged', 'not-found', 'undoing'],
  ['challenged', 'not-found-for-good', 'undoing'],
  ['challenged', 'tries-used-up', 'undoing'],
  ['challenged', 'reversed', '-'],
  ['challenged', 'unsent', '-'],
  ['asking', 'challenge', 'challenged'],
  ['asking', 'unsent', '-'],
  ['passed-on', 'approved', '-'],
  ['undoing', 'challenge', '-'],
  ['asking', 'approved', 'approved'],
  ['asking', 'declined', 'declined'],
  ['asking', 'no-answer', 'asking'],
  ['asking', 'not-found', 'sending'],
  ['asking', 'not-found-for-good', 'undoing'],
  ['asking', 'tries-used-up', 'undoing'],
  ['asking', 'reversed', '-'],
  ['undoing', 'reversed', 'error'],
  ['undoing', 'no-answer', 'undoing'],
  ['undoing', 'tries-used-up', 'stuck'],
  // A late answer while the money is being taken back must not make the order look paid.
  ['undoing', 'approved', '-'],
  ['undoing', 'declined', '-'],
  ['undoing', 'not-found', '-'],
  ['undoing', 'not-found-for-good', '-'],
];

describe('the transition table', () => {
  it.each(TABLE)('%s · %s → %s', (from, finding, to) => {
    expect(nextStage(from, finding) ?? '-').toBe(to);
  });

  it('is written out whole above', () => {
    const listed = TABLE.filter(([, , to]) => to !== '-').length;
    const moves = Object.values(transitions).flatMap((row) => Object.keys(row)).length;
    expect(listed).toBe(moves);
  });

  it('never leaves a final stage, and never leaves a person’s case by itself', () => {
    for (const [stage, row] of Object.entries(transitions)) {
      if (stages[stage as Stage].final || stage === 'stuck') expect(row).toEqual({});
    }
  });

  it('gives every stage that is not final a next step', () => {
    for (const { final, next } of Object.values(stages)) expect(next === 'none').toBe(final);
  });
});
