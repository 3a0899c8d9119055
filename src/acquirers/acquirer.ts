// The port to a bank. A connector builds the message, sends it, reads the answer and judges it with one word.
// When it cannot tell whether money moved it says `unknown`; it never guesses `declined`, and it never throws.

import type { Answer, InquiryAnswer, ReversalAnswer } from '../domain/acquirer/acquirer-answer.ts';
import type { Money } from '../domain/money/money.ts';
import type { OrderDetails } from '../domain/order/details.ts';
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
  readonly holder?: string | undefined;
};

/** A card that is paid to or asked about. */
export type TargetCard = { readonly number: Secret<string>; readonly holder?: string | undefined };

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

export type InstructionKind = Instruction['kind'];

/** Where the merchant stands, as its acquirer registered it. */
export type Site = {
  /** The acquirer's number of the merchant. */
  readonly merchantNumber: string;
  /** The acquirer's number of the terminal, at most eight characters. */
  readonly terminalNumber: string | undefined;
  /** The merchant's category, ISO 18245. */
  readonly category: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The acquirer's own number, at most eleven digits. */
  readonly acquirerNumber: string;
  /** What card statements show. */
  readonly descriptor: string;
};

/** Who pays, as far as the merchant told. */
export type Payer = Pick<
  OrderDetails,
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'address'
  | 'city'
  | 'state'
  | 'zipCode'
  | 'country'
  | 'ipAddress'
  | 'browser'
>;

/**
 * Numbers an instruction for banks that know neither references nor UUIDs. It is fixed before anything is sent and
 * follows from what is stored, so every node gives an instruction the same. Two instructions of one `at` second never
 * have the same `number`, nor have two among a million neighbours.
 */
export type Trace = {
  readonly number: number;
  /** In milliseconds since 1970. */
  readonly at: number;
};

/** The instruction that a follow-up acts on, with everything its bank said about it. */
export type Origin = {
  readonly reference: string;
  readonly kind: InstructionKind;
  readonly amount: Money;
  readonly trace: Trace;
  readonly approvalCode?: string | undefined;
  readonly rrn?: string | undefined;
  readonly processorTxId?: string | undefined;
  readonly networkTransactionId?: string | undefined;
};

/** What banks want to know around an instruction. */
export type Circumstances = {
  readonly site: Site;
  readonly trace: Trace;
  readonly payer: Payer;
  /** Of follow-ups. */
  readonly origin?: Origin | undefined;
  /** The card of the origin, without its security code, for connectors whose follow-ups need it. */
  readonly card?: CardDetails | undefined;
  /** The network's id of the first charge of a stored card, where its bank told it. */
  readonly firstNetworkTransactionId?: string | undefined;
  /** Whether the card is stored for later charges, or was stored before. */
  readonly stored?: 'now' | 'before' | undefined;
  /**
   * Where the payer comes back to after a challenge, when there is a payer who can be sent anywhere. It is worked out
   * when it is asked for, so a copy of these circumstances (a spread, JSON) lacks it: read it by its name.
   */
  readonly returnUrl?: string | undefined;
};

/** An instruction that was sent or may have been, for questions about it. The security code is never part of it. */
export type SentInstruction = {
  readonly instruction: Instruction;
  readonly around: Circumstances;
  /** Whether this question may have been asked before. */
  readonly again: boolean;
  /** It was sent before this moment. The trace may be far older: payers take their time to enter a card. */
  readonly sentBefore?: number | undefined;
};

/** What a connector saw when it was tried without money. */
export type TestLine = { readonly what: string; readonly works: boolean; readonly detail?: string | undefined };

/** A message that a bank sent to us without being asked. */
export type Notice = {
  readonly method: string;
  /** Behind the terminal's own address, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
};

/** What a connector makes of a notice: how to answer, and which instruction to ask about at once. */
export type NoticeReading = {
  readonly status: number;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  /** Our reference of the instruction the notice is about; undefined when it is about none of ours. */
  readonly reference?: string | undefined;
  /** What the bank calls the notice: each is acted on once. */
  readonly noticeId?: string | undefined;
  /**
   * The notice says that the bank returned the payout of that instruction, which it had approved. The bank is asked,
   * and only an inquiry that is answered `declined` and `returned` books it. It sends the notice until it is taken.
   */
  readonly returned?: true | undefined;
};

/** A message as it may be shown: no card number, no code, no key. */
export type TraceLine = { readonly at: number; readonly direction: 'out' | 'in'; readonly text: string };

export type Acquirer = {
  send(instruction: Instruction, around: Circumstances): Promise<Answer>;
  inquire(reference: string, sent: SentInstruction): Promise<InquiryAnswer>;
  reverse(reference: string, sent: SentInstruction): Promise<ReversalAnswer>;
  /** Tries what can be tried without money: connect, sign on, authenticate. It never throws. */
  test(): Promise<readonly TestLine[]>;
  /** Reads a notice and says whether it is real; undefined where banks of this kind send none. It never throws. */
  receive?: ((notice: Notice) => Promise<NoticeReading>) | undefined;
  /** The latest messages, oldest first, masked. */
  traced?: (() => readonly TraceLine[]) | undefined;
  close(): Promise<void>;
};
