// Bounds calls that may never end, at the cost of one place in a set per call. All calls under one limit expire in
// the order they began, so one sleeper watches the oldest for all of them. (A timer and an abort signal per call would
// cost more than the whole rest of a call to a bank in the same process.)

import type { Clock } from '../../domain/clock.ts';

/** Tells a call that nobody waits for it any more. The signal costs something only when it is used. */
export type CallEnd = { readonly signal: AbortSignal };

/** The reason of every abort: without one the platform builds an exception with a stack trace each time. */
const OVER = 'the call is over';

const nothing = () => {};

export class TimeLimit<Late> {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #late: Late;
  /** The oldest first. */
  readonly #calls = new Set<Call>();
  readonly #closing = new AbortController();
  #watching = false;

  /** `late` is the result of a call that did not end in time. */
  constructor({ clock, limitMs, late }: { clock: Clock; limitMs: number; late: Late }) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#late = late;
  }

  bound<T>(work: (end: CallEnd) => Promise<T>): Promise<T | Late> {
    const call = new Call(this.#clock.now());
    this.#calls.add(call);
    if (!this.#watching) void this.#watch();
    return new Promise<T | Late>((resolve, reject) => {
      const ending =
        <V>(settle: (value: V) => void) =>
        (value: V) => {
          this.#calls.delete(call);
          call.abandon();
          settle(value);
        };
      call.expire = () => ending(resolve)(this.#late);
      work(call).then(ending(resolve), ending(reject));
    });
  }

  /** Ends every call at once, as if its time were up. */
  close(): void {
    this.#closing.abort(OVER);
    for (let call = this.#oldest(); call; call = this.#oldest()) call.expire();
  }

  async #watch(): Promise<void> {
    this.#watching = true;
    for (let oldest = this.#oldest(); oldest && !this.#closing.signal.aborted; oldest = this.#oldest()) {
      const leftMs = oldest.startedAt + this.#limitMs - this.#clock.now();
      await this.#clock.sleep(Math.min(Math.max(leftMs, 0), this.#limitMs), this.#closing.signal);
      this.#expireCalls(this.#clock.now());
    }
    this.#watching = false;
  }

  #expireCalls(now: number): void {
    for (let call = this.#oldest(); call; call = this.#oldest()) {
      // A clock that was set back must not make anybody wait longer.
      if (now >= call.startedAt && now < call.startedAt + this.#limitMs) return;
      call.expire();
    }
  }

  #oldest(): Call | undefined {
    return this.#calls.values().next().value;
  }
}

class Call implements CallEnd {
  readonly startedAt: number;
  /** Ends the call as late. */
  expire: () => void = nothing;
  #abort: AbortController | undefined;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  /** Afterwards the call refers to nothing, so that whoever keeps the call does not keep its answer in memory. */
  abandon(): void {
    this.#abort?.abort(OVER);
    this.expire = nothing;
  }
}
