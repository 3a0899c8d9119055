// The port to a bank. A connector builds the message, sends it, reads the answer and judges it with one word.
// When it cannot tell whether money moved it says `unknown`; it never guesses `declined`, and it never throws.

import type { Answer, InquiryAnswer, ReversalAnswer } from '../domain/acquirer-answer.ts';
import type { Money } from '../domain/money.ts';
import type { Secret } from '../domain/secret.ts';

export type {
  Answer,
  Approval,
  Decline,
  InquiryAnswer,
  Pending,
  ReversalAnswer,
  Unknown,
} from '../domain/acquirer-answer.ts';

export type CardDetails = {
  readonly number: Secret<string>;
  readonly expireMonth: number;
  /** Four digits. */
  readonly expireYear: number;
  /** Present only until the authorisation has its first answer. */
  readonly cvv?: Secret<string>;
  readonly holder?: string;
};

/** What we ask the acquirer to do. `reference` is ours, unique for ever, and names the instruction in every later message. */
export type Instruction = {
  readonly kind: 'sale';
  readonly reference: string;
  readonly amount: Money;
  readonly card: CardDetails;
  readonly descriptor: string;
};

export type Acquirer = {
  readonly name: string;
  send(instruction: Instruction): Promise<Answer>;
  inquire(reference: string): Promise<InquiryAnswer>;
  reverse(reference: string): Promise<ReversalAnswer>;
  close(): Promise<void>;
};
