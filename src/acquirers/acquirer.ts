// The port to a bank. A connector builds the message, sends it, reads the answer and judges it with one word.
// When it cannot tell whether money moved it says `unknown`; it never guesses `declined`, and it never throws.

import type { Answer, InquiryAnswer, ReversalAnswer } from '../domain/acquirer/acquirer-answer.ts';
import type { Money } from '../domain/money/money.ts';
import type { Secret } from '../domain/secret.ts';
import type { Authentication } from '../domain/three-d-secure/authentication.ts';

export type * from '../domain/acquirer/acquirer-answer.ts';

export type CardDetails = {
  readonly number: Secret<string>;
  readonly expireMonth: number;
  /** Four digits. */
  readonly expireYear: number;
  /** Present only until the authorisation has its first answer. */
  readonly cvv?: Secret<string>;
  readonly holder?: string;
};

/** A card that is paid to or asked about. */
export type TargetCard = { readonly number: Secret<string>; readonly holder?: string };

export type BankAccount = {
  readonly number: Secret<string>;
  readonly name?: string;
  readonly bankName?: string;
  readonly bankBranch?: string;
  readonly bankCode?: string;
  readonly bankProvince?: string;
  readonly bankArea?: string;
  readonly bankCity?: string;
  readonly bankAddress?: string;
  readonly bankZipCode?: string;
  readonly routingNumber?: string;
};

export type Target = { readonly card: TargetCard } | { readonly account: BankAccount };

/** What we ask the acquirer to do. Later messages name the instruction by our `reference`, which is unique for ever. */
export type Instruction = ChargeInstruction | FollowUpInstruction | Push | EligibilityQuestion;

/** Asks the cardholder's bank: for money, to hold money, to fund a transfer, or (amount 0) whether the card is good. */
export type ChargeInstruction = {
  readonly kind: 'sale' | 'preauth' | 'pull' | 'verification';
  readonly reference: string;
  readonly amount: Money;
  readonly card: CardDetails;
  readonly descriptor: string;
  /** Who makes this charge happen: a payer who is present, or the merchant with a stored card. */
  readonly initiator: 'payer' | 'merchant';
  /** The result of 3-D Secure, when the payer was authenticated. */
  readonly authentication?: Authentication | undefined;
};

/**
 * Uses the money of an earlier instruction. `original` is the reference of the one that holds or moved it: a preauth
 * for capture and cancel; a sale or capture for void; a sale, a capture or a preauth (all its captures) for refund.
 */
export type FollowUpInstruction = {
  readonly kind: 'capture' | 'cancel' | 'void' | 'refund';
  readonly reference: string;
  readonly original: string;
  readonly amount: Money;
};

/** Pays out to a card or a bank account. */
export type Push = {
  readonly kind: 'push';
  readonly reference: string;
  readonly amount: Money;
  readonly to: Target;
};

/** Asks whether money can be sent from the one card and to the other; at least one of them is given. */
export type EligibilityQuestion = {
  readonly kind: 'eligibility';
  readonly reference: string;
  readonly sending?: TargetCard;
  readonly receiving?: TargetCard;
};

export type Acquirer = {
  readonly name: string;
  send(instruction: Instruction): Promise<Answer>;
  inquire(reference: string): Promise<InquiryAnswer>;
  reverse(reference: string): Promise<ReversalAnswer>;
  close(): Promise<void>;
};
