// When requests are due: a schedule that is made before it is known how the server does, and that does not wait for it.

/**
 * Milliseconds since the start, one call after the other. `poisson` has independent arrivals, which come in bunches as
 * strangers do; the same seed has the same ones.
 */
export function arrivals({ rate, kind = 'constant', seed = 1 }) {
  const everyMs = 1000 / rate;
  let at = 0;
  if (kind === 'constant') {
    let number = 0;
    return () => number++ * everyMs;
  }
  const random = seeded(seed);
  return () => {
    at += -Math.log(1 - random()) * everyMs;
    return at;
  };
}

/** Numbers from 0 up to 1 (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
