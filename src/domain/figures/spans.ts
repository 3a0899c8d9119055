// Spans of time in which orders are counted, and the ranges of them that people look at.

const MINUTE_MS = 60_000;

/** In minutes; each is counted out of the one before, the first out of orders. */
export const SPAN_WIDTHS = [5, 60, 1440] as const;
export type SpanWidth = (typeof SPAN_WIDTHS)[number];

export const SPAN_MS = SPAN_WIDTHS[0] * MINUTE_MS;

export const spanBegin = (at: number, widthMs = SPAN_MS): number => Math.floor(at / widthMs) * widthMs;
export const spanEnd = (at: number, widthMs = SPAN_MS): number => Math.ceil(at / widthMs) * widthMs;

/** Nodes' clocks differ, and what was accepted in a span may be written a little after it. */
export const SETTLES_MS = 15 * MINUTE_MS;

const SOONEST_MS = 10_000;
const LATEST_MS = 10 * MINUTE_MS;
/** The older a span is, the less often something in it changes. */
const SHARE_OF_AGE = 8;

/** How long after a span was counted it is looked at again. */
export function recountAfter(age: number): number {
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, age / SHARE_OF_AGE));
}

/** How many points a range has, and how many minutes each of them lasts. */
export const RANGES = {
  hour: { points: 12, stepMinutes: 5 },
  day: { points: 24, stepMinutes: 60 },
  week: { points: 28, stepMinutes: 360 },
  month: { points: 30, stepMinutes: 1440 },
} as const;
export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

const STEPS = [5, 15, 30, 60, 180, 360, 720, 1440, 10_080] as const;
const MOST_POINTS = 60;
export const LONGEST_RANGE_MS = 366 * 1440 * MINUTE_MS;

/** Points beside each other from `from` to `to`, which are counted in spans of this width. */
export type FigureRange = {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly width: SpanWidth;
  /** What of it is over, in whole spans: the span that is under way has no like among those before. */
  readonly compared: { readonly from: number; readonly to: number };
  /** The same length of time before, which that is compared with. */
  readonly before: { readonly from: number; readonly to: number };
};

/** The range that ends with the present step. */
export function rangeUntil(now: number, name: RangeName): FigureRange {
  const { points, stepMinutes } = RANGES[name];
  const stepMs = stepMinutes * MINUTE_MS;
  const to = spanBegin(now, stepMs) + stepMs;
  return rangeOf(to - points * stepMs, to, stepMinutes, now);
}

/** At least from one moment to another: whole steps, as short as a chart can show. */
export function rangeBetween(from: number, to: number, now: number): FigureRange {
  const fits = (minutes: number) =>
    spanEnd(to, minutes * MINUTE_MS) - spanBegin(from, minutes * MINUTE_MS) <= MOST_POINTS * minutes * MINUTE_MS;
  const stepMinutes = STEPS.find(fits) ?? STEPS[STEPS.length - 1] ?? SPAN_WIDTHS[0];
  const stepMs = stepMinutes * MINUTE_MS;
  return rangeOf(spanBegin(from, stepMs), spanEnd(to, stepMs), stepMinutes, now);
}

function rangeOf(from: number, to: number, stepMinutes: number, now: number): FigureRange {
  const width = SPAN_WIDTHS.findLast((one) => stepMinutes % one === 0) ?? SPAN_WIDTHS[0];
  const over = Math.max(from, Math.min(to, spanBegin(now)));
  const length = to - from;
  const before = { from: from - length, to: over - length };
  return { from, to, stepMs: stepMinutes * MINUTE_MS, width, compared: { from, to: over }, before };
}
