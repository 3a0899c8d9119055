// The limit on strangers: how many requests without a right signature an address range may send in a minute. All nodes
// count together; a node decides by what it knows.

export const MINUTE_MS = 60_000;

/** The first moment of the minute. */
export function minuteOf(now: number): number {
  return now - (now % MINUTE_MS);
}

export function secondsToNextMinute(now: number): number {
  return Math.ceil((minuteOf(now) + MINUTE_MS - now) / 1000);
}

/** What a node knows of an address range in a minute. */
export type StrangerTally = {
  /** Asked here, and how much of that was told to the others. */
  readonly own: number;
  readonly told: number;
  /** What all had told together when it was last read. */
  readonly shared: number;
};

/** Others' requests, and our own ones whether they were told or not. */
export function askedInAll({ own, told, shared }: StrangerTally): number {
  return own + Math.max(0, shared - told);
}
