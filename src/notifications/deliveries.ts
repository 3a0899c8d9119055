// Sends merchants the callbacks that are due. Each destination has a queue and a few connections of its own, so that a
// dead or slow one delays nobody else. What a node does not finish comes due again when its lease ends.

import type { Clock } from '../domain/clock.ts';
import type { CallbackPolicy } from '../domain/merchant/callback-url.ts';
import type { Endpoint, Merchant } from '../domain/merchant/merchant.ts';
import { shardOf } from '../domain/merchant/shard.ts';
import { callbackId } from '../domain/order/callbacks.ts';
import { DueWork } from '../processing/node/due-work.ts';
import { GroupCommit } from '../storage/group-commit.ts';
import type { CallbackStore, ClaimedCallback, SettledCallback } from '../storage/orders/callbacks.ts';
import type { OrderStore, OrderView } from '../storage/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Seen, Watches } from '../telemetry/seen.ts';
import { afterAnswer, afterFailure, FIRST_ROOM, isSuspect, isTroubled } from './breaker.ts';
import type { PartialAt } from './build.ts';
import type { Call, Called } from './client.ts';
import { Destination, type Held } from './destination.ts';
import { messageOf, signingKeys } from './message.ts';
import { nextTryAt } from './retry-schedule.ts';

/** The pause between two looks into the database when nothing wakes us. */
const POLL_MS = 500;

/** The shortest pause between two looks, so that many small ones do not keep the database busy. */
const SHORTEST_PAUSE_MS = 20;

/** How many callbacks this node holds, on their way or waiting; slow and failing shops may have half of that. */
const MAX_HELD = 1_000;
const MAX_TROUBLED = MAX_HELD / 2;

const MAX_BATCH = 128;
const TAKEN = 200;

/** What calls merchants, and how long it may take. */
export type CallsMerchants = { readonly longestMs: number; get(call: Call): Promise<Called> };

export type DeliveriesParts = {
  readonly callbacks: CallbackStore;
  readonly client: CallsMerchants;
  readonly clock: Clock;
  readonly configuration: {
    byId(merchantId: number): Merchant | undefined;
    endpoint(endpointId: number): Endpoint | undefined;
  };
  readonly instance: string;
  /** How long a claimed callback belongs to this node; it is made longer where it would not last for the call. */
  readonly leaseMs: number;
  readonly log: Log;
  readonly orders: Pick<OrderStore, 'findOrderViews'>;
  readonly partialAt: PartialAt;
  policy(endpoint: Endpoint | undefined): CallbackPolicy;
  /** A random number from 0 to below 1. */
  random(): number;
  /** Counts an attempt in the metrics. */
  tried(outcome: 'delivered' | 'failed'): void;
  readonly watches?: Watches | undefined;
};

