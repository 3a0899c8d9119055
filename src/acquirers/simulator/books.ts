// What the simulated bank has booked: one line per event in a durable log, and an index of it in memory that is rebuilt
// at start. Of a card only the first six and last four digits are ever written; security codes never are.

import type { Money } from '../../domain/money.ts';
import type { Instruction } from '../acquirer.ts';
import { approvalCodeOf, rrnOf } from './bank-numbers.ts';
import { type Log, memoryLog, openLog } from './log-file.ts';
import type { Verdict } from './rules.ts';

export type CardDigits = { readonly firstSix: string; readonly lastFour: string };

/** An instruction the bank has taken, with the verdict it got when it arrived. */
export type Booking = {
  readonly kind: Instruction['kind'];
  readonly reference: string;
  readonly amount: Money;
  readonly card: CardDigits;
  readonly verdict: Verdict;
  readonly arrivedAt: number;
  readonly rrn: string;
  readonly approvalCode: string;
  reversedAt?: number;
  /** Resolves when the booking and its reversal, as they stand in memory, are on disk. */
  durable: Promise<void>;
};

/** What the bank decides about an instruction; the books add the numbers. */
export type NewBooking = Pick<Booking, 'kind' | 'reference' | 'amount' | 'card' | 'verdict' | 'arrivedAt'>;

type Line =
  | (Omit<NewBooking, 'amount'> & {
      readonly event: 'taken';
      readonly minor: string;
      readonly currency: string;
      readonly rrn: string;
      readonly approvalCode: string;
    })
  | { readonly event: 'reversed' | 'barred'; readonly reference: string; readonly at: number };

const onDisk = Promise.resolve();

export class Books {
  // A list beside the index, so that a reference booked twice would show, not hide.
  readonly #bookings: Booking[] = [];
  readonly #byReference = new Map<string, Booking>();
  readonly #barred = new Map<string, Promise<void>>();
  #log: Log = memoryLog;

  static inMemory(): Books {
    return new Books();
  }

  static async inFile(path: string): Promise<Books> {
    const books = new Books();
    books.#log = await openLog(path, (line) => books.#replay(JSON.parse(line) as Line));
    return books;
  }

  find(reference: string): Booking | undefined {
    return this.#byReference.get(reference);
  }

  /** When the reference was reversed before it arrived: resolves as soon as that is on disk. */
  barred(reference: string): Promise<void> | undefined {
    return this.#barred.get(reference);
  }

  take(taken: NewBooking): Booking {
    const serial = this.#bookings.length;
    const numbers = { rrn: rrnOf(serial), approvalCode: approvalCodeOf(serial) };
    const { amount, ...rest } = taken;
    const durable = this.#append({
      event: 'taken',
      ...rest,
      minor: amount.minor.toString(),
      currency: amount.currency,
      ...numbers,
    });
    return this.#add({ ...taken, ...numbers, durable });
  }

  reverse(booking: Booking, at: number): void {
    booking.reversedAt = at;
    booking.durable = this.#append({ event: 'reversed', reference: booking.reference, at });
  }

  /** Sees to it that an instruction of this reference is never taken. */
  bar(reference: string, at: number): void {
    this.#barred.set(reference, this.#append({ event: 'barred', reference, at }));
  }

  /** Every booking so far, oldest first, once all of them are on disk. */
  async *bookings(): AsyncGenerator<Booking> {
    const known = this.#bookings.length;
    await this.#log.synced();
    for (let index = 0; index < known; index += 1) yield this.#bookings[index]!;
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  #append(line: Line): Promise<void> {
    return this.#log === memoryLog ? onDisk : this.#log.append(JSON.stringify(line));
  }

  #add(booking: Booking): Booking {
    this.#bookings.push(booking);
    this.#byReference.set(booking.reference, booking);
    return booking;
  }

  #replay(line: Line): void {
    if (line.event === 'taken') {
      const { event: _, minor, currency, ...rest } = line;
      this.#add({ ...rest, amount: { minor: BigInt(minor), currency }, durable: onDisk });
    } else if (line.event === 'barred') {
      this.#barred.set(line.reference, onDisk);
    } else if (line.event === 'reversed') {
      const booking = this.#byReference.get(line.reference);
      if (!booking) throw new Error('A reversal of nothing');
      booking.reversedAt = line.at;
    } else {
      throw new Error('Not a line of the books');
    }
  }
}
