// Ids made by the application: order ids are time-ordered numbers below 2^53, serial numbers time-ordered UUIDs
// (version 7). An order id is 40 bits of milliseconds since 2026, 6 bits of node number and 7 bits of sequence.

import { randomFillSync } from 'node:crypto';

const EPOCH = Date.UTC(2026, 0, 1);
const SEQUENCE_SIZE = 128;
const NODE_SIZE = 64;

/** This process no longer holds its node number, so it can make no ids: another process may make the same ones. */
export class NodeNumberLost extends Error {
  override readonly name = 'NodeNumberLost';
}

/** A leased node number: ids are made after the moment `after` and before `until`. */
export type LeasedNumber = { readonly number: number; readonly after: number; readonly until: number };

export class OrderIds {
  #node: number;
  #moment: number;
  #until: number;
  #sequence = SEQUENCE_SIZE - 1;
  readonly #renew: () => Promise<void>;

  /** `renew` renews the lease or takes another number, and then calls `hold`. */
  constructor({ number, after, until }: LeasedNumber, renew: () => Promise<void> = async () => {}) {
    this.#node = number;
    this.#moment = after - EPOCH;
    this.#until = until;
    this.#renew = renew;
  }

  /** Must be awaited before an id is made: a process that slept for longer than its lease renews it first. */
  async held(now: number): Promise<void> {
    if (now >= this.#until) await this.#renew();
  }

  /** The lease was renewed, or another number was taken. */
  hold({ number, after, until }: LeasedNumber): void {
    this.#node = number;
    this.#moment = Math.max(this.#moment, after - EPOCH);
    this.#until = until;
  }

  next(now: number): number {
    if (now >= this.#until) throw new NodeNumberLost('the lease of the node number has run out');
    const moment = now - EPOCH;
    if (moment > this.#moment) {
      this.#moment = moment;
      this.#sequence = 0;
    } else if (++this.#sequence === SEQUENCE_SIZE) {
      // More than 128 ids in a millisecond, or a clock that went back, borrow from the next millisecond.
      this.#moment += 1;
      this.#sequence = 0;
    }
    return (this.#moment * NODE_SIZE + this.#node) * SEQUENCE_SIZE + this.#sequence;
  }
}

const TIME_BYTES = 6;
const RANDOM_BYTES = 10;
const UUID_VERSION = 0x70;
const UUID_VARIANT = 0x80;

/** Smaller than every serial number made at this moment or later, and larger than all made before. */
export function serialNumbersSince(moment: number): string {
  const hex = Math.max(0, moment)
    .toString(16)
    .padStart(2 * TIME_BYTES, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const entropy = Buffer.alloc(RANDOM_BYTES * 256);
let used = entropy.length;
const serial = Buffer.alloc(TIME_BYTES + RANDOM_BYTES);

export function newSerialNumber(now: number): string {
  if (used === entropy.length) {
    randomFillSync(entropy);
    used = 0;
  }
  serial.writeUIntBE(now, 0, TIME_BYTES);
  entropy.copy(serial, TIME_BYTES, used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  serial[6] = UUID_VERSION | ((serial[6] as number) & 0x0f);
  serial[8] = UUID_VARIANT | ((serial[8] as number) & 0x3f);
  const hex = serial.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
