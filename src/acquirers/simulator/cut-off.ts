// The bank's business day: it ends at the cut-off, a time of day in UTC, and bears the date of its last moment.

export type CutOff = 'never' | `${number}:${number}`;

export const DEFAULT_CUT_OFF: CutOff = '23:00';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export class BusinessDays {
  /** Milliseconds after midnight UTC, or undefined when no day ends by itself. */
  readonly #cutOffMs: number | undefined;

  constructor(cutOff: CutOff) {
    this.#cutOffMs = cutOff === 'never' ? undefined : readTime(cutOff);
  }

  /** The first cut-off after the moment, or infinity. */
  endAfter(moment: number): number {
    if (this.#cutOffMs === undefined) return Number.POSITIVE_INFINITY;
    return (Math.floor((moment - this.#cutOffMs) / DAY_MS) + 1) * DAY_MS + this.#cutOffMs;
  }

  /** The last cut-off that is not after the moment, which must not be before the first one. */
  lastEnd(moment: number): number {
    return this.endAfter(moment) - DAY_MS;
  }

  dateOf(moment: number): string {
    const lastMoment = this.#cutOffMs === undefined ? moment : this.endAfter(moment) - 1;
    return new Date(lastMoment).toISOString().slice(0, 'yyyy-mm-dd'.length);
  }
}

function readTime(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) {
    throw new Error(`The bank's cut-off is a time like 23:00 or "never", not ${text}`);
  }
  return Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
}
