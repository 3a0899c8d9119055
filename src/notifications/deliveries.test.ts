import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { Endpoint, Merchant } from '../domain/merchant/merchant.ts';
import { startOrder } from '../domain/order/decide.ts';
import { Secret } from '../domain/secret.ts';
import type { CallbackClaim, CallbackStore, ClaimedCallback, SettledCallback } from '../storage/orders/callbacks.ts';
import type { OrderView } from '../storage/store.ts';
import { createLog } from '../telemetry/log.ts';
import type { Called } from './client.ts';
import { Deliveries, type DeliveriesParts } from './deliveries.ts';

const LEASE_MS = 60_000;
const NO_ANSWER: Called = { address: undefined, status: undefined, answer: undefined, fault: 'silence' };
const answering = (status: number): Called => ({ ...NO_ANSWER, status, fault: undefined });

const key = { keyId: 'first', validFrom: 0, validUntil: undefined, operations: [], key: new Secret('key') };

/** The place of destination `a`, `b` … as host and port. */
const placeOf = (name: string) => `${name}.example:443`;

/** A node with a store of callbacks per destination, and shops that answer what the test says. */
class Bench {
  now = 1_000_000;
  readonly waiting: { id: number; place: string }[] = [];
  readonly claims: CallbackClaim[] = [];
  readonly settled: SettledCallback[] = [];
  readonly calls: { place: string; answer(called: Called): void }[] = [];
  readonly stopping = new AbortController();
  readonly deliveries: Deliveries;
  readonly #running: Promise<void>;
  keys = [key];
  readonly #places = new Map<number, string>();
  #look: () => void = () => {};

