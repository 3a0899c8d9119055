// The port to a bank. A connector builds the message, sends it, reads the answer and judges it with one word.
// When it cannot tell whether money moved it says `unknown`; it never guesses `declined`, and it never throws.

import type { Money } from '../domain/money.ts';
import type { Secret } from '../domain/secret.ts';

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

export type Approval = {
  readonly word: 'approved';
  readonly approvalCode: string;
  /** The retrieval reference number, twelve digits. */
  readonly rrn: string;
  readonly processorTxId: string;
  readonly terminalId?: string;
};

export type Decline = {
  readonly word: 'declined';
  /** ISO 8583:1993 action code, three digits, 1xx or 2xx. */
  readonly code: string;
  readonly rrn?: string;
  readonly processorTxId?: string;
};

/** The acquirer has it and works on it: ask again later. */
export type Pending = { readonly word: 'pending' };

/** Nobody can tell yet whether money moved. `reason` is for logs and operators. */
export type Unknown = { readonly word: 'unknown'; readonly reason: string };

export type Answer = Approval | Decline | Pending | Unknown;

/** `not-found`: the acquirer says for certain that it never took an instruction with this reference. */
export type InquiryAnswer = Answer | { readonly word: 'not-found' };

/** `not-found` also promises that an instruction of this reference arriving later will be refused. */
export type ReversalAnswer = { readonly word: 'reversed' } | { readonly word: 'not-found' } | Unknown;

export type Acquirer = {
  readonly name: string;
  send(instruction: Instruction): Promise<Answer>;
  inquire(reference: string): Promise<InquiryAnswer>;
  reverse(reference: string): Promise<ReversalAnswer>;
  close(): Promise<void>;
};
