// Who is let in when more comes than can be done: requests that would wait too long for their turn are refused at once,
// before their body is read, so that what was let in is finished as quickly as ever. There are two queues, because
// whoever asks about an order must hear of it while new ones are refused.
//
// A merchant may take as many places as are still free, and in any case its equal share. One that floods thus ends at
// half of them, two at a third each, and whoever asks for little always finds one, without anybody having to say how
// much that is.

import { asyncResponse } from '../../operations/acknowledgement.ts';
import type { Operation } from '../../operations/operation.ts';

/** So many may always be under way: two commits of 64, which cost next to no more for each order than larger ones. */
export const ALWAYS_TAKEN = 128;

/** How long a request may have to wait for its turn. */
export const MOST_WAIT_MS = 100;

export type Queue = {
  /** Requests of this queue that are under way, of all merchants and of the one that asks. */
  readonly all: number;
  readonly own: number;
  /** How many merchants have requests under way in it. */
  readonly merchants: number;
  /** Milliseconds from the end of one request to that of the next while there is no lack of them, once it is known. */
  readonly paceMs: number | undefined;
};

/** Whether one more request is refused. */
export function isRefused({ all, own, merchants, paceMs }: Queue, mostWaitMs: number): boolean {
  if (all < ALWAYS_TAKEN) return false;
  const places = placesFor(paceMs, mostWaitMs);
  // The pace changes, and then more may be under way than there are places: those who took them must wait, and not
  // those who took few.
  if (all >= MOST_OVERDRAWN * places) return true;
  return own >= Math.max(places - all, places / (merchants + 1));
}

const MOST_OVERDRAWN = 4;

/** How many may be under way: as many as end within the wait. */
function placesFor(paceMs: number | undefined, mostWaitMs: number): number {
  return Math.max(2 * ALWAYS_TAKEN, mostWaitMs / (paceMs ?? FIRST_PACE_MS));
}

/** Until it is known how quick this machine is, it is taken for a quick one. */
const FIRST_PACE_MS = 0.25;

/** The pace is measured over so many, while at least a part of them more are under way. */
const MEASURED = 64;
const BUSY = MEASURED / 2;

/** How much the latest measurement counts beside those before. */
const WEIGHT = 0.3;

/** How quickly requests end, as far as that is limited by how quickly they can. */
export class Pace {
  #ms: number | undefined;
  #count = 0;
  #since = 0;

  get ms(): number | undefined {
    return this.#ms;
  }

  /** A request has ended at this time, and so many are still under way. */
  ended(now: number, left: number): void {
    if (left < BUSY || this.#count === 0) {
      this.#count = left < BUSY ? 0 : 1;
      this.#since = now;
      return;
    }
    this.#count += 1;
    if (this.#count <= MEASURED) return;
    const latest = (now - this.#since) / MEASURED;
    this.#ms = this.#ms === undefined ? latest : this.#ms + (latest - this.#ms) * WEIGHT;
    this.#count = 1;
    this.#since = now;
  }
}

type QueueName = 'orders' | 'others';

/** What begins or changes an order waits for commits; what asks about one, or brings what it waits for, goes before. */
export function queueOf({ path, response, again }: Operation): QueueName {
  const isOrder = again !== undefined || (response === asyncResponse && !path.includes('/3ds/'));
  return isOrder ? 'orders' : 'others';
}

/** Whether the answer waits for the bank, and so tells nothing of how much there is to do here. */
function waitsForBank({ path }: Operation): boolean {
  return path.includes('/sync/');
}

type Kind = { readonly name: QueueName; readonly isCounted: boolean };

type Line = { all: number; merchants: number; readonly pace: Pace; readonly ofMerchants: Map<number, Place> };

/** What one merchant has under way in a queue. */
export type Place = { own: number; readonly line: Line };

export class Admission {
  readonly #mostWaitMs: number | undefined;
  readonly #lines: Readonly<Record<QueueName, Line>> = { orders: newLine(), others: newLine() };
  readonly #kinds = new Map<Operation, Kind>();
  readonly refused: Record<QueueName, number> = { orders: 0, others: 0 };

  /** Without a wait nobody is refused. */
  constructor(mostWaitMs: number | undefined) {
    this.#mostWaitMs = mostWaitMs;
  }

  /** How many requests are under way, by queue. */
  get underWay(): Readonly<Record<QueueName, number>> {
    const { orders, others } = this.#lines;
    return { orders: orders.all, others: others.all };
  }

  /** Whether anybody may be refused now: asked before it is known what is asked for. */
  get isBusy(): boolean {
    const { orders, others } = this.#lines;
    return orders.all >= ALWAYS_TAKEN || others.all >= ALWAYS_TAKEN;
  }

  /** Whether a request of this merchant is refused. Who it says it is of is not proven yet. */
  refuses(operation: Operation, merchantId: number): boolean {
    if (this.#mostWaitMs === undefined) return false;
    const { name } = this.#kindOf(operation);
    const { all, merchants, pace, ofMerchants } = this.#lines[name];
    if (all < ALWAYS_TAKEN) return false;
    const own = ofMerchants.get(merchantId)?.own ?? 0;
    if (!isRefused({ all, own, merchants, paceMs: pace.ms }, this.#mostWaitMs)) return false;
    this.refused[name] += 1;
    return true;
  }

  /**
   * Counts a request until its place is given back. Only those whose signature was right are counted, so that nobody
   * takes the places of another merchant.
   */
  begin(operation: Operation, merchantId: number): Place | undefined {
    const { name, isCounted } = this.#kindOf(operation);
    if (!isCounted) return undefined;
    const line = this.#lines[name];
    let place = line.ofMerchants.get(merchantId);
    if (!place) {
      place = { own: 0, line };
      line.ofMerchants.set(merchantId, place);
    }
    if (place.own === 0) line.merchants += 1;
    place.own += 1;
    line.all += 1;
    return place;
  }

  end(place: Place, now: number): void {
    const { line } = place;
    place.own -= 1;
    if (place.own === 0) line.merchants -= 1;
    line.all -= 1;
    line.pace.ended(now, line.all);
  }

  #kindOf(operation: Operation): Kind {
    let kind = this.#kinds.get(operation);
    if (!kind) {
      kind = { name: queueOf(operation), isCounted: !waitsForBank(operation) };
      this.#kinds.set(operation, kind);
    }
    return kind;
  }
}

function newLine(): Line {
  return { all: 0, merchants: 0, pace: new Pace(), ofMerchants: new Map() };
}
