// The id of an order's receipt page, which whoever has it may see. It is a UUID of version 8: 56 bits are the order's
// id, so that the order is found without an index of its own, and 66 bits are random, so that nobody can guess it.

const ORDER_DIGITS = 14;
const FORM = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{2})[0-9a-f]-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** `random` is a random UUID of version 4; its last 66 random bits are used. */
export function newReceiptId(orderId: number, random: string): string {
  const digits = orderId.toString(16).padStart(ORDER_DIGITS, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(12)}${random.slice(17)}`;
}

/** The order that a receipt's id names; undefined for ids of another form, which the first orders have. */
export function orderIdIn(receiptId: string): number | undefined {
  const [, ...parts] = FORM.exec(receiptId) ?? [];
  const orderId = parts.length === 0 ? Number.NaN : Number.parseInt(parts.join(''), 16);
  return Number.isSafeInteger(orderId) ? orderId : undefined;
}
