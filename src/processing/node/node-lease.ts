// This process's place among the nodes: a number for the ids it makes, held by a lease that is renewed while it lives.

import type { Clock } from '../../domain/clock.ts';
import type { NodeStore } from '../../storage/nodes.ts';
import type { Log } from '../../telemetry/log.ts';
import { type LeasedNumber, OrderIds } from './identifiers.ts';

const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
const REGISTER_TRIES = 20;
const REGISTER_PAUSE_MS = 100;

export class NodeLease {
  readonly #store: NodeStore;
  readonly #clock: Clock;
  readonly #instance: string;
  /** Makes the ids of this process, for as long as it holds its number. */
  readonly ids: OrderIds;
  #held: LeasedNumber;
  #renewing: Promise<void> | undefined;

  private constructor(store: NodeStore, clock: Clock, instance: string, held: LeasedNumber) {
    this.#store = store;
    this.#clock = clock;
    this.#instance = instance;
    this.#held = held;
    this.ids = new OrderIds(held, () => this.renew());
  }

  static async take(store: NodeStore, clock: Clock, instance: string): Promise<NodeLease> {
    return new NodeLease(store, clock, instance, await takeNumber(store, clock, instance));
  }

  async run(signal: AbortSignal, log: Log): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(RENEW_EVERY_MS, signal);
      if (signal.aborted) return;
      await this.renew().catch((error) => log.warn('the node lease could not be renewed', { error }));
    }
  }

  /** Renews the lease; a process that slept for too long takes another number. Parallel calls share one renewal. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const until = this.#clock.now() + LEASE_MS;
    const isOurs = await this.#store.renew(this.#instance, this.#held.number, until);
    this.#held = isOurs ? { ...this.#held, until } : await takeNumber(this.#store, this.#clock, this.#instance);
    this.ids.hold(this.#held);
  }

  release(): Promise<void> {
    return this.#store.release(this.#instance, this.#clock.now());
  }
}

async function takeNumber(store: NodeStore, clock: Clock, instance: string): Promise<LeasedNumber> {
  for (let tries = 0; tries < REGISTER_TRIES; tries++) {
    const now = clock.now();
    const node = await store.register(instance, now, now + LEASE_MS);
    if (node) return { ...node, until: now + LEASE_MS };
    await clock.sleep(REGISTER_PAUSE_MS);
  }
  throw new Error('all node numbers of this database are taken; stop a node or wait for its lease to end');
}
