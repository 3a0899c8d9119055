// What this node holds for one destination: callbacks on their way, those waiting for their turn, and how far it is trusted.

import type { ClaimedCallback } from '../storage/callbacks.ts';
import { isForgotten, isSuspect, NEW_DESTINATION, roomOf, type Trust } from './breaker.ts';

/** Connections to one destination at a time. */
const MAX_CONNECTIONS = 8;

export class Destination {
  readonly #waiting: ClaimedCallback[] = [];
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

  add(callback: ClaimedCallback): void {
    this.#waiting.push(callback);
  }

  /** Whose turn it is, if anybody's. */
  begin(): ClaimedCallback | undefined {
    if (this.#underWay >= (isSuspect(this.trust) ? 1 : MAX_CONNECTIONS)) return undefined;
    const callback = this.#waiting.shift();
    if (callback) this.#underWay += 1;
    return callback;
  }

  end(): void {
    this.#underWay -= 1;
  }

  takeWaiting(): ClaimedCallback[] {
    return this.#waiting.splice(0);
  }
}
