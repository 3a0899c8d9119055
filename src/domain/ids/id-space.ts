// Ids of orders, cards, card references and recurring payments come from one counter that begins at 1, because deployed
// plugins store them as signed 32-bit integers.

/** Ids below this fit a signed 32-bit integer. */
export const SMALL_IDS_END = 2 ** 31;

/** From here on people are warned. */
const WARN_SHARE = 0.8;

/**
 * Ids below this come from the counter. Those above have 12 digits or more, and were made from the clock before there
 * was a counter; they stay as they are.
 */
export const COUNTED_IDS_END = 100_000_000_000;

/** How much of the small ids is taken; above 1 there are none left. */
export function shareOfSmallIds(nextId: number): number {
  return (nextId - 1) / (SMALL_IDS_END - 1);
}

/** What to tell people about the ids that are left, if it is time to. */
export function idWarning(nextId: number): string | undefined {
  const share = shareOfSmallIds(nextId);
  if (share < WARN_SHARE) return undefined;
  return nextId < SMALL_IDS_END
    ? `${Math.floor(share * 100)} % of the ids that fit a signed 32-bit integer are taken; shops that store ids so need wider columns before the rest is`
    : 'new ids no longer fit a signed 32-bit integer; shops that store ids so cannot store them';
}
