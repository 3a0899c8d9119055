// What this node holds for one destination: callbacks on their way, callbacks waiting for their turn, and how far the
// destination is trusted.

import type { ClaimedCallback } from '../storage/orders/callbacks.ts';
import type { OrderView } from '../storage/store.ts';
import { isForgotten, isSuspect, NEW_DESTINATION, roomOf, type Trust } from './breaker.ts';

/** The most connections to one destination at a time. */
const MAX_CONNECTIONS = 8;

/** A callback that this node has claimed, and the order that it is about. */
export type Held = { readonly callback: ClaimedCallback; readonly view: OrderView | undefined };

export class Destination {
  readonly #waiting: Held[] = [];
  #underWay = 0;
  trust: Trust = NEW_DESTINATION;
  /** Whether the last look left some of its callbacks in the database. */
  hasMore = false;

  get held(): number {
    return this.#waiting.length + this.#underWay;
  }

  get wantsMore(): boolean {
    return this.hasMore && this.#waiting.length * 2 <= this.trust.room;
  }

  isForgottenAt(now: number): boolean {
    return this.held === 0 && isForgotten(this.trust, now);
  }

  /** How many more callbacks this node may claim for it now. */
  roomAt(now: number): number {
    return Math.max(0, roomOf(this.trust, now) - this.held);
  }

  add(held: Held): void {
    this.#waiting.push(held);
  }

  /** The next callback to send, if there is a free connection for it. */
  begin(): Held | undefined {
    if (this.#underWay >= (isSuspect(this.trust) ? 1 : MAX_CONNECTIONS)) return undefined;
    const held = this.#waiting.shift();
    if (held) this.#underWay += 1;
    return held;
  }

  end(): void {
    this.#underWay -= 1;
  }

  takeWaiting(): Held[] {
    return this.#waiting.splice(0);
  }
}
