// What need not be kept goes in lots, the oldest first, for as long as the gateway runs.

import type { Clock } from '../../domain/clock.ts';

export type Forgetting = {
  readonly clock: Clock;
  readonly keptMs: number;
  /** How long to wait once nothing too old is left. */
  readonly everyMs: number;
  /** The most one lot takes away. */
  readonly lot: number;
  /** Between two lots, where others would have to wait for them. */
  readonly pauseMs?: number;
  /** Takes away the oldest before this moment, no more than the limit; answers how many. */
  forget(before: number, limit: number): Promise<number>;
};

/** Until the signal is aborted. What could not be taken away is tried again later. */
export async function forgetOld(
  forgetting: Forgetting,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await forgetAll(forgetting, signal).catch(onError);
    await forgetting.clock.sleep(forgetting.everyMs, signal);
  }
}

async function forgetAll(forgetting: Forgetting, signal: AbortSignal): Promise<void> {
  const { clock, keptMs, lot, pauseMs } = forgetting;
  while (!signal.aborted) {
    const removed = await forgetting.forget(clock.now() - keptMs, lot);
    if (removed < lot) return;
    if (pauseMs !== undefined) await clock.sleep(pauseMs, signal);
  }
}
