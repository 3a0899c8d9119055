// The connector to the simulated bank. Every call ends within its time limit with one of the port's words. After a
// refused connection nothing was sent; a broken one, an unreadable answer and silence are all `unknown`, because the
// bank may have booked the payment.

import type { Clock } from '../../domain/clock.ts';
import { readBy, wholeNumber } from '../../domain/input-kinds.ts';
import type { Acquirer, Answer, InquiryAnswer, Instruction, LineFault, ReversalAnswer, Unknown } from '../acquirer.ts';
import { defineConnector, optionalValue, requiredValue } from '../connector.ts';
import { AnswerGarbled, type BankLine, ConnectionRefused } from './bank-line.ts';
import { httpLine } from './http-line.ts';
import { LineTrace } from './line-trace.ts';
import { readReturnNotice } from './return-notice.ts';
import { type CallEnd, TimeLimit } from './time-limit.ts';
import { UnreadableWire } from './wire-fields.ts';

export type SimulatorOptions = {
  readonly line: BankLine;
  readonly clock: Clock;
  readonly sendTimeoutMs?: number | undefined;
  /** For inquiries and reversals. */
  readonly askTimeoutMs?: number | undefined;
};

export const DEFAULT_SEND_TIMEOUT_MS = 30_000;
export const DEFAULT_ASK_TIMEOUT_MS = 10_000;

/** The bank finds everything it wants to know in the instruction, and knows it again by its reference. */
export type SimulatorLine = Acquirer & {
  send(instruction: Instruction): Promise<Answer>;
  inquire(reference: string): Promise<InquiryAnswer>;
  reverse(reference: string): Promise<ReversalAnswer>;
};

const unknown = (reason: string, fault: LineFault): Unknown => ({ word: 'unknown', reason, fault });

export function simulator({
  line,
  clock,
  sendTimeoutMs = DEFAULT_SEND_TIMEOUT_MS,
  askTimeoutMs = DEFAULT_ASK_TIMEOUT_MS,
}: SimulatorOptions): SimulatorLine {
  const limitOf = (limitMs: number) =>
    new TimeLimit({ clock, limitMs, late: unknown(`the bank gave no answer within ${limitMs} ms`, 'silent') });
  const sending = limitOf(sendTimeoutMs);
  const asking = limitOf(askTimeoutMs);
  const trace = new LineTrace(clock);
  let closed = false;

  async function ask<T>(limit: TimeLimit<Unknown>, call: (end: CallEnd) => Promise<T>): Promise<T | Unknown> {
    if (closed) return { word: 'unknown', reason: 'the connector is closed' };
    try {
      return await limit.bound(call);
    } catch (error) {
      return unknown(error instanceof Error ? error.message : 'the call failed', faultOf(error));
    }
  }

  const instructing =
    (instruction: Instruction) =>
    async (end: CallEnd): Promise<Answer> => {
      try {
        return await line.instruct(instruction, end);
      } catch (error) {
        if (!(error instanceof ConnectionRefused)) throw error;
        return { word: 'unsent', reason: error.message, fault: 'unreachable' };
      }
    };

  return {
    send: (instruction) => trace.instructed(instruction, ask(sending, instructing(instruction))),
    inquire: (reference) =>
      trace.asked(
        'inquiry',
        reference,
        ask(asking, (end) => line.inquire(reference, end)),
      ),
    reverse: (reference) =>
      trace.asked(
        'reversal',
        reference,
        ask(asking, (end) => line.reverse(reference, end)),
      ),
    test: async () => {
      const { word, ...rest } = await ask(asking, (end) => line.inquire('0-1', end));
      const works = word !== 'unknown';
      return [{ what: 'the bank answers', works, detail: 'reason' in rest ? rest.reason : undefined }];
    },
    receive: async (notice) => readReturnNotice(notice),
    traced: () => trace.lines(),
    close: async () => {
      closed = true;
      sending.close();
      asking.close();
      await line.close();
    },
  };
}

function faultOf(error: unknown): LineFault {
  return error instanceof UnreadableWire || error instanceof AnswerGarbled ? 'unreadable' : 'unreachable';
}

const address = readBy('an address such as http://localhost:8090', (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.protocol === 'http:' && url.username === '' && url.search === '' && url.hash === '';
  return isPlain ? text : undefined;
});

/** A terminal of its own for every bank that was started with `tender bank`. */
export const simulatorConnector = defineConnector({
  name: 'simulator',
  says: 'the simulated bank, which moves no money',
  settings: {
    url: requiredValue(address, { says: 'where "tender bank" listens' }),
    timeoutMs: optionalValue(wholeNumber(1, DEFAULT_SEND_TIMEOUT_MS), {
      says: `how long it may take to answer, in milliseconds; ${DEFAULT_SEND_TIMEOUT_MS} for payments when left out`,
    }),
  },
  does: ['sale', 'preauth', 'pull', 'verification', 'capture', 'cancel', 'void', 'refund', 'push', 'eligibility'],
  partial: ['capture', 'cancel', 'refund'],
  inquiry: 'message',
  needsCard: false,
  open: ({ url, timeoutMs }, { clock }) =>
    simulator({ line: httpLine(url), clock, sendTimeoutMs: timeoutMs, askTimeoutMs: timeoutMs }),
});
