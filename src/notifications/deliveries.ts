// Tells merchants what came due, whoever made it due. Each destination has a queue and a few connections of its own, so
// that one that is dead or slow delays nobody else; what a node does not finish comes due again when its lease ends.

import type { CallbackPolicy } from '../domain/callback-url.ts';
import type { Clock } from '../domain/clock.ts';
import type { Endpoint, Merchant } from '../domain/merchant.ts';
import type { CallbackStore, ClaimedCallback, SettledCallback } from '../storage/callbacks.ts';
import { GroupCommit } from '../storage/group-commit.ts';
import type { OrderStore, OrderView } from '../storage/store.ts';
import type { Log } from '../telemetry/log.ts';
import { afterAnswer, afterFailure, FIRST_ROOM, isSuspect } from './breaker.ts';
import type { CallbackClient, Called } from './client.ts';
import { Destination, type Held } from './destination.ts';
import { type Message, messageOf, signingKeys } from './message.ts';
import { nextTryAt } from './retry-schedule.ts';

/** The pause between two looks when nothing wakes us. */
const POLL_MS = 500;

/** Callbacks this node holds at a time, on their way or waiting for their turn. */
const MAX_HELD = 1_000;

const MAX_BATCH = 128;
const TAKEN = 200;

export type DeliveriesParts = {
  readonly callbacks: CallbackStore;
  readonly client: CallbackClient;
  readonly clock: Clock;
  readonly directory: {
    byId(merchantId: number): Merchant | undefined;
    endpoint(endpointId: number): Endpoint | undefined;
  };
  readonly instance: string;
  /** How long a claimed callback is this node's; made longer where it would not last for the call. */
  readonly leaseMs: number;
  readonly log: Log;
  readonly orders: Pick<OrderStore, 'findOrderViews'>;
  policy(endpoint: Endpoint | undefined): CallbackPolicy;
  /** Chance, from 0 to below 1. */
  random(): number;
  /** Counts attempts. */
  tried(outcome: 'delivered' | 'failed'): void;
};

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #destinations = new Map<string, Destination>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #settling: GroupCommit<SettledCallback>;
  #wake = new AbortController();
  #isStopping = false;
  readonly #leaseMs: number;

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    this.#leaseMs = Math.max(parts.leaseMs, 2 * parts.client.longestMs);
    this.#settling = new GroupCommit((batch) => this.#settle(batch), { lanes: 1, maxBatch: MAX_BATCH });
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** Something came due: look at once. */
  readonly wake = (): void => this.#wake.abort();

  /** Delivers whatever comes due until the signal is aborted; what has not begun by then is put back. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      try {
        await this.#takeDue();
      } catch (error) {
        log.warn('looking for due callbacks failed', { error });
      }
      await clock.sleep(POLL_MS, AbortSignal.any([signal, this.#wake.signal]));
    }
    this.#isStopping = true;
    for (const destination of this.#destinations.values()) this.#putBack(destination);
  }

  /** Resolves when nothing is under way any more and all of it is written down. */
  async drained(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    await this.#settling.drained();
  }

  async #takeDue(): Promise<void> {
    const { callbacks, clock, instance: leaseOwner, orders } = this.#parts;
    const now = clock.now();
    const rooms = new Map<string, number>();
    let limit = MAX_HELD;
    for (const [name, destination] of this.#destinations) {
      limit -= destination.held;
      rooms.set(name, destination.roomAt(now));
    }
    if (limit <= 0) return;
    const claim = { now, leaseUntil: now + this.#leaseMs, leaseOwner, limit, room: FIRST_ROOM, rooms };
    const claimed = await callbacks.claimDue(claim);
    const views = await orders.findOrderViews(claimed);
    for (const callback of claimed) {
      this.#destination(callback.destination).add({ callback, view: views.get(callback.orderId) });
    }
    for (const [name, destination] of this.#destinations) {
      destination.hasMore = destination.held > 0 && destination.roomAt(now) === 0;
      this.#goOn(destination);
      if (destination.isForgottenAt(now)) this.#destinations.delete(name);
    }
  }

  #destination(name: string): Destination {
    const known = this.#destinations.get(name);
    if (known) return known;
    const destination = new Destination();
    this.#destinations.set(name, destination);
    return destination;
  }

  #goOn(destination: Destination): void {
    for (let held = destination.begin(); held; held = destination.begin()) this.#track(held, destination);
  }

  #track(held: Held, destination: Destination): void {
    const { log } = this.#parts;
    const { orderId, merchantId } = held.callback;
    const tracked = this.#deliver(held, destination)
      .catch((error) => log.error('a callback was left to its lease', { merchantId, orderId, error }))
      .finally(() => {
        this.#underWay.delete(tracked);
        destination.end();
        if (this.#isStopping) return;
        this.#goOn(destination);
        if (destination.wantsMore) this.wake();
      });
    this.#underWay.add(tracked);
  }

  async #deliver({ callback, view }: Held, destination: Destination): Promise<void> {
    const { client, clock, random, tried } = this.#parts;
    const at = clock.now();
    // It waited too long for its turn: the lease would end before the call does.
    if (at + client.longestMs > callback.leaseUntil) return this.#wait(callback, at);
    const started = performance.now();
    const called = await this.#call(callback, view, at);
    const milliseconds = Math.round(performance.now() - started);
    const attempt = { at, milliseconds, ...called };
    const now = clock.now();
    const isTaken = called.status === TAKEN;
    tried(isTaken ? 'delivered' : 'failed');
    if (isDown(called)) {
      destination.trust = afterFailure(destination.trust, now, random());
      if (isSuspect(destination.trust)) this.#putBack(destination);
    } else destination.trust = afterAnswer(destination.trust);
    const { scheduledAt } = callback;
    const dueAt = isTaken ? undefined : nextTryAt({ tries: callback.tries + 1, scheduledAt, now, chance: random() });
    const state = isTaken ? 'delivered' : dueAt === undefined ? 'failed' : 'waiting';
    this.#settling.add({ callback, state, dueAt, attempt, at: now }, 0);
  }

  async #call(callback: ClaimedCallback, view: OrderView | undefined, now: number): Promise<Called> {
    const { client, directory, policy } = this.#parts;
    const merchant = directory.byId(callback.merchantId);
    const [key, ...older] = merchant ? signingKeys(merchant, now) : [];
    if (!view) return notCalled('there is no such order');
    if (!key) return notCalled('the merchant has no valid control key to sign it with');
    const endpoint = directory.endpoint(view.order.endpointId);
    const keys: [typeof key, ...(typeof key)[]] = [key, ...older];
    const message: Message | undefined = messageOf({ callback, view, descriptor: endpoint?.descriptor, keys, now });
    return message ? client.get({ ...message, policy: policy(endpoint) }) : notCalled('the order names no address');
  }

  /** Those that have not begun go back, due as they were. */
  #putBack(destination: Destination): void {
    for (const { callback } of destination.takeWaiting()) this.#wait(callback, this.#parts.clock.now());
  }

  #wait(callback: ClaimedCallback, dueAt: number): void {
    this.#settling.add({ callback, state: 'waiting', dueAt, attempt: undefined, at: dueAt }, 0);
  }

  async #settle(batch: SettledCallback[]): Promise<void> {
    const { callbacks, log } = this.#parts;
    await callbacks.settle(batch).catch((error) => {
      log.error('callbacks were left to their lease', { count: batch.length, error });
    });
  }
}

function notCalled(fault: string): Called {
  return { address: undefined, status: undefined, answer: undefined, fault };
}

/** Silence and failures of the server itself; a refusal shows that somebody is there. */
function isDown({ status }: Called): boolean {
  return status === undefined || status >= 500 || status === 429;
}