/** A callback on its way. */
type Begun = { readonly held: Held; readonly destination: Destination };

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #destinations = new Map<string, Destination>();
  readonly #settling: GroupCommit<SettledCallback>;
  #isStopping = false;
  readonly #leaseMs: number;
  readonly due: DueWork<Begun>;
  /** How many calls of this process merchants took, and how many failed. */
  readonly tries = { delivered: 0, failed: 0 };

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    this.#leaseMs = Math.max(parts.leaseMs, 2 * parts.client.longestMs);
    this.#settling = new GroupCommit((batch) => this.#settle(batch), {
      lanes: 1,
      maxBatch: MAX_BATCH,
      clock: parts.clock,
    });
    this.due = new DueWork({
      ...{ name: 'callbacks', one: 'a callback', clock: parts.clock, log: parts.log },
      ...{ everyMs: POLL_MS, restMs: SHORTEST_PAUSE_MS, lot: MAX_HELD, most: MAX_HELD },
      claim: () => this.#claim(),
      handle: (begun) => this.#handle(begun),
      about: ({ held: { callback } }) => ({ merchantId: callback.merchantId, orderId: callback.orderId }),
      giveBack: () => this.#giveBack(),
    });
  }

  /** Resolves when nothing is under way any more and every result is written. */
  async drained(): Promise<void> {
    await this.due.drained();
    await this.#settling.drained();
  }

  /** When a destination that is left alone is tried again: the first of them after `now`. */
  reopensAfter(now: number): number | undefined {
    const moments = [...this.#destinations.values()].map(({ trust }) => trust.closedUntil).filter((at) => at > now);
    return moments.length === 0 ? undefined : Math.min(...moments);
  }

  /** Claims what is due for each destination, and returns the callbacks that can be sent now. */
  async #claim(): Promise<Begun[]> {
    const { callbacks, clock, instance: leaseOwner, orders } = this.#parts;
    const now = clock.now();
    const limit = MAX_HELD - this.#held(() => true);
    if (limit <= 0) return [];
    const isCrowded = this.#held((one) => isTroubled(one.trust)) >= MAX_TROUBLED;
    const roomIn = (one: Destination) => (isCrowded && isTroubled(one.trust) ? 0 : one.roomAt(now));
    const rooms = new Map([...this.#destinations].map(([name, one]) => [name, roomIn(one)]));
    const claim = { now, leaseUntil: now + this.#leaseMs, leaseOwner, limit, room: FIRST_ROOM, rooms };
    const claimed = await callbacks.claimDue(claim);
    const views = await orders.findOrderViews(claimed);
    for (const callback of claimed) {
      this.#destination(callback.destination).add({ callback, view: views.get(callback.orderId) });
    }
    const begun: Begun[] = [];
    for (const [name, destination] of this.#destinations) {
      destination.hasMore = destination.held > 0 && destination.roomAt(now) === 0;
      begun.push(...beginAt(destination));
      if (destination.isForgottenAt(now)) this.#destinations.delete(name);
    }
    return begun;
  }

  #held(which: (destination: Destination) => boolean): number {
    return [...this.#destinations.values()].filter(which).reduce((sum, { held }) => sum + held, 0);
  }

  #destination(name: string): Destination {
    const known = this.#destinations.get(name);
    if (known) return known;
    const destination = new Destination();
    this.#destinations.set(name, destination);
    return destination;
  }

  async #handle({ held, destination }: Begun): Promise<void> {
    try {
      await this.#deliver(held, destination);
    } finally {
      destination.end();
      if (!this.#isStopping) {
        for (const next of beginAt(destination)) this.due.begin(next);
        if (destination.wantsMore) this.due.wake();
      }
    }
  }

  async #deliver({ callback, view }: Held, destination: Destination): Promise<void> {
    const { client, clock, random, tried } = this.#parts;
    const at = clock.now();
    // The callback waited so long for its turn that its lease would end before the call.
    if (at + client.longestMs > callback.leaseUntil) return this.#wait(callback, at);
    const call = this.#callFor(callback, view, at);
    const called = 'fault' in call ? notCalled(call.fault) : await client.get(call);
    const now = clock.now();
    const milliseconds = Math.max(0, now - at);
    if (!('fault' in call)) this.#judge(destination, called, { now, milliseconds });
    const isTaken = called.status === TAKEN;
    const outcome = isTaken ? 'delivered' : 'failed';
    this.tries[outcome] += 1;
    tried(outcome);
    this.#parts.watches?.(seenCall(callback, called, { at: now, milliseconds }));
    const { scheduledAt } = callback;
    const dueAt = isTaken ? undefined : nextTryAt({ tries: callback.tries + 1, scheduledAt, now, chance: random() });
    const state = isTaken ? 'delivered' : dueAt === undefined ? 'failed' : 'waiting';
    this.#settleSoon({ callback, state, dueAt, attempt: { at, milliseconds, ...called }, at: now });
  }

  /** The call to make, or the reason why none can be made. */
  #callFor(callback: ClaimedCallback, view: OrderView | undefined, now: number): Call | { readonly fault: string } {
    const { configuration, partialAt, policy } = this.#parts;
    const merchant = configuration.byId(callback.merchantId);
    const [key, ...older] = merchant ? signingKeys(merchant, now) : [];
    if (!view) return { fault: 'there is no such order' };
    if (!key) return { fault: 'the merchant has no valid control key to sign it with' };
    const endpoint = configuration.endpoint(view.order.endpointId);
    const { descriptor } = endpoint ?? {};
    const message = messageOf({ callback, view, descriptor, keys: [key, ...older], now, partialAt });
    const { merchantId, endpointId, clientOrderId } = view.order;
    const about = { merchantId, endpointId, clientOrderId, callbackId: callbackId(callback) };
    return message ? { ...message, policy: policy(endpoint), about } : { fault: 'the order names no address' };
  }

  #judge(destination: Destination, called: Called, { now, milliseconds }: { now: number; milliseconds: number }): void {
    destination.trust = isDown(called)
      ? afterFailure(destination.trust, now, this.#parts.random())
      : afterAnswer(destination.trust, milliseconds);
    if (isSuspect(destination.trust)) this.#putBack(destination);
  }

  #giveBack(): void {
    this.#isStopping = true;
    for (const destination of this.#destinations.values()) this.#putBack(destination);
  }

  /** Gives back the callbacks that were not begun; they are due again at once. */
  #putBack(destination: Destination): void {
    for (const { callback } of destination.takeWaiting()) this.#wait(callback, this.#parts.clock.now());
  }

  #wait(callback: ClaimedCallback, dueAt: number): void {
    this.#settleSoon({ callback, state: 'waiting', dueAt, attempt: undefined, at: dueAt });
  }

  #settleSoon(settled: SettledCallback): void {
    this.#settling.add(settled, 0, shardOf(settled.callback.merchantId));
  }

  async #settle(batch: SettledCallback[]): Promise<void> {
    const { callbacks, log } = this.#parts;
    await callbacks.settle(batch).catch((error) => {
      log.error('callbacks were left to their lease', { count: batch.length, error });
    });
  }
}

/** Begins as many callbacks as the destination has connections for. */
function beginAt(destination: Destination): Begun[] {
  const begun: Begun[] = [];
  for (let held = destination.begin(); held; held = destination.begin()) begun.push({ held, destination });
  return begun;
}

function seenCall(callback: ClaimedCallback, called: Called, times: { at: number; milliseconds: number }): Seen {
  const { orderId, destination } = callback;
  const { status, fault } = called;
  const outcome = status === undefined ? (fault ?? 'no answer') : String(status);
  return { kind: 'callback', ...times, orderId: String(orderId), destination, outcome, isTaken: status === TAKEN };
}

function notCalled(fault: string): Called {
  return { address: undefined, status: undefined, answer: undefined, fault };
}

/** Only silence and requests to slow down count: any other answer shows a server that works, at least for others. */
function isDown({ status }: Called): boolean {
  return status === undefined || status === 429 || status === 503;
}
