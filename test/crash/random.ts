// Chance that can be repeated: the seed is printed, and TENDER_TEST_SEED gives it back.

export type Random = () => number;

export function newSeed(): number {
  const given = process.env.TENDER_TEST_SEED;
  const seed = given === undefined ? Date.now() % 1_000_000 : Number(given);
  process.stdout.write(`crash test: TENDER_TEST_SEED=${seed}\n`);
  return seed;
}

/** Mulberry32: enough for moments and amounts. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
