// Counts and times the answers of an acquirer, whichever it is. Missing answers are logged as one outage.

import type { Acquirer, Answer, InquiryAnswer, ReversalAnswer } from '../acquirers/acquirer.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { OutageLog, type OutageLogOptions } from './outage-log.ts';

type AnyAnswer = Answer | InquiryAnswer | ReversalAnswer;

export type Watching = {
  /** Where the bank is, without credentials. */
  readonly address: string;
  readonly clock: OutageLogOptions['clock'];
  readonly log: Log;
  readonly metrics: Metrics;
};

export function watchedAcquirer(acquirer: Acquirer, { address, clock, log, metrics }: Watching): Acquirer {
  const outage = new OutageLog({
    log,
    clock,
    begins: 'the bank does not answer',
    lasts: 'the bank still does not answer',
    ends: 'the bank answers again',
  });
  const watched = async <A extends AnyAnswer>(instruction: string, ask: () => Promise<A>): Promise<A> => {
    const began = performance.now();
    const answer = await ask();
    metrics.observeAnswer(instruction, outcomeOf(answer), performance.now() - began);
    if ('fault' in answer && answer.fault) outage.failed({ address, detail: answer.reason });
    else outage.worked();
    return answer;
  };
  return {
    ...acquirer,
    send: (instruction, around) => watched(instruction.kind, () => acquirer.send(instruction, around)),
    inquire: (reference, sent) => watched('inquiry', () => acquirer.inquire(reference, sent)),
    reverse: (reference, sent) => watched('reversal', () => acquirer.reverse(reference, sent)),
  };
}

/** The word of the answer or the fault that prevented one. */
function outcomeOf(answer: AnyAnswer): string {
  return 'fault' in answer && answer.fault ? answer.fault : answer.word;
}
