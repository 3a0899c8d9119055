// This process's place among the nodes: a number for the ids it makes, held by a lease that is renewed while it lives.

import type { Clock } from '../domain/clock.ts';
import type { NodeNumber, NodeStore } from '../storage/nodes.ts';
import type { Log } from '../telemetry/log.ts';

const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
const REGISTER_TRIES = 20;
const REGISTER_PAUSE_MS = 100;

export class NodeLease {
  readonly #store: NodeStore;
  readonly #clock: Clock;
  readonly #instance: string;
  readonly node: NodeNumber;

  private constructor(store: NodeStore, clock: Clock, instance: string, node: NodeNumber) {
    this.#store = store;
    this.#clock = clock;
    this.#instance = instance;
    this.node = node;
  }

  static async take(store: NodeStore, clock: Clock, instance: string): Promise<NodeLease> {
    for (let tries = 0; tries < REGISTER_TRIES; tries++) {
      const now = clock.now();
      const node = await store.register(instance, now, now + LEASE_MS);
      if (node) return new NodeLease(store, clock, instance, node);
      await clock.sleep(REGISTER_PAUSE_MS);
    }
    throw new Error('all node numbers of this database are taken; stop a node or wait for its lease to end');
  }

  async run(signal: AbortSignal, log: Log): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(RENEW_EVERY_MS, signal);
      if (signal.aborted) return;
      await this.#store
        .renew(this.#instance, this.#clock.now() + LEASE_MS)
        .catch((error) => log.warn('the node lease could not be renewed', { error }));
    }
  }

  release(): Promise<void> {
    return this.#store.release(this.#instance, this.#clock.now());
  }
}
