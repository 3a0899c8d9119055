// An order as it is stored, with its events and entries, as JSON: for whoever plays it again elsewhere.

import type { StoredOrder } from '../../domain/order/verification.ts';

export const storedText = (stored: StoredOrder): string =>
  JSON.stringify(stored, (_, value) => (typeof value === 'bigint' ? { bigint: String(value) } : value));

export function storedFrom(text: string): StoredOrder {
  return JSON.parse(text, (_, value) =>
    typeof value?.bigint === 'string' && Object.keys(value).length === 1 ? BigInt(value.bigint) : value,
  );
}
