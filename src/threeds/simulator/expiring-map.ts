// A map that forgets entries after a while, and the oldest ones early when it is full.

import type { Clock } from '../../domain/clock.ts';

export class ExpiringMap<Value> {
  readonly #clock: Clock;
  readonly #keptMs: number;
  readonly #most: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor({ clock, keptMs, most }: { clock: Clock; keptMs: number; most: number }) {
    this.#clock = clock;
    this.#keptMs = keptMs;
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > this.#clock.now() ? entry.value : undefined;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#clock.now() + this.#keptMs });
    for (const [oldest, { until }] of this.#entries) {
      if (this.#entries.size <= this.#most && until > this.#clock.now()) break;
      this.#entries.delete(oldest);
    }
  }
}
