// What a try of what the order is for came to at its terminal: for figures and searches by terminal.

import { UNASKED_DECLINES } from '../acquirer/action-codes.ts';
import type { Transaction } from './order.ts';
import { type PublicStatus, type Stage, stages, unsentStages } from './stages.ts';

export type TerminalTry = Pick<Transaction, 'stage' | 'sends' | 'originalSeq'> & {
  readonly declineCode: string | undefined;
};

/** Tries that never left the gateway: some by their stage, a decline by its code if nothing was sent. */
export const NEVER_LEFT = { stages: unsentStages, unsentDeclines: UNASKED_DECLINES } as const;

/** Whether it went to its terminal or is on its way there. */
export function wentToTerminal({ stage, sends, originalSeq, declineCode }: TerminalTry): boolean {
  if (originalSeq !== undefined || NEVER_LEFT.stages.includes(stage)) return false;
  const isOwnWord = NEVER_LEFT.unsentDeclines.some((code) => code === declineCode);
  return !(stage === 'declined' && sends === 0 && isOwnWord);
}

/** Passed on without a code: the terminal was never reached, or took it back. So it has declined nothing. */
export const PASSED_ON: Stage = 'passed-on';

export function isUnanswered({ stage, declineCode }: Pick<TerminalTry, 'stage' | 'declineCode'>): boolean {
  return stage === PASSED_ON && declineCode === undefined;
}

/** The status of a try that its terminal never answered. */
export const UNANSWERED_STATUS: PublicStatus = 'error';

export function statusAtTerminal(tried: Pick<TerminalTry, 'stage' | 'declineCode'>): PublicStatus {
  return isUnanswered(tried) ? UNANSWERED_STATUS : stages[tried.stage].status;
}
