// The action codes (ISO 8583:1993) that the simulated bank gives for reasons of its own.

/** The amount is zero where money must move, in another currency, or more than is held, captured or left to refund. */
export const INVALID_AMOUNT = '110';
/** The card to be paid has a wrong check digit, or the card or account cannot receive money. */
export const INVALID_TARGET = '111';
/** The original does not allow it, or no longer: it is of a wrong kind, not approved, taken back or cleared. */
export const INVALID_TRANSACTION = '902';
/** The reference belongs to another instruction already. */
export const REFERENCE_TAKEN = '913';
/** The original was never seen, or the reference was cancelled before or after it arrived. */
export const ORIGINAL_NOT_FOUND = '914';
