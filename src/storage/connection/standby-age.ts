// How old what a standby shows can be. We note again and again how far the primary's log has come; once the standby has
// replayed as far, it shows at least all that was committed when the note was made. No clocks are compared.

/** Where the primary's log ended at a moment, in bytes. */
export type LogMark = { readonly at: number; readonly bytes: bigint };

/** The latest moment whose commits a standby surely shows, having replayed so much; undefined when none is known. */
export function shownAsOf(marks: readonly LogMark[], replayed: bigint): number | undefined {
  const shown = marks.filter(({ bytes }) => bytes <= replayed).map(({ at }) => at);
  return shown.length === 0 ? undefined : Math.max(...shown);
}

export type Freshness = {
  /** The moment as of which the standby shows everything; undefined when nobody knows. */
  readonly asOf: number | undefined;
  /** When something was last changed from here, by people who look at it next. */
  readonly changedAt: number;
};

/** Whether a standby may be read: it is only seconds behind, and whoever changed something finds it there. */
export function isFresh({ asOf, changedAt }: Freshness, now: number, mostBehindMs: number): boolean {
  return asOf !== undefined && now - asOf <= mostBehindMs && asOf >= changedAt;
}
