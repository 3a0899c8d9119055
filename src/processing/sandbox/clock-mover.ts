// Puts the clock of a sandbox forward as if time had passed: from one moment at which something comes due to the next,
// each only when whatever came due before is done. So what is due on the first day is over before the second begins.

import { type MovableClock, mustGoForward } from '../../domain/time/movable-clock.ts';
import type { DueMoments, Happenings } from '../../storage/due-moments.ts';
import type { DueWork } from '../node/due-work.ts';

/** How often all loops look while there is more: merchants may be sending orders meanwhile. */
const MAX_ROUNDS = 50;
/** How long a step waits in true time for what is under way; a bank or a shop that hangs takes less. */
const PATIENCE_MS = 60_000;
const MAX_STEPS = 1_000_000;

/** The clock was put forward from one moment to another, in so many steps, and callbacks were taken or not. */
export type ClockMove = Happenings & {
  readonly from: number;
  readonly to: number;
  readonly steps: number;
  readonly delivered: number;
  readonly undelivered: number;
};

export type MoveWatch = {
  /** Hears how far it has come, before every step. */
  readonly show?: (done: { readonly movedMs: number; readonly ofMs: number; readonly steps: number }) => void;
  /** Ends the move with the step that it is at. */
  readonly signal?: AbortSignal | undefined;
};

export type SandboxClock = {
  now(): number;
  /** How far it is ahead of the true time. */
  readonly aheadMs: number;
  /** Where it comes to while it is being moved. */
  readonly movingTo: number | undefined;
  /** What happened in the last move of this process. */
  readonly lastMove: ClockMove | undefined;
  /** Throws `ClockIsMoving` while somebody else moves it. */
  move(byMs: number, watch?: MoveWatch): Promise<ClockMove>;
};

export class ClockIsMoving extends Error {
  override readonly name = 'ClockIsMoving';
}

export type ClockMoverParts = {
  readonly clock: MovableClock;
  /** Writes down how far it is ahead, first: after a restart it must not go back behind what is stored. */
  keep(aheadMs: number): Promise<void>;
  readonly moments: DueMoments;
  readonly loops: readonly Pick<DueWork<never>, 'begun' | 'settled' | 'underWay'>[];
  /** Waits until what the loops have done is written down. */
  written(): Promise<unknown>;
  /** Calls of merchants so far. The database forgets them after a while, which may pass in one move. */
  readonly tries: { readonly delivered: number; readonly failed: number };
  /** When something that is due already may be tried again. */
  reopensAfter(now: number): number | undefined;
};

export class ClockMover implements SandboxClock {
  readonly #parts: ClockMoverParts;
  #aheadTo: number | undefined;
  lastMove: ClockMove | undefined;

  constructor(parts: ClockMoverParts) {
    this.#parts = parts;
  }

  now(): number {
    return this.#parts.clock.now();
  }

  get aheadMs(): number {
    return this.#parts.clock.aheadMs;
  }

  get movingTo(): number | undefined {
    return this.#aheadTo === undefined ? undefined : this.now() + this.#aheadTo - this.aheadMs;
  }

  async move(byMs: number, watch: MoveWatch = {}): Promise<ClockMove> {
    if (this.#aheadTo !== undefined) throw new ClockIsMoving('the clock is being moved already; wait for its end');
    mustGoForward(byMs);
    const { moments, tries } = this.#parts;
    const from = this.now();
    const before = { ...tries };
    this.#aheadTo = this.aheadMs + byMs;
    try {
      const steps = await this.#stepOn(this.#aheadTo, byMs, watch);
      const to = this.now();
      const called = {
        delivered: tries.delivered - before.delivered,
        undelivered: tries.failed - before.failed,
      };
      this.lastMove = { from, to, steps, ...(await moments.happened(from, to)), ...called };
      return this.lastMove;
    } finally {
      this.#aheadTo = undefined;
    }
  }

  async #stepOn(aheadTo: number, ofMs: number, { show, signal }: MoveWatch): Promise<number> {
    await this.#settle(signal);
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const leftMs = aheadTo - this.aheadMs;
      if (leftMs <= 0 || signal?.aborted) return steps;
      show?.({ movedMs: ofMs - leftMs, ofMs, steps });
      const stepMs = await this.#untilNextMs();
      await this.#put(Math.min(leftMs, stepMs));
      await this.#settle(signal);
    }
    throw new Error(`more than ${MAX_STEPS} things came due before the clock was where it should be`);
  }

  async #untilNextMs(): Promise<number> {
    const { moments, reopensAfter } = this.#parts;
    const now = this.now();
    const next = Math.min(
      (await moments.next(now)) ?? Number.POSITIVE_INFINITY,
      reopensAfter(now) ?? Number.POSITIVE_INFINITY,
    );
    return Math.max(1, Math.ceil(next - this.now()));
  }

  async #put(ms: number): Promise<void> {
    const { clock, keep } = this.#parts;
    await keep(clock.aheadMs + ms);
    clock.move(ms);
  }

  /** Lets everything be done that is due by now. What hangs is left under way, as it would be at that time. */
  async #settle(signal: AbortSignal | undefined): Promise<void> {
    const { loops, written } = this.#parts;
    const begun = () => loops.reduce((sum, loop) => sum + loop.begun, 0);
    for (let round = 0; round < MAX_ROUNDS && !signal?.aborted; round++) {
      const before = begun();
      // What ends during a round may make something due for a loop that has looked already.
      const wasQuiet = loops.every(({ underWay }) => underWay === 0);
      await withPatience(Promise.all(loops.map((loop) => loop.settled())).then(written), signal);
      if (wasQuiet && begun() === before) return;
    }
  }
}

/** Ends early when the signal is aborted: the loops that are waited for end then too. */
async function withPatience(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  let end = () => {};
  const impatience = new Promise<void>((resolve) => {
    end = resolve;
  });
  const timer = setTimeout(end, PATIENCE_MS);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  try {
    await Promise.race([work, impatience]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
