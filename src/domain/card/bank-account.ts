// What may be shown of a bank account's number: its last four characters, and never more than half of it.

const SHOWN = 4;

export function maskAccountNumber(number: string): string {
  const shown = Math.min(SHOWN, Math.floor(number.length / 2));
  return '*'.repeat(number.length - shown) + number.slice(number.length - shown);
}
