// Whether a long run stayed as it was: the line that fits each figure best, minute by minute, and how far it would
// climb over the run.

/** How much a figure may grow over the run, as a share of its mean: what scatters by itself is less. */
const MOST_GROWTH = { heap: 0.1, resident: 0.1, p50: 0.25, p99: 0.5 };

/** The first minutes fill caches and optimise code. */
const LEFT_OUT = 0.2;

/** `rows` have a number for each name of a figure; resolves to each with its growth, and whether that is too much. */
export function soakVerdict(rows) {
  const judged = rows.slice(Math.floor(rows.length * LEFT_OUT));
  return Object.entries(MOST_GROWTH).map(([name, most]) => {
    const growth = growthOf(judged.map((row) => row[name]));
    return { name, growth, most, isFlat: growth <= most };
  });
}

/** The climb of the best line from the first value to the last, as a share of the mean; 0 for less than three. */
export function growthOf(values) {
  const count = values.length;
  if (count < 3) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const middle = (count - 1) / 2;
  let together = 0;
  let spread = 0;
  for (const [index, value] of values.entries()) {
    together += (index - middle) * (value - mean);
    spread += (index - middle) ** 2;
  }
  return ((together / spread) * (count - 1)) / mean;
}
