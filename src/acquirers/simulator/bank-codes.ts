// The action codes (ISO 8583:1993) the simulated bank gives for reasons of its own.

/** Zero where money must move, another currency, or more than is held, captured or left to refund. */
export const INVALID_AMOUNT = '110';
/** A card to be paid with a wrong check digit, or a card or account that cannot receive money. */
export const INVALID_TARGET = '111';
/** Not possible with this original, or no longer: wrong kind, not approved, taken back, cleared. */
export const INVALID_TRANSACTION = '902';
/** A reference that stands for another instruction already. */
export const REFERENCE_TAKEN = '913';
/** An original that was never seen; also a reference that was cancelled, before or after it arrived. */
export const ORIGINAL_NOT_FOUND = '914';