  constructor() {
    const parts: DeliveriesParts = {
      callbacks: {
        claimDue: (claim) => this.#claim(claim),
        settle: async (all) => void this.settled.push(...all),
      } as CallbackStore,
      client: {
        longestMs: 12_000,
        get: ({ url }) => new Promise((answer) => this.calls.push({ place: `${url.hostname}:443`, answer })),
      },
      clock: { now: () => this.now, sleep: (_, signal) => this.#sleep(signal) },
      configuration: {
        byId: () => ({ controlKeys: this.keys }) as unknown as Merchant,
        endpoint: () => ({}) as Endpoint,
      },
      instance: 'this-node',
      leaseMs: LEASE_MS,
      log: createLog((line) => expect.fail(line)),
      orders: {
        findOrderViews: async (orders) => new Map(orders.map(({ orderId }) => [orderId, this.#view(orderId)])),
      },
      partialAt: () => [],
      policy: () => ({ loopback: false }),
      random: () => 0,
      tried: () => {},
    };
    this.deliveries = new Deliveries(parts);
    this.#running = this.deliveries.due.run(this.stopping.signal);
  }

  add(name: string, count: number): void {
    for (let one = 0; one < count; one++) {
      const id = this.#places.size + 1;
      this.#places.set(id, placeOf(name));
      this.waiting.push({ id, place: placeOf(name) });
    }
  }

  async #claim(claim: CallbackClaim): Promise<ClaimedCallback[]> {
    this.claims.push(claim);
    const taken = new Map<string, number>();
    const claimed = this.waiting.filter(({ place }) => {
      const count = (taken.get(place) ?? 0) + 1;
      if (count > (claim.rooms.get(place) ?? claim.room)) return false;
      taken.set(place, count);
      return true;
    });
    for (const one of claimed) this.waiting.splice(this.waiting.indexOf(one), 1);
    const { now, leaseUntil, leaseOwner } = claim;
    const made = { seq: 1, target: 'notify', state: 'waiting', attempts: 0, tries: 0, scheduledAt: now } as const;
    return claimed.map(({ id, place }) => {
      const times = { dueAt: leaseUntil, createdAt: now, changedAt: now };
      return { merchantId: 1, orderId: id, destination: place, ...made, ...times, leaseUntil, leaseOwner };
    });
  }

  #view(orderId: number): OrderView {
    const intent = { merchantId: 1, orderId, endpointId: 101, clientOrderId: `inv-${orderId}`, amount: 100n };
    const kind = {
      operation: 'sale',
      type: 'sale',
      currency: 'USD',
      notation: 'minor',
      requestSerial: 'serial',
    } as const;
    const order = startOrder({ ...intent, ...kind }, { now: this.now, leaseMs: 1, holdMs: 1 });
    const details = { notifyUrl: `https://${this.#places.get(orderId)?.split(':')[0]}/` };
    return { order, details, receiptId: '', card: undefined, targetCard: undefined };
  }

  /** Sleeps until the test wants the next look. */
  #sleep(signal: AbortSignal | undefined): Promise<void> {
    if (signal === this.stopping.signal) return Promise.resolve();
    return new Promise((resolve) => {
      this.#look = resolve;
      signal?.addEventListener('abort', () => resolve(), { once: true });
      if (signal?.aborted) resolve();
    });
  }

  /** Lets the node look once more, and waits for everything that follows. */
  async look(afterMs = 0): Promise<void> {
    await settle();
    this.now += afterMs;
    this.#look();
    await settle();
  }

  /** Answers all open calls, or those to one destination, and waits for what follows. */
  async answer(called: Called, name?: string): Promise<number> {
    const count = this.answerNow(called, name);
    await settle();
    return count;
  }

  answerNow(called: Called, name?: string): number {
    const open = this.calls.filter(({ place }) => name === undefined || place === placeOf(name));
    for (const call of open) this.calls.splice(this.calls.indexOf(call), 1);
    for (const call of open) call.answer(called);
    return open.length;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.#running;
  }

  get lastRooms(): Record<string, number> {
    return Object.fromEntries(this.claims.at(-1)?.rooms ?? []);
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const outcomes = (bench: Bench) => bench.settled.map(({ state, attempt }) => `${state}${attempt ? '' : ', not tried'}`);

describe('a node that delivers', () => {
  it('gives a destination a few, and more as it answers, on a few connections', async () => {
    const bench = new Bench();
    bench.add('a', 100);
    await bench.look();
    expect(bench.calls).toHaveLength(4);
    await bench.answer(answering(200));
    // No further look was needed: the node knew that there was more, and asked for it.
    expect(bench.deliveries.due.underWay).toBe(8);
    expect(bench.settled.every(({ state }) => state === 'delivered')).toBe(true);
    await bench.stop();
  });

  it('leaves a silent one alone, keeps nothing back for it, and tries it later with one', async () => {
    const bench = new Bench();
    bench.add('dead', 50);
    bench.add('a', 1);
    await bench.look();
    await bench.answer(NO_ANSWER, 'dead');
    expect(outcomes(bench)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    await bench.look();
    expect(bench.lastRooms[placeOf('dead')]).toBe(0);
    expect(bench.calls.map(({ place }) => place)).toEqual([placeOf('a')]);
    await bench.look(5_000);
    expect(bench.lastRooms[placeOf('dead')]).toBe(1);
    expect(await bench.answer(NO_ANSWER, 'dead')).toBe(1);
    await bench.look(5_000);
    expect(bench.lastRooms[placeOf('dead')]).toBe(0);
    await bench.look(5_000);
    expect(await bench.answer(answering(200), 'dead')).toBe(1);
    await bench.look();
    expect(bench.calls.filter(({ place }) => place === placeOf('dead'))).toHaveLength(2);
    await bench.stop();
  });

  it('puts back what waited when a destination falls silent', async () => {
    const bench = new Bench();
    bench.add('a', 100);
    // The destination answers well at first, so that the node holds much for it.
    for (let round = 0; round < 4; round++) {
      await bench.look();
      await bench.answer(answering(200));
    }
    await bench.look();
    const held = bench.deliveries.due.underWay;
    const before = bench.settled.length;
    await bench.answer(NO_ANSWER);
    expect(held).toBe(8);
    const after = outcomes(bench).slice(before);
    expect(after.filter((one) => one === 'waiting')).toHaveLength(held);
    expect(after.filter((one) => one === 'waiting, not tried').length).toBeGreaterThan(0);
    expect(bench.calls).toEqual([]);
    await bench.stop();
  });

  it.each([
    [500, 'open'],
    [404, 'open'],
    [302, 'open'],
    [503, 'closed'],
    [429, 'closed'],
  ])('after answers of %i holds a destination %s', async (status, expected) => {
    const bench = new Bench();
    bench.add('a', 20);
    await bench.look();
    await bench.answer(answering(status));
    await bench.look();
    expect(bench.calls.length > 0 ? 'open' : 'closed').toBe(expected);
    expect(outcomes(bench).slice(0, 4)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    await bench.stop();
  });

  it('does not hold a missing key against the destination', async () => {
    const bench = new Bench();
    bench.keys = [];
    bench.add('a', 4);
    await bench.look();
    expect(bench.calls).toEqual([]);
    expect(bench.settled.map(({ attempt }) => attempt?.fault)).toEqual(Array(4).fill(expect.stringContaining('key')));
    bench.keys = [key];
    bench.add('a', 4);
    await bench.look();
    expect(bench.calls).toHaveLength(4);
    await bench.stop();
  });

  it('keeps half of its room for those that answer', async () => {
    const bench = new Bench();
    // After one failure, three hundred shops hold all that they may; the late one would have room for one more.
    const shops = ['late', ...Array.from({ length: 300 }, (_, shop) => `slow${shop}`)];
    for (const shop of shops) bench.add(shop, shop === 'late' ? 2 : 3);
    await bench.look();
    for (const shop of shops) {
      const call = bench.calls.findIndex(({ place }) => place === placeOf(shop));
      bench.calls.splice(call, 1)[0]?.answer(NO_ANSWER);
    }
    await settle();
    expect(bench.deliveries.due.underWay).toBe(601);
    bench.add('late', 5);
    bench.add('healthy', 5);
    await bench.look();
    expect(bench.lastRooms[placeOf('late')]).toBe(0);
    expect(bench.calls.filter(({ place }) => place === placeOf('healthy'))).toHaveLength(4);
    // Once the others have answered there is room again.
    for (const shop of shops.slice(1)) bench.answerNow(answering(200), shop);
    await bench.look();
    expect(bench.calls.filter(({ place }) => place === placeOf('late'))).toHaveLength(2);
    await bench.stop();
  });

  it('begins nothing whose lease would end before the call', async () => {
    const bench = new Bench();
    bench.add('a', 100);
    for (let round = 0; round < 3; round++) {
      await bench.look();
      await bench.answer(answering(200));
    }
    await bench.look();
    const before = bench.settled.length;
    bench.now += LEASE_MS;
    await bench.answer(answering(200));
    expect(outcomes(bench).slice(before)).toContain('waiting, not tried');
    await bench.stop();
  });

  it('ties nothing more to the signal that stops it, however often it looks', async () => {
    // A combined signal would be kept in memory by the signals it is made of.
    const any = vi.spyOn(AbortSignal, 'any');
    const bench = new Bench();
    for (let look = 0; look < 20; look++) {
      bench.deliveries.due.wake();
      await settle();
    }
    expect(bench.claims.length).toBeGreaterThan(10);
    expect(any).not.toHaveBeenCalled();
    expect(getEventListeners(bench.stopping.signal, 'abort')).toHaveLength(1);
    any.mockRestore();
    await bench.stop();
  });

  it('when it is stopped ends what is under way and puts the rest back', async () => {
    const bench = new Bench();
    bench.add('a', 100);
    for (let round = 0; round < 3; round++) {
      await bench.look();
      await bench.answer(answering(200));
    }
    await bench.look();
    const before = bench.settled.length;
    await bench.stop();
    const drained = bench.deliveries.drained();
    await settle();
    const putBack = bench.settled.length - before;
    expect(putBack).toBeGreaterThan(0);
    expect(outcomes(bench).slice(before)).toEqual(Array(putBack).fill('waiting, not tried'));
    const underWay = bench.deliveries.due.underWay;
    await bench.answer(answering(200));
    await drained;
    expect(outcomes(bench).slice(before + putBack)).toEqual(Array(underWay).fill('delivered'));
    expect(bench.calls).toEqual([]);
  });
});
