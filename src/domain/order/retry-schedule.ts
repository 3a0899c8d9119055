// When to try again, and when to stop: the written bound on how long an outcome stays open.
// Asking: 7 inquiries within about 1 h 22 min. Undoing: 13 reversals within about 31 h. Then a person decides.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pause before each inquiry, the first at once. */
export const INQUIRY_PAUSES_MS: readonly number[] = [0, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR];

/**
 * The shortest pause before an inquiry, by how often the instruction was sent. It is sent again as soon as the acquirer
 * says it never saw it; an acquirer that is out for a few seconds must not use up all sends within one.
 */
export const RESEND_PAUSES_MS: readonly number[] = [0, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE];

/** How often one instruction may be sent under its reference, each time the acquirer says it never saw it. */
export const MAX_SENDS = RESEND_PAUSES_MS.length;

/** The pause before the acquirer is asked, after `sends` instructions and `attempts` inquiries without an answer. */
export function inquiryPauseMs(sends: number, attempts: number): number {
  return Math.max(INQUIRY_PAUSES_MS[attempts] ?? 0, RESEND_PAUSES_MS[sends - 1] ?? 0);
}

/** The pause before each question about a payer whom the bank has sent to an address of its own: about 15 minutes. */
export const CHALLENGE_PAUSES_MS: readonly number[] = [
  ...Array(6).fill(10 * SECOND),
  ...Array(8).fill(30 * SECOND),
  ...Array(10).fill(MINUTE),
];

const LONG_PAUSES_MS = [2 * HOUR, 4 * HOUR, 6 * HOUR, 6 * HOUR, 6 * HOUR, 6 * HOUR];

/** The pause before each reversal: those of inquiries, and then longer ones. */
export const REVERSAL_PAUSES_MS: readonly number[] = [...INQUIRY_PAUSES_MS, ...LONG_PAUSES_MS];

/** How long ago at least the first of so many reversals was asked for when the last of them was answered. */
export function undoneForMs(reversals: number): number {
  return REVERSAL_PAUSES_MS.slice(0, reversals).reduce((sum, pause) => sum + pause, 0);
}

/** How long one call to the acquirer may take, by what is asked. */
export type CallLimits = { readonly sendMs: number; readonly askMs: number };

/**
 * The longest a transaction can be open before it is final or waits for a person, whatever the acquirer does, while a
 * node works: it is sent as often as allowed, each time followed by all inquiries, and at last by all reversals. Each
 * leg of a transfer can take as long.
 */
export function longestOpenMs({ sendMs, askMs }: CallLimits, legs = 1): number {
  const all = (pauses: readonly number[]) => pauses.reduce((sum, pause) => sum + pause + askMs, 0);
  const rounds = RESEND_PAUSES_MS.map((_, index) => {
    return sendMs + all(INQUIRY_PAUSES_MS.map((__, attempts) => inquiryPauseMs(index + 1, attempts)));
  });
  return legs * (rounds.reduce((sum, round) => sum + round, 0) + all(REVERSAL_PAUSES_MS));
}

/** How long the merchant has to confirm an order that waits for it. */
export const CONFIRMATION_MS = 24 * HOUR;

/** How long the payer has to enter a card on the hosted form. */
export const FORM_MS = 30 * MINUTE;

/** The longest a sealed security code may wait for the authorisation's answer. */
export const CVV_MS = 14 * MINUTE;

/** How long a payer may take to prove to be the cardholder: no longer than the security code is kept. */
export const AUTHENTICATION_MS = CVV_MS;

/**
 * A key of security codes seals so long, lives on for the last code it sealed, and is destroyed then: within fifteen
 * minutes of its last use, the time to do it included.
 */
export const CODE_KEY_SEALS_MS = 45_000;
export const CODE_KEY_MS = CODE_KEY_SEALS_MS + CVV_MS;
