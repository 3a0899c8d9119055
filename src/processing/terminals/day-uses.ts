// What was approved today at terminals that have a limit of the day, read every second while there is such a terminal.
// What is under way is not part of it, so that a limit may be passed by as much.

import { type DayUse, NO_USE } from '../../domain/acquirer/routing.ts';
import type { Terminal } from '../../domain/acquirer/terminal.ts';
import type { Clock } from '../../domain/clock.ts';
import type { TerminalDayStore } from '../../storage/orders/terminal-days.ts';

const LOOK_EVERY_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_DAYS = 31;

export type DayUsesParts = {
  readonly clock: Clock;
  readonly configuration: { readonly terminals: readonly Terminal[] };
  readonly store: TerminalDayStore;
};

export function hasDayLimit({ dayAmount, dayCount }: Terminal): boolean {
  return dayAmount !== undefined || dayCount !== undefined;
}

const dayOf = (at: number) => Math.floor(at / DAY_MS);

export class DayUses {
  readonly #parts: DayUsesParts;
  #uses: ReadonlyMap<string, DayUse> = new Map();
  #day = 0;

  constructor(parts: DayUsesParts) {
    this.#parts = parts;
  }

  today(terminal: string): DayUse {
    const isToday = this.#uses.size > 0 && this.#day === dayOf(this.#parts.clock.now());
    return (isToday && this.#uses.get(terminal)) || NO_USE;
  }

  async refresh(): Promise<void> {
    const { clock, configuration, store } = this.#parts;
    if (!configuration.terminals.some(hasDayLimit)) return;
    const now = clock.now();
    const uses = await store.read(now);
    const isNewDay = dayOf(now) !== this.#day;
    this.#uses = uses;
    this.#day = dayOf(now);
    if (isNewDay) await store.forget(now - KEPT_DAYS * DAY_MS);
  }

  async run(signal: AbortSignal, failed: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      await this.#parts.clock.sleep(LOOK_EVERY_MS, signal);
      if (!signal.aborted) await this.refresh().catch(failed);
    }
  }
}
