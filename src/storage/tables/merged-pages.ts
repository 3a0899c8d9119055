// One page of a list out of the pages of several shards, each the newest first.

export type WalkedPage<K, R> = { readonly found: readonly R[]; readonly next: K | undefined };

type MergeOptions<K, R> = {
  readonly keyValues: (key: K) => unknown[];
  readonly keyOf: (row: R) => K;
  readonly limit: number;
};

/** Behind the newest place where one of them was cut off, others may have rows that are not known yet. */
export function mergedPages<K, R>(
  pages: readonly WalkedPage<K, R>[],
  { keyValues, keyOf, limit }: MergeOptions<K, R>,
): WalkedPage<K, R> {
  const newestFirst = (one: K, other: K) => -compared(keyValues(one), keyValues(other));
  const cuts = pages.flatMap(({ next }) => (next === undefined ? [] : [next]));
  const [cut] = cuts.toSorted(newestFirst);
  const known = pages
    .flatMap(({ found }) => found)
    .filter((row) => cut === undefined || newestFirst(keyOf(row), cut) <= 0)
    .toSorted((one, other) => newestFirst(keyOf(one), keyOf(other)));
  const found = known.slice(0, limit);
  return { found, next: known.length > limit ? keyOf(found[limit - 1] as R) : cut };
}

function compared(one: readonly unknown[], other: readonly unknown[]): number {
  for (const [index, value] of one.entries()) {
    const [left, right] = [value, other[index]].map((each) => (each as string | number | Date).valueOf());
    if (left !== right) return (left as number) < (right as number) ? -1 : 1;
  }
  return 0;
}
