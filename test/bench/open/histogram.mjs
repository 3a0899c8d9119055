// Counts durations in buckets whose width grows with what they hold, as HdrHistogram does: any number of them in a few
// kilobytes, and a quantile that is at most one part in 64 above the truth. Whole microseconds go in.

/** Every doubling of a value has so many buckets. */
const STEPS = 64;
const EXACT_BITS = Math.log2(STEPS) + 1;

/** The longest duration that is told apart from longer ones: a little more than an hour. */
const MOST_BITS = 32;

export class Histogram {
  #counts = new Float64Array((MOST_BITS - EXACT_BITS + 2) * STEPS);
  count = 0;
  max = 0;

  add(microseconds) {
    const value = Math.max(0, Math.round(microseconds));
    this.#counts[bucketOf(value)] += 1;
    this.count += 1;
    this.max = Math.max(this.max, value);
  }

  /** The duration that a share of all did not exceed, rounded up to its bucket's end; NaN when there are none. */
  quantile(share) {
    if (this.count === 0) return Number.NaN;
    let left = Math.max(1, Math.ceil(this.count * share));
    for (let bucket = 0; bucket < this.#counts.length; bucket++) {
      left -= this.#counts[bucket];
      if (left <= 0) return Math.min(this.max, endOf(bucket));
    }
    return this.max;
  }
}

/** Small values have a bucket each; a larger one is counted with those that begin with the same bits. */
function bucketOf(value) {
  if (value < 2 * STEPS) return value;
  const shift = Math.min(MOST_BITS, 32 - Math.clz32(Math.min(value, 2 ** MOST_BITS - 1))) - EXACT_BITS;
  const step = Math.min(2 * STEPS - 1, Math.floor(value / 2 ** shift));
  return shift * STEPS + step;
}

/** The largest value of a bucket. */
function endOf(bucket) {
  if (bucket < 2 * STEPS) return bucket;
  const shift = Math.floor(bucket / STEPS) - 1;
  return (bucket - shift * STEPS + 1) * 2 ** shift - 1;
}
