// This node's word that it lives, said again every few seconds. Nothing is held by it: whoever works on something has a
// lease on that.

import type { Clock } from '../../domain/clock.ts';
import type { LivingNode, LivingNodes } from '../../storage/living-nodes.ts';

export const PRESENCE_LASTS_MS = 30_000;
const SAID_EVERY_MS = 10_000;

export class Presence {
  readonly #nodes: LivingNodes;
  readonly #clock: Clock;
  readonly #node: Omit<LivingNode, 'livesUntil'>;

  constructor(nodes: LivingNodes, clock: Clock, node: Omit<LivingNode, 'livesUntil'>) {
    this.#nodes = nodes;
    this.#clock = clock;
    this.#node = node;
  }

  /** Also forgets nodes that died without a word. */
  async begin(): Promise<void> {
    await this.#nodes.removeDead(this.#clock.now());
    await this.say();
  }

  say(): Promise<unknown> {
    return this.#nodes.seen({ ...this.#node, livesUntil: this.#clock.now() + PRESENCE_LASTS_MS });
  }

  async run(signal: AbortSignal, failed: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(SAID_EVERY_MS, signal);
      if (!signal.aborted) await this.say().catch(failed);
    }
  }

  end(): Promise<unknown> {
    return this.#nodes.remove(this.#node.instance);
  }
}
