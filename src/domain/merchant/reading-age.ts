// How long the reading of a control must be remembered: as long as a key that may have signed it can sign. A digest
// that no key makes any more is refused as wrong, whatever it is said to stand for, so nothing is reopened by
// forgetting it. By age alone nothing may be forgotten: a later order can fit an old digest.

import type { ControlKey } from './merchant.ts';

/** A key that has ended is taken for valid so much longer, for nodes that have not heard of its end. */
const AFTER_THE_END_MS = 30 * 24 * 60 * 60_000;

/** Readings that were remembered before this moment may be forgotten. */
export function readingsNeededSince(keys: readonly Omit<ControlKey, 'key' | 'operations'>[], now: number): number {
  const end = now - AFTER_THE_END_MS;
  const usable = keys.filter(({ validUntil }) => validUntil === undefined || validUntil > end);
  return Math.min(end, ...usable.map(({ validFrom }) => validFrom));
}
