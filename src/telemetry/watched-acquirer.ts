// Counts and times the answers of an acquirer, whichever it is. Missing answers are logged as one outage.

import type { Acquirer, Answer, InquiryAnswer, ReversalAnswer } from '../acquirers/acquirer.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { OutageLog, type OutageLogOptions } from './outage-log.ts';
import type { Watches } from './seen.ts';

type AnyAnswer = Answer | InquiryAnswer | ReversalAnswer;

export type Watching = {
  /** The terminal's name. */
  readonly terminal: string;
  /** Where the bank is, without credentials, as far as it is known. */
  readonly address?: string | undefined;
  readonly clock: OutageLogOptions['clock'];
  readonly log: Log;
  readonly metrics: Metrics;
  readonly watches?: Watches | undefined;
};

export function watchedAcquirer(acquirer: Acquirer, watching: Watching): Acquirer {
  const { terminal, address, clock, log, metrics, watches } = watching;
  const outage = new OutageLog({
    log,
    clock,
    begins: 'the bank does not answer',
    lasts: 'the bank still does not answer',
    ends: 'the bank answers again',
  });
  const watched = async <A extends AnyAnswer>(
    instruction: string,
    reference: string,
    ask: () => Promise<A>,
  ): Promise<A> => {
    const began = performance.now();
    const answer = await ask();
    const milliseconds = performance.now() - began;
    metrics.observeAnswer({ terminal, instruction, outcome: outcomeOf(answer) }, milliseconds);
    watches?.({
      ...{ kind: 'bank', at: clock.now(), instruction, milliseconds },
      ...{ orderId: orderIn(reference), outcome: toldOf(answer) },
    });
    if ('fault' in answer && answer.fault) {
      outage.failed({ terminal, ...(address && { address }), detail: answer.reason });
    } else outage.worked();
    return answer;
  };
  const { receive, traced } = acquirer;
  return {
    send: (instruction, around) =>
      watched(instruction.kind, instruction.reference, () => acquirer.send(instruction, around)),
    inquire: (reference, sent) => watched('inquiry', reference, () => acquirer.inquire(reference, sent)),
    reverse: (reference, sent) => watched('reversal', reference, () => acquirer.reverse(reference, sent)),
    test: () => acquirer.test(),
    receive: receive?.bind(acquirer),
    traced: traced?.bind(acquirer),
    close: () => acquirer.close(),
  };
}

/** The word of the answer or the fault that prevented one. */
function outcomeOf(answer: AnyAnswer): string {
  return 'fault' in answer && answer.fault ? answer.fault : answer.word;
}

/** The same, with a decline's code. */
function toldOf(answer: AnyAnswer): string {
  return answer.word === 'declined' ? `declined ${answer.code}` : outcomeOf(answer);
}

/** References begin with the order's id. */
function orderIn(reference: string): string | undefined {
  return /^\d+/.exec(reference)?.[0];
}
