// Waits for the first of several things. Connections live for days and serve millions of requests, so whoever waits for
// their end must be forgotten afterwards; a promise of the end would keep them all.

import type { Clock } from '../../domain/clock.ts';

/** Calls `tell` when something is over, at once if it already is. Returns how to be forgotten. */
export type OnOver = (tell: (reason: string) => void) => () => void;

/** Tells once, to everybody who listens by then or later, that something is over. */
export class ConnectionEnd {
  #reason: string | undefined;
  readonly #listeners = new Set<(reason: string) => void>();

  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  /** Only the first reason counts. */
  tell(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    for (const listener of [...this.#listeners]) listener(reason);
    this.#listeners.clear();
  }

  readonly on: OnOver = (tell) => {
    if (this.#reason === undefined) this.#listeners.add(tell);
    else tell(this.#reason);
    return () => void this.#listeners.delete(tell);
  };
}

/** What was waited for, or the reason why it is over, or undefined when the time is up. */
export async function waitFor<T>(
  wanted: Promise<T>,
  { clock, ms, over }: { readonly clock: Clock; readonly ms: number; readonly over: OnOver },
): Promise<T | string | undefined> {
  const done = new AbortController();
  let forget = () => {};
  const ended = new Promise<string>((resolve) => {
    forget = over(resolve);
  });
  const late = clock.sleep(ms, done.signal).then(() => undefined);
  const first = await Promise.race([wanted, ended, late]);
  forget();
  done.abort();
  return first;
}
