// Bounds calls that may never end, at the cost of one place in a chain per call. All calls under one limit expire in
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
  /** The anchor of a ring of calls: it is no call itself, and stands between the newest and the oldest. */
  readonly #chain = new Call(0);
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
    call.joinBefore(this.#chain);
    if (!this.#watching) void this.#watch();
    return new Promise<T | Late>((resolve, reject) => {
      const ending =
        <V>(settle: (value: V) => void) =>
        (value: V) => {
          call.leave();
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
    return this.#chain.next === this.#chain ? undefined : this.#chain.next;
  }
}

class Call implements CallEnd {
  readonly startedAt: number;
  /** Ends the call as late and takes it out of the chain. */
  expire: () => void = nothing;
  #previous: Call = this;
  #next: Call = this;
  #abort: AbortController | undefined;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  get next(): Call {
    return this.#next;
  }

  joinBefore(other: Call): void {
    this.#previous = other.#previous;
    this.#next = other;
    this.#previous.#next = this;
    other.#previous = this;
  }

  /** Afterwards the call refers to nothing, so that whoever keeps the call does not keep its neighbours in memory. */
  leave(): void {
    this.#previous.#next = this.#next;
    this.#next.#previous = this.#previous;
    this.#previous = this;
    this.#next = this;
    this.expire = nothing;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  abandon(): void {
    this.#abort?.abort(OVER);
  }
}
