// What this node holds for one destination: callbacks on their way, those waiting for their turn, and how far it is
// trusted.

import type { ClaimedCallback } from '../storage/orders/callbacks.ts';
import type { OrderView } from '../storage/store.ts';
import { isForgotten, isSuspect, NEW_DESTINATION, roomOf, type Trust } from './breaker.ts';

/** Connections to one destination at a time. */
const MAX_CONNECTIONS = 8;

/** A callback of ours, and what it tells of. */
export type Held = { readonly callback: ClaimedCallback; readonly view: OrderView | undefined };

export class Destination {
  readonly #waiting: Held[] = [];
  #underWay = 0;
  trust: Trust = NEW_DESTINATION;
  /** Whether the last look left some of its callbacks where they were. */
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

  /** How many more it may be given now. */
  roomAt(now: number): number {
    return Math.max(0, roomOf(this.trust, now) - this.held);
  }

  add(held: Held): void {
    this.#waiting.push(held);
  }

  /** Whose turn it is, if anybody's. */
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
