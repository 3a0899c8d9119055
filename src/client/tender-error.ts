// What a call that did not succeed throws: which error, in which field, what can be done about it, and whether the
// request may have been carried out all the same.

import { errorAdvice, errorOfCode } from '../domain/error-remedies.ts';

export type TenderFault = {
  /** The parameter that is to blame, where one is. */
  readonly field?: string;
  /** The number of the error, as the errors page lists it. */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
};

/** Errors of the client itself, which have words for numbers. */
const OWN = {
  'no-answer': 'Send the same request again, or ask STATUS: it may have been carried out.',
  'no-key': 'Give TenderClient the key that the message names.',
  'not-ended': 'Wait for the callback, or call waitForEnd again later: the order goes on by itself.',
  'payer-needed':
    'Send the payer to the address in payer.redirectTo, or show payer.html; waitForEnd({…}, { payer }) goes on after it.',
  'unreadable-answer': 'Check that baseUrl leads to the gateway and not to a page of a proxy.',
  'amount-without-currency': 'Send the currency with the amount, or write the amount in major units.',
} as const;

export type OwnErrorCode = keyof typeof OWN;

/** What the payer has to do before the order can go on. */
export type PayerNeed = {
  /** Where to send the payer's browser. */
  readonly redirectTo: string;
  /** A page that sends the browser there by itself. */
  readonly html: string;
  /** The step of 3-D Secure, where the merchant may run it itself: `method-url`, `challenge` or `pareq`. */
  readonly step: string | undefined;
};

type ErrorDetails = {
  readonly faults: readonly TenderFault[];
  /** `unknown`: the request may have been carried out. */
  readonly outcome: 'refused' | 'unknown';
  readonly httpStatus?: number | undefined;
  readonly serialNumber?: string | undefined;
  /** What the control should have covered, which a sandbox tells. */
  readonly expectedString?: string | undefined;
  readonly payer?: PayerNeed | undefined;
  readonly cause?: unknown;
};

export class TenderError extends Error {
  override readonly name = 'TenderError';
  /** The number of the first error, such as `20`, or a word of the client's own, such as `no-answer`. */
  readonly code: string;
  readonly field: string | undefined;
  readonly remedy: string;
  /** Everything that is wrong. */
  readonly faults: readonly TenderFault[];
  readonly outcome: 'refused' | 'unknown';
  readonly httpStatus: number | undefined;
  /** Quote it to support. */
  readonly serialNumber: string | undefined;
  readonly expectedString: string | undefined;
  readonly payer: PayerNeed | undefined;

  constructor(details: ErrorDetails) {
    const { faults, cause } = details;
    super(faults.map(({ message }) => message).join('. '), cause === undefined ? {} : { cause });
    const [first] = faults;
    this.code = first?.code ?? 'unreadable-answer';
    this.field = first?.field;
    this.remedy = first?.remedy ?? OWN['unreadable-answer'];
    this.faults = faults;
    this.outcome = details.outcome;
    this.httpStatus = details.httpStatus;
    this.serialNumber = details.serialNumber;
    this.expectedString = details.expectedString;
    this.payer = details.payer;
  }
}

export function ownError(
  code: OwnErrorCode,
  message: string,
  details: Partial<Omit<ErrorDetails, 'faults'>> = {},
): TenderError {
  return new TenderError({ outcome: 'refused', ...details, faults: [{ code, message, remedy: OWN[code] }] });
}

type ErrorReply = Readonly<Record<string, unknown>>;

/** The error that a reply tells of. */
export function errorIn(reply: ErrorReply, httpStatus: number): TenderError {
  const text = (name: string) => (typeof reply[name] === 'string' ? (reply[name] as string) : undefined);
  const listed: ErrorReply[] = Array.isArray(reply.errors) ? reply.errors : [];
  const whole = { code: text('error-code') ?? '', message: text('error-message') ?? `The gateway said ${httpStatus}` };
  const faults = (listed.length > 0 ? listed : [{}]).map((one) => faultOf({ ...whole, ...one }));
  return new TenderError({
    faults: withMistake(faults, text('signing-mistake')),
    outcome: httpStatus >= 500 ? 'unknown' : 'refused',
    httpStatus,
    serialNumber: text('serial-number'),
    expectedString: text('expected-string'),
  });
}

/** A sandbox says which mistake gives the signature that came: that is what to mend. */
function withMistake([first, ...others]: readonly TenderFault[], mistake: string | undefined): readonly TenderFault[] {
  if (!first) return [];
  return [mistake === undefined ? first : { ...first, remedy: `${mistake} ${first.remedy}` }, ...others];
}

function faultOf({ field, code, message }: { field?: unknown; code: string; message: string }): TenderFault {
  const error = errorOfCode(code);
  const remedy = error ? errorAdvice[error].remedy : 'Look the number up in the errors reference.';
  return { ...(typeof field === 'string' && { field }), code, message, remedy };
}
