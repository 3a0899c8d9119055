// The numbers that the bank gives to its entries, made from an entry's serial number. Each formula permutes its whole
// range, so no two entries of one set of books share a number, and the same history always gives the same numbers.

const RRN_DIGITS = 12;
const RRN_RANGE = 10n ** BigInt(RRN_DIGITS);
const RRN_STEP = 618_033_988_751n; // shares no factor with the range
const RRN_START = 414_213_562_373n;

const APPROVAL_CHARACTERS = 6;
const APPROVAL_BASE = 36;
const APPROVAL_RANGE = BigInt(APPROVAL_BASE) ** BigInt(APPROVAL_CHARACTERS);
const APPROVAL_STEP = 1_345_328_843n; // shares no factor with the range
const APPROVAL_START = 732_050_807n;

/** The retrieval reference number: twelve digits. */
export function rrnOf(serial: number): string {
  return ((BigInt(serial) * RRN_STEP + RRN_START) % RRN_RANGE).toString().padStart(RRN_DIGITS, '0');
}

/** Six letters and digits. */
export function approvalCodeOf(serial: number): string {
  const code = (BigInt(serial) * APPROVAL_STEP + APPROVAL_START) % APPROVAL_RANGE;
  return code.toString(APPROVAL_BASE).toUpperCase().padStart(APPROVAL_CHARACTERS, '0');
}

/** `PNTEST-` and the order's number, with which a reference begins; other references are used whole. */
export function processorTxIdOf(reference: string): string {
  return `PNTEST-${/^\d+/.exec(reference)?.[0] ?? reference}`;
}
