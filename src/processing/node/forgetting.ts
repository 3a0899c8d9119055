// Removes records that need not be kept any longer, in lots, the oldest first, for as long as the gateway runs.

import type { Clock } from '../../domain/clock.ts';

export type Forgetting = {
  readonly clock: Clock;
  readonly keptMs: number;
  /** How long to wait once nothing too old is left. */
  readonly everyMs: number;
  /** The most records that are removed at once. */
  readonly lot: number;
  /** The pause between two lots, where other work would have to wait for them. */
  readonly pauseMs?: number;
  /** Removes the oldest records from before this moment, no more than the limit; returns how many. */
  forget(before: number, limit: number): Promise<number>;
};

/** Runs until the signal is aborted. After a failure it tries again later. */
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
