// What follows a promise: the instruction to the acquirer at once, and everything that comes due later, whoever began it.
// A transaction whose lease ran out is taken over by asking the acquirer first; it is sent again only when it was never seen.

import type { Acquirer, CardDetails } from '../acquirers/acquirer.ts';
import type { Clock } from '../domain/clock.ts';
import { acquirerReference, type Order, transactionOf } from '../domain/order/order.ts';
import { stages } from '../domain/order/stages.ts';
import type { DueTransaction, OrderStore } from '../storage/store.ts';
import type { Log } from '../telemetry/log.ts';
import { cardPlace, cvvPlace } from '../vault/places.ts';
import type { Vault } from '../vault/vault.ts';
import type { Directory } from './directory.ts';
import type { Door } from './door.ts';

/** Transactions one process works on at a time; beyond it new orders are refused as unavailable. */
const MAX_IN_FLIGHT = 20_000;

/** Due transactions claimed at once, and the pause between two looks when nothing wakes us. */
const CLAIM_LIMIT = 200;
const POLL_MS = 500;

/** How often expired security codes and idempotency keys are looked for. */
const FORGET_EVERY_MS = 60_000;

export type WorkParts = {
  readonly acquirer: Acquirer;
  readonly clock: Clock;
  readonly directory: Directory;
  readonly door: Door;
  readonly instance: string;
  readonly leaseMs: number;
  readonly log: Log;
  readonly store: OrderStore;
  readonly vault: Vault;
};

export class Work {
  readonly #parts: WorkParts;
  readonly #inFlight = new Set<Promise<void>>();
  #wake = new AbortController();

  constructor(parts: WorkParts) {
    this.#parts = parts;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get isFull(): boolean {
    return this.#inFlight.size >= MAX_IN_FLIGHT;
  }

  /** Goes straight on with an order this process has just written down, under the lease it was written with. */
  proceed(order: Order, card: CardDetails, descriptor: string): void {
    this.#track(this.#send(order, 1, card, descriptor), order.orderId);
  }

  /** Looks after whatever comes due until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    let forgetAt = 0;
    while (!signal.aborted) {
      try {
        if (clock.now() >= forgetAt) {
          await this.#parts.store.forgetExpired(clock.now());
          forgetAt = clock.now() + FORGET_EVERY_MS;
        }
        if ((await this.#takeDue()) === CLAIM_LIMIT) continue;
      } catch (error) {
        this.#parts.log.warn('looking for due work failed', { error });
      }
      this.#wake = new AbortController();
      await clock.sleep(POLL_MS, AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  /** Resolves when nothing is in flight any more. */
  async drained(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }

  async #takeDue(): Promise<number> {
    const { clock, instance, leaseMs, store } = this.#parts;
    const now = clock.now();
    const leaseUntil = now + leaseMs;
    const due = await store.claimDue({ now, leaseUntil, leaseOwner: instance, limit: CLAIM_LIMIT });
    for (const transaction of due) this.#track(this.#continue(transaction, leaseUntil), transaction.orderId);
    return due.length;
  }

  #track(work: Promise<void>, orderId: number): void {
    const tracked = work
      .catch((error) => this.#parts.log.error('an order was left to its lease', { orderId, error }))
      .finally(() => this.#inFlight.delete(tracked));
    this.#inFlight.add(tracked);
  }

  async #continue(due: DueTransaction, leaseUntil: number): Promise<void> {
    const order = (await this.#parts.store.load([due])).get(due.orderId);
    if (!order) throw new Error(`There is no order ${due.orderId}`);
    const step = stages[transactionOf(order, due.seq).stage].next;
    if (step === 'send' || step === 'inquire') await this.#inquire(order, due, leaseUntil);
    else if (step === 'reverse') await this.#reverse(order, due.seq);
  }

  async #inquire(order: Order, due: DueTransaction, leaseUntil: number): Promise<void> {
    const { acquirer, directory, door } = this.#parts;
    const answer = await acquirer.inquire(acquirerReference(order, due.seq));
    const card = answer.word === 'not-found' ? await this.#revealCard(due) : undefined;
    const command = { type: 'inquired', seq: due.seq, answer, resendable: card !== undefined } as const;
    const after = await door.change(order, command);
    if (card && transactionOf(after, due.seq).stage === 'sending' && this.#parts.clock.now() < leaseUntil) {
      await this.#send(after, due.seq, card, directory.endpoint(order.endpointId)?.descriptor ?? '');
    } else this.#wakeIfDue(after, due.seq);
  }

  async #send(order: Order, seq: number, card: CardDetails, descriptor: string): Promise<void> {
    const { acquirer, clock, door } = this.#parts;
    const { amount, dueAt = 0, type } = transactionOf(order, seq);
    // Paused past the lease: somebody else may be at it, and will ask the acquirer first.
    if (clock.now() >= dueAt) return;
    const answer = await acquirer.send({
      kind: type,
      reference: acquirerReference(order, seq),
      amount: { minor: amount, currency: order.currency },
      card,
      descriptor,
    });
    this.#wakeIfDue(await door.change(order, { type: 'sent', seq, answer }, order), seq);
  }

  async #reverse(order: Order, seq: number): Promise<void> {
    const { acquirer, door } = this.#parts;
    const answer = await acquirer.reverse(acquirerReference(order, seq));
    this.#wakeIfDue(await door.change(order, { type: 'reversal-answered', seq, answer }), seq);
  }

  #wakeIfDue(order: Order, seq: number): void {
    const { dueAt } = transactionOf(order, seq);
    if (dueAt !== undefined && dueAt <= this.#parts.clock.now()) this.#wake.abort();
  }

  /** The card as it must be sent, or undefined when its security code is already gone. */
  async #revealCard(due: DueTransaction): Promise<CardDetails | undefined> {
    const { store, vault } = this.#parts;
    const { card, sealedCvv } = await store.loadCard(due);
    if (!card || !sealedCvv) return undefined;
    return {
      number: await vault.reveal(card.sealed, cardPlace(due.merchantId, card.cardId)),
      cvv: await vault.reveal(sealedCvv, cvvPlace(due.merchantId, due.orderId)),
      expireMonth: card.expireMonth,
      expireYear: card.expireYear,
      ...(card.holder === undefined ? {} : { holder: card.holder }),
    };
  }
}
