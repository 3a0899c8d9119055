// An acquirer whose answers are counted and timed, whichever connector gives them.

import type { Acquirer, Answer, InquiryAnswer, ReversalAnswer } from '../acquirers/acquirer.ts';
import type { Metrics } from './metrics.ts';

type AnyAnswer = Answer | InquiryAnswer | ReversalAnswer;

export function watchedAcquirer(acquirer: Acquirer, metrics: Metrics): Acquirer {
  const watched = async <A extends AnyAnswer>(instruction: string, ask: () => Promise<A>): Promise<A> => {
    const began = performance.now();
    const answer = await ask();
    metrics.observeAnswer(instruction, outcomeOf(answer), performance.now() - began);
    return answer;
  };
  return {
    name: acquirer.name,
    send: (instruction) => watched(instruction.kind, () => acquirer.send(instruction)),
    inquire: (reference) => watched('inquiry', () => acquirer.inquire(reference)),
    reverse: (reference) => watched('reversal', () => acquirer.reverse(reference)),
    close: () => acquirer.close(),
  };
}

/** The answer's word; where there was none, what stood in its way. */
function outcomeOf(answer: AnyAnswer): string {
  return answer.word === 'unknown' ? (answer.fault ?? answer.word) : answer.word;
}
