// The line between the connector and the simulated bank, here in the same process and with the bank's faults. A line
// may fail by throwing or by never answering. The caller then cannot tell what the bank did, and the connector has to
// live with that.

import type { Answer, InquiryAnswer, Instruction, ReversalAnswer } from '../acquirer.ts';
import type { Bank } from './bank.ts';
import type { BankMessage } from './faults.ts';
import type { CallEnd } from './time-limit.ts';

export type BankLine = {
  instruct(instruction: Instruction, end: CallEnd): Promise<Answer>;
  inquire(reference: string, end: CallEnd): Promise<InquiryAnswer>;
  reverse(reference: string, end: CallEnd): Promise<ReversalAnswer>;
  close(): Promise<void>;
};

/** Nothing was sent. */
export class ConnectionRefused extends Error {}

/** The bank answered, and nobody can read the answer. */
export class AnswerGarbled extends Error {}

/** A line to a bank in the same process. Closing it neither closes the bank nor stops messages on their way to it. */
export function lineTo(bank: Bank): BankLine {
  return {
    instruct: (instruction) => carry(bank, 'instruct', () => bank.instruct(instruction)),
    inquire: (reference) => carry(bank, 'inquire', () => bank.inquire(reference)),
    reverse: (reference) => carry(bank, 'reverse', () => bank.reverse(reference)),
    close: async () => {},
  };
}

async function carry<T>(bank: Bank, message: BankMessage, work: () => Promise<T>): Promise<T> {
  const fate = bank.faults.fateOf(message);
  if (fate.end === 'refused') throw new ConnectionRefused('the bank refused the connection');
  if (fate.end === 'request-lost') return neverAnswered();
  if (fate.requestDelayMs > 0) await bank.clock.sleep(fate.requestDelayMs, bank.closing);
  if (fate.end === 'doubled') await work();
  const answer = await work();
  if (fate.answerDelayMs > 0) await bank.clock.sleep(fate.answerDelayMs, bank.closing);
  if (fate.end === 'garbled') throw new AnswerGarbled('the answer cannot be read');
  return fate.end === 'answer-lost' ? neverAnswered() : answer;
}

function neverAnswered(): Promise<never> {
  return new Promise(() => {});
}
