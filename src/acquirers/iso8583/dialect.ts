// What a dialect of ISO 8583 is: one literal that says how messages look and what each of our instructions becomes.
// Everything else in this folder follows the literal and knows no host.

import type { Instruction, InstructionKind } from '../acquirer.ts';

/** A message: its type, and its fields by number. Bytes are written as hexadecimal digits. */
export type IsoMessage = { readonly mti: string; readonly fields: IsoFields };
export type IsoFields = Readonly<Record<number, string>>;

/** `n` digits, `ans` text, `b` bytes, `x+n` the letter C or D and digits. */
export type FieldContent = 'n' | 'ans' | 'b' | 'x+n';

export type FieldFormat = {
  readonly content: FieldContent;
  /** How many characters, digits or bytes at most; exactly so many where `prefix` is 0. */
  readonly length: number;
  /** How many digits of length stand before the value. */
  readonly prefix: 0 | 2 | 3;
  /** Digits are text or two in a byte; bytes are hexadecimal text or themselves. Text is always ASCII. */
  readonly packed: boolean;
};

/** What an instruction and its circumstances give, by our names. */
export type Datum =
  | 'cardNumber'
  | 'processing'
  | 'amount'
  | 'originalAmount'
  | 'replacementAmounts'
  | 'remainingAmount'
  | 'originalAmounts'
  | 'transmission'
  | 'stan'
  | 'localTime'
  | 'localDate'
  | 'localMoment'
  | 'expiry'
  | 'category'
  | 'countryNumber'
  | 'entryMode'
  | 'condition'
  | 'serviceData'
  | 'captureFunction'
  | 'reversalFunction'
  | 'acquirer'
  | 'rrn'
  | 'approvalCode'
  | 'terminal'
  | 'merchant'
  | 'nameInForty'
  | 'nameInParts'
  | 'privateData'
  | 'currency'
  | 'account'
  | 'originalData'
  | 'originalDataWithLengths';

export type MessagePlan = {
  readonly mti: string;
  /** The type of the same message when it is sent again; without it the message is sent once only. */
  readonly repeat?: string;
  /** The processing code. */
  readonly processing: string;
  /** Whether a reversal advice may name this message as its original. */
  readonly reversible: boolean;
  /** What each field carries: a datum, or always the same text. Fields whose datum is not known are left out. */
  readonly fields: Readonly<Record<number, Datum | { readonly is: string }>>;
};

export type SentKind = Exclude<InstructionKind, 'eligibility'>;
export type PlannedInstruction = Extract<Instruction, { kind: SentKind }>;

/** What is said in private data, each under a tag of two digits. */
export type PrivateDatum =
  | 'securityCode'
  | 'eci'
  | 'authenticationValue'
  | 'dsTransactionId'
  | 'authenticationVersion'
  | 'networkTransactionId'
  | 'addressCheck'
  | 'securityCodeCheck';

export type Dialect = {
  readonly name: string;
  /** Bytes before the message type, as hexadecimal digits; answers carry as many. */
  readonly header: string;
  readonly mti: 'text' | 'packed';
  readonly bitmap: 'hex' | 'binary';
  readonly lengths: 'text' | 'packed';
  /** Where the filler stands when an odd number of digits is packed in bytes. */
  readonly filler: 'first' | 'last';
  readonly fields: Readonly<Record<number, FieldFormat>>;
  readonly messages: Readonly<Record<SentKind, MessagePlan>>;
  /** The advice that an earlier message is void. Its processing code is that of the original. */
  readonly reversal: Pick<MessagePlan, 'mti' | 'fields'> & { readonly repeat: string };
  readonly network: {
    readonly mti: string;
    /** The field that says what is asked. */
    readonly field: number;
    readonly signOn: string;
    readonly signOff: string;
    readonly echo: string;
    readonly fields: Readonly<Record<number, Datum>>;
    /** The response codes with which we answer. */
    readonly accepted: string;
    readonly refused: string;
  };
  readonly privateData: { readonly field: number; readonly tags: Readonly<Record<PrivateDatum, string>> };
  /** The action code of each response code; a dialect whose response codes are action codes lists none. */
  readonly codes: Readonly<Record<string, string>> | 'action-codes';
  /** Response codes that ask for patience: the real answer follows. */
  readonly waits: readonly string[];
  /** Fields that may be shown as they are; of all others only the length is shown, of a card number a part. */
  readonly shown: readonly number[];
};

/** Fields that mean the same in every dialect. */
export const FIELD = {
  cardNumber: 2,
  processing: 3,
  amount: 4,
  transmission: 7,
  stan: 11,
  rrn: 37,
  approvalCode: 38,
  code: 39,
  terminal: 41,
  mac: 64,
  secondMac: 128,
} as const;

/** A message that cannot be written or read. Its text never holds a field's value. */
export class MessageFault extends Error {}

const NOTATION = /^(n|ans|z|b|x\+n)(\.{2,3}| )(\d+)$/;

/**
 * Reads the standard's own notation: `n 6` has six digits, `n..19` up to 19 behind two digits of length, `ans...999` up
 * to 999 behind three. Tracks (`z`) are text.
 */
export function fieldFormats(packed: boolean, notations: Readonly<Record<number, string>>): Dialect['fields'] {
  return Object.fromEntries(
    Object.entries(notations).map(([field, notation]) => {
      const [, content, dots = '', length] = NOTATION.exec(notation) ?? [];
      if (content === undefined) throw new Error(`field ${field}: ${notation} is no format`);
      const prefix = dots === ' ' ? 0 : dots.length === 2 ? 2 : 3;
      const read = content === 'z' ? 'ans' : (content as FieldContent);
      return [field, { content: read, length: Number(length), prefix, packed }];
    }),
  );
}

/** The first three digits of the type that answers a message: its version, its class and what the answer does. */
export function answeringType(mti: string): string {
  return mti.slice(0, 2) + (Number(mti.charAt(2)) + 1);
}
