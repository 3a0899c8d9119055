// The log's word about requests that were refused because more came than can be done: one line for all of some seconds,
// so that overload does not fill the log, and at the end one about those that no line has told yet.

import type { Clock } from '../../domain/clock.ts';

export const TOLD_EVERY_MS = 10_000;

export type ShedOptions = {
  readonly clock: Clock;
  readonly tell: (shed: { readonly count: number; readonly milliseconds: number; readonly detail: string }) => void;
};

export class ShedRequests {
  readonly #options: ShedOptions;
  readonly #merchants = new Set<number>();
  #count = 0;

  constructor(options: ShedOptions) {
    this.#options = options;
  }

  /** `merchantId` is who the request says it is of; undefined when its address is nobody's. */
  count(merchantId: number | undefined): void {
    this.#count += 1;
    if (merchantId !== undefined) this.#merchants.add(merchantId);
  }

  /** Tells until the signal is aborted, and then the rest. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let since = clock.now();
    while (!signal.aborted) {
      await clock.sleep(TOLD_EVERY_MS, signal);
      const now = clock.now();
      this.#tell(now - since);
      since = now;
    }
  }

  #tell(milliseconds: number): void {
    const [count, merchants] = [this.#count, this.#merchants.size];
    if (count === 0) return;
    this.#count = 0;
    this.#merchants.clear();
    const seconds = Math.max(1, Math.round(milliseconds / 1000));
    const detail = `shed ${many(count, 'request')} of ${many(merchants, 'merchant')} in ${seconds} s`;
    this.#options.tell({ count, milliseconds, detail });
  }
}

const many = (count: number, what: string) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
