// The simulated bank's books as plainly as they can be kept: a list in memory, and every event applied at once.

import { approvalCodeOf, rrnOf } from '../../src/acquirers/simulator/bank-numbers.ts';
import { type Booking, type ClearingRun, count, type Subject } from '../../src/acquirers/simulator/booking.ts';
import { isVoided } from '../../src/acquirers/simulator/caps.ts';
import type { Verdict } from '../../src/acquirers/simulator/rules.ts';

const MOVES_MONEY = ['sale', 'capture', 'refund', 'pull', 'push'];
const FOLLOWS = ['capture', 'cancel', 'void', 'refund'];

type PlainClearing = ClearingRun & { readonly lines: string[] };

export class PlainBooks {
  readonly bookings: Booking[] = [];
  readonly clearings: PlainClearing[] = [];
  readonly clearedBy = new Map<string, ClearingRun>();
  readonly barred = new Set<string>();
  #uncleared: Booking[] = [];
  #reversals: Booking[] = [];

  find(reference: string | undefined): Booking | undefined {
    return this.bookings.find((booking) => booking.reference === reference);
  }

  take(subject: Subject, verdict: Verdict, arrivedAt: number): void {
    const serial = this.bookings.length;
    const numbers = { rrn: rrnOf(serial), approvalCode: approvalCodeOf(serial) };
    const booking: Booking = { ...subject, verdict, arrivedAt, ...numbers, durable: Promise.resolve() };
    this.bookings.push(booking);
    if (verdict.word === 'decline') return;
    this.#count(booking, 1);
    if (MOVES_MONEY.includes(booking.kind)) this.#uncleared.push(booking);
  }

  reverse(reference: string, at: number): void {
    const booking = this.find(reference)!;
    booking.reversedAt = at;
    this.#count(booking, -1);
    if (this.clearedBy.has(reference)) this.#reversals.push(booking);
  }

  clear(run: ClearingRun): void {
    const lines = this.#reversals.map(({ reference }) => `reversal ${reference}`);
    this.#reversals = [];
    this.#uncleared = this.#uncleared.filter((booking) => {
      const { reference, verdict, arrivedAt, reversedAt } = booking;
      if (reversedAt !== undefined) return false;
      if (isVoided(booking) || arrivedAt + (verdict.word === 'hold' ? run.holdMs : 0) > run.upTo) return true;
      this.clearedBy.set(reference, run);
      lines.push(reference);
      return false;
    });
    this.clearings.push({ ...run, lines });
  }

  #count(booking: Booking, times: 1 | -1): void {
    const original = FOLLOWS.includes(booking.kind) ? this.find(booking.original) : undefined;
    if (!original) return;
    count(booking, original, original.kind === 'capture' ? this.find(original.original) : undefined, times);
  }
}
