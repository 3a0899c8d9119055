// How far slow work has come, in words: a count, and where the total is known the share and the time that is left.

export type ProgressState = {
  /** Such as "Verifying". */
  readonly doing: string;
  /** How many are done, of how many if that is known, and of what. */
  readonly done?: number;
  readonly total?: number | undefined;
  readonly unit?: string;
  /** Where it is at the moment, such as a table. */
  readonly at?: string;
};

/** Hears how far slow work has come, and may throw to end it. */
export type ProgressWatch = { show(state: ProgressState): void };

/** A rate over less than this says nothing. */
const RATE_AFTER_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

export function progressText(state: ProgressState, elapsedMs: number): string {
  const { doing, done, at } = state;
  const said =
    done === undefined ? [elapsedMs < RATE_AFTER_MS ? '' : durationText(elapsedMs)] : counts(state, elapsedMs);
  const parts = [...said, at ?? ''].filter((part) => part !== '');
  return parts.length === 0 ? `${doing}…` : `${doing}: ${parts.join(', ')}`;
}

function counts({ done = 0, total, unit = '' }: ProgressState, elapsedMs: number): string[] {
  // A total that was counted at the beginning may be outgrown.
  const isShare = total !== undefined && total > 0 && done <= total;
  const share = isShare ? ` (${Math.floor((100 * done) / total)} %)` : '';
  const count = `${grouped(done)}${isShare ? ` of ${grouped(total)}` : ''} ${unit}`.trimEnd() + share;
  if (elapsedMs < RATE_AFTER_MS || done === 0) return [count];
  const perMs = done / elapsedMs;
  const rate = `${grouped(Math.max(1, Math.round(perMs * 1000)))}/s`;
  return isShare && done < total ? [count, rate, `${durationText((total - done) / perMs)} left`] : [count, rate];
}

export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} min ${seconds % MINUTE_S} s`;
  return `${Math.floor(seconds / HOUR_S)} h ${Math.floor((seconds % HOUR_S) / MINUTE_S)} min`;
}

const grouped = (count: number) => count.toLocaleString('en');
