// Asks a bank about a transaction before its time: the bank told that something has happened, or the payer came back
// from its page. Only the time of the question changes. What came of the payment is the bank's answer to it.

import type { Clock } from '../../domain/clock.ts';
import { type Order, purposeOf } from '../../domain/order/order.ts';
import type { DueTransaction, OrderStore } from '../../storage/store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Work } from './work.ts';

/** While a node works on the transaction we look again after this time, so often that its lease must be over. */
const HELD_PAUSE_MS = 1_000;
const HELD_LOOKS = 120;

/** The shortest time between two questions because of one payer; it doubles with each, up to the longest. */
const FIRST_GAP_MS = 3_000;
const LONGEST_GAP_MS = 60_000;

/** How many payers are remembered; beyond it the longest known is forgotten. */
const MAX_PAYERS = 10_000;

/** No more questions wait for a node that works on their transaction. */
const MAX_WAITING = 1_000;

export type EarlyQuestionsParts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<OrderStore, 'dueNow'>;
  readonly work: { readonly due: Pick<Work['due'], 'wake'> };
};

type PayerGap = { readonly until: number; readonly gapMs: number };

export class EarlyQuestions {
  readonly #parts: EarlyQuestionsParts;
  readonly #gaps = new Map<string, PayerGap>();
  readonly #waiting = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  constructor(parts: EarlyQuestionsParts) {
    this.#parts = parts;
  }

  /** A payer may come back, or load the page, as often as they like: the bank is asked less and less often. */
  payerCameBack(order: Order): void {
    const { merchantId, orderId } = order;
    const { seq, stage } = purposeOf(order);
    if (stage !== 'challenged' && stage !== 'asking') return;
    if (this.#mayAsk(`${orderId}-${seq}`)) void this.ask({ merchantId, orderId, seq });
  }

  #mayAsk(payer: string): boolean {
    const now = this.#parts.clock.now();
    const { until, gapMs } = this.#gaps.get(payer) ?? { until: 0, gapMs: FIRST_GAP_MS };
    if (now < until) return false;
    this.#gaps.delete(payer);
    this.#gaps.set(payer, { until: now + gapMs, gapMs: Math.min(2 * gapMs, LONGEST_GAP_MS) });
    const [longestKnown] = this.#gaps.keys();
    if (this.#gaps.size > MAX_PAYERS && longestKnown !== undefined) this.#gaps.delete(longestKnown);
    return true;
  }

  /** Asks as soon as no node works on the transaction. Returns whether there was anything to ask; it never throws. */
  ask(transaction: DueTransaction): Promise<boolean> {
    const { log } = this.#parts;
    const asked = this.#ask(transaction).catch((error) => {
      log.warn('a bank was not asked before its time', { orderId: transaction.orderId, error });
      return false;
    });
    this.#waiting.add(asked);
    void asked.finally(() => this.#waiting.delete(asked));
    return asked;
  }

  async #ask(transaction: DueTransaction): Promise<boolean> {
    const { clock, store, work } = this.#parts;
    const { signal } = this.#stopping;
    for (let looks = 0; looks < HELD_LOOKS && !signal.aborted; looks++) {
      const found = await store.dueNow(transaction, clock.now());
      if (found === 'due') work.due.wake();
      if (found !== 'held' || this.#waiting.size > MAX_WAITING) return found === 'due';
      await clock.sleep(HELD_PAUSE_MS, signal);
    }
    return false;
  }

  /** Gives up what waits; the schedule asks then. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#waiting);
  }
}
