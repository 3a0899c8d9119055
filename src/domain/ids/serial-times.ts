// Serial numbers of requests begin with the milliseconds at which they were made, so a moment is a bound among them.

const TIME_DIGITS = 12;

/** Smaller than every serial number made at this moment or later, and larger than all made before. */
export function serialNumbersSince(moment: number): string {
  const hex = Math.max(0, moment).toString(16).padStart(TIME_DIGITS, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** When it was made. */
export const serialNumberTime = (serialNumber: string): number =>
  Number.parseInt(serialNumber.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
