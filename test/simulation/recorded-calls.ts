// Writes down what a history asked of the database and what it was answered, so that a real one can be asked the same.

import type { CountedLimit } from '../../src/domain/screening/screening.ts';
import type { MemoryDatabase } from './memory-database.ts';

export type RecordedCall = {
  readonly store: 'orders' | 'callbacks' | 'recurring' | 'screening' | 'authentications';
  readonly method: string;
  readonly given: readonly unknown[];
  /** What was answered, or that it failed. */
  readonly answer: unknown;
  readonly failed: boolean;
};

/** Methods that nodes call; the others are the simulation's own. */
export const METHODS = {
  orders: [
    'commit',
    'commitAlone',
    'load',
    'findExisting',
    'claimDue',
    'releaseLeases',
    'loadCards',
    'findByIdempotencyKey',
    'findOrderView',
    'findOrderViews',
    'forgetExpired',
  ],
  callbacks: ['claimDue', 'settle', 'releaseLeases'],
  recurring: ['create', 'claimDue', 'save', 'advance', 'charges'],
  screening: ['forget'],
  authentications: [
    'begin',
    'find',
    'findByTransaction',
    'save',
    'claimDue',
    'findUnbegun',
    'releaseLeases',
    'findOutcome',
  ],
} as const;

export function recordCalls(database: MemoryDatabase): RecordedCall[] {
  const calls: RecordedCall[] = [];
  for (const store of Object.keys(METHODS) as (keyof typeof METHODS)[]) {
    const target = database[store] as unknown as Record<string, (...given: unknown[]) => unknown>;
    for (const method of METHODS[store]) {
      const original = (target[method] as (...given: unknown[]) => unknown).bind(target);
      target[method] = (...asked) => {
        const given = asked.map(deciding);
        try {
          const answer = original(...given);
          calls.push({ store, method, given, answer, failed: false });
          return answer;
        } catch (error) {
          calls.push({ store, method, given, answer: undefined, failed: true });
          throw error;
        }
      };
    }
  }
  return calls;
}

/** What was decided on the same counts is decided again: whoever asks the real one has another time by then. */
function deciding(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('decide' in given)) return given;
  const decide = given.decide as (counted: readonly CountedLimit[]) => unknown;
  const decisions = new Map<string, unknown>();
  return {
    ...given,
    decide: (counted: readonly CountedLimit[]) => {
      const tallies = counted.map(({ tally: { count, sum } }) => `${count} ${sum}`).join();
      if (!decisions.has(tallies)) decisions.set(tallies, decide(counted));
      return decisions.get(tallies);
    },
  };
}
