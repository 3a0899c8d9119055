// Who goes next when more wait than one lot takes: everybody's oldest first, so that a merchant who sent a thousand
// waits for that, and nobody else does.

export type Lot<T> = { readonly taken: T[]; readonly left: T[] };

/**
 * Takes so many of what waits, in the order it came, from each merchant as many as from the others who have as many.
 */
export function fairLot<T>(waiting: readonly T[], most: number, whose: (item: T) => number): Lot<T> {
  const counts = new Map<number, number>();
  for (const item of waiting) counts.set(whose(item), (counts.get(whose(item)) ?? 0) + 1);
  const room = counts.size >= most ? oneOfEach(counts, most) : roomOfEach(counts, most);
  const taken: T[] = [];
  const left: T[] = [];
  for (const item of waiting) {
    const merchant = whose(item);
    const own = room.get(merchant) ?? 0;
    if (own > 0) taken.push(item);
    else left.push(item);
    room.set(merchant, own - 1);
  }
  return { taken, left };
}

/** When there is not one for each, those whose oldest came first: a map tells its keys in the order they came. */
function oneOfEach(counts: ReadonlyMap<number, number>, most: number): Map<number, number> {
  return new Map([...counts.keys()].slice(0, most).map((merchant) => [merchant, 1]));
}

/** Those with least first: what they leave is divided among the others. */
function roomOfEach(counts: ReadonlyMap<number, number>, most: number): Map<number, number> {
  const room = new Map<number, number>();
  let free = most;
  let others = counts.size;
  for (const [merchant, count] of [...counts].sort(([, a], [, b]) => a - b)) {
    const own = Math.min(count, Math.ceil(free / others));
    room.set(merchant, own);
    free -= own;
    others -= 1;
  }
  return room;
}
