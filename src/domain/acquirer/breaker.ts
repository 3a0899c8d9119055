// When a terminal is left out because its bank cannot be reached, and for how long, pure. A line that fails again and
// again opens the breaker; after a pause that grows one node tries the line, and when it works the breaker closes.
// Declines are answers, and never open it.

import type { Answer, InquiryAnswer, ReversalAnswer } from './acquirer-answer.ts';

/** So many faults in a row, or such a share of so many calls, within the window. */
const FAULTS_IN_A_ROW = 5;
const SHARE = { calls: 20, faults: 0.5 } as const;
const WINDOW_MS = 30_000;

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** A breaker that opens again so soon after it closed goes on with longer pauses. */
const RELAPSE_MS = 5 * 60_000;

/** What a node has seen of a line within the window. */
export type LineRecord = {
  readonly calls: number;
  readonly faults: number;
  /** Faults since the last answer. */
  readonly inARow: number;
  readonly since: number;
};

export const NEW_LINE: LineRecord = { calls: 0, faults: 0, inARow: 0, since: 0 };

export type BreakerState = {
  readonly isOpen: boolean;
  /** How often it opened without a long time of working in between. */
  readonly opens: number;
  /** While it is open: from when on the line may be tried. Otherwise when it closed. */
  readonly at: number;
  /** Why it is open, for people. */
  readonly reason: string;
};

export const CLOSED: BreakerState = { isOpen: false, opens: 0, at: 0, reason: '' };

type AnyAnswer = Answer | InquiryAnswer | ReversalAnswer;

/** Undefined when the answer says nothing about the line: the bank answered, but nobody can read what. */
export function isLineFault(answer: AnyAnswer): boolean | undefined {
  if (answer.word === 'unsent') return true;
  if (answer.word !== 'unknown' || answer.fault === undefined) return false;
  return answer.fault === 'unreadable' ? undefined : true;
}

export function afterCall(before: LineRecord, isFault: boolean, now: number): LineRecord {
  const { calls, faults, inARow, since } = now < before.since + WINDOW_MS ? before : { ...NEW_LINE, since: now };
  return isFault
    ? { calls: calls + 1, faults: faults + 1, inARow: inARow + 1, since }
    : { calls: calls + 1, faults, inARow: 0, since };
}

export function mustOpen({ calls, faults, inARow }: LineRecord): boolean {
  return inARow >= FAULTS_IN_A_ROW || (calls >= SHARE.calls && faults >= calls * SHARE.faults);
}

/** Opens it, or leaves it open for longer after a try that failed. */
export function opened(before: BreakerState, reason: string, now: number): BreakerState {
  const opens = before.isOpen || now < before.at + RELAPSE_MS ? before.opens + 1 : 1;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (opens - 1), LONGEST_PAUSE_MS);
  return { isOpen: true, opens, at: now + pause, reason };
}

export function closed({ opens }: BreakerState, now: number): BreakerState {
  return { isOpen: false, opens, at: now, reason: '' };
}

/** Whether the line may be tried again, by one node. */
export function mayBeTried({ isOpen, at }: BreakerState, now: number): boolean {
  return isOpen && now >= at;
}
