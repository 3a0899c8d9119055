// What the simulated bank has booked: one line per event in a durable log, and an index in memory that is rebuilt at
// start. Only the first six and last four digits of a card are ever written; security codes never are.

import { approvalCodeOf, rrnOf } from '../bank-numbers.ts';
import { type Booking, type ClearedBooking, type Clearing, count, isFollowUp, type Subject } from '../booking.ts';
import { isVoided } from '../caps.ts';
import type { Verdict } from '../rules.ts';
import { type BookLog, memoryLog, openLog } from './log-file.ts';

/** Clears what was approved by the moment `upTo`; a doubtful booking is approved after `holdMs`. */
export type ClearingRun = {
  readonly date: string;
  readonly at: number;
  readonly upTo: number;
  readonly holdMs: number;
};

type Line =
  | (Omit<Subject, 'amount'> &
      Pick<Booking, 'verdict' | 'arrivedAt' | 'rrn' | 'approvalCode'> & {
        readonly event: 'taken';
        readonly minor: string;
        readonly currency: string;
      })
  | { readonly event: 'reversed' | 'barred'; readonly reference: string; readonly at: number }
  | (ClearingRun & { readonly event: 'cleared' });

const MOVES_MONEY: ReadonlySet<Booking['kind']> = new Set(['sale', 'capture', 'refund', 'pull', 'push']);

const onDisk = Promise.resolve();

export class Books {
  // A list beside the index, so that a reference that was booked twice would show.
  readonly #bookings: Booking[] = [];
  readonly #byReference = new Map<string, Booking>();
  readonly #barred = new Map<string, Promise<void>>();
  readonly #clearings: Clearing[] = [];
  /** Movements of money that were never cleared. */
  #uncleared: Booking[] = [];
  /** Movements that were reversed after they had been cleared: their reversal must be cleared too. */
  #unclearedReversals: Booking[] = [];
  #lastClearingAt: number | undefined;
  #log: BookLog = memoryLog;

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

  /** The preauth of a capture. */
  preauthOf(booking: Booking | undefined): Booking | undefined {
    return booking?.kind === 'capture' && booking.original !== undefined ? this.find(booking.original) : undefined;
  }

  /** For a reference that was reversed before it arrived: resolves when that is on disk. Otherwise undefined. */
  barred(reference: string): Promise<void> | undefined {
    return this.#barred.get(reference);
  }

  take(subject: Subject, verdict: Verdict, arrivedAt: number): Booking {
    const serial = this.#bookings.length;
    const taken = { ...subject, verdict, arrivedAt, rrn: rrnOf(serial), approvalCode: approvalCodeOf(serial) };
    const { amount, ...rest } = taken;
    const { currency } = amount;
    const durable = this.#append({ event: 'taken', ...rest, minor: amount.minor.toString(), currency });
    return this.#add({ ...taken, durable });
  }

  reverse(booking: Booking, at: number): void {
    this.#takeBack(booking, at);
    booking.durable = this.#append({ event: 'reversed', reference: booking.reference, at });
  }

  /** Makes sure that an instruction with this reference is never accepted. */
  bar(reference: string, at: number): void {
    this.#barred.set(reference, this.#append({ event: 'barred', reference, at }));
  }

  /** Resolves when the clearing is on disk. */
  async clear(run: ClearingRun): Promise<Clearing> {
    const clearing = this.#clear(run);
    await this.#append({ event: 'cleared', ...run });
    return clearing;
  }

  /** The moment since which nothing was cleared: the last clearing, else the oldest booking; undefined when empty. */
  get unclearedSince(): number | undefined {
    return this.#lastClearingAt ?? this.#bookings[0]?.arrivedAt;
  }

  /** Every booking so far, oldest first, once all of them are on disk. */
  async *bookings(): AsyncGenerator<Booking> {
    const known = this.#bookings.length;
    await this.#log.synced();
    for (let index = 0; index < known; index += 1) yield this.#bookings[index]!;
  }

  /** The clearings of a business day so far, once all of them are on disk. */
  async clearingsOf(date: string): Promise<readonly Clearing[]> {
    const clearings = this.#clearings.filter((clearing) => clearing.date === date);
    await this.#log.synced();
    return clearings;
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
    if (booking.verdict.word !== 'decline') {
      this.#count(booking, 1);
      if (MOVES_MONEY.has(booking.kind)) this.#uncleared.push(booking);
    }
    return booking;
  }

  #takeBack(booking: Booking, at: number): void {
    booking.reversedAt = at;
    this.#count(booking, -1);
    if (booking.clearing) this.#unclearedReversals.push(booking);
  }

  #count(booking: Booking, times: 1 | -1): void {
    if (!isFollowUp(booking.kind) || booking.original === undefined) return;
    const original = this.find(booking.original);
    if (!original) throw new Error('A follow-up of nothing');
    count(booking, original, this.preauthOf(original), times);
  }

  #clear({ date, at, upTo, holdMs }: ClearingRun): Clearing {
    const isDue = ({ verdict, arrivedAt }: Booking) => arrivedAt + (verdict.word === 'hold' ? holdMs : 0) <= upTo;
    const lines: ClearedBooking[] = this.#unclearedReversals.map((booking) => ({ booking, isReversal: true }));
    const clearing: Clearing = { date, at, lines };
    const uncleared: Booking[] = [];
    for (const booking of this.#uncleared) {
      if (booking.reversedAt !== undefined) continue;
      // The void may still be reversed, and then the money moves after all.
      if (isVoided(booking) || !isDue(booking)) {
        uncleared.push(booking);
      } else {
        booking.clearing = clearing;
        lines.push({ booking, isReversal: false });
      }
    }
    this.#uncleared = uncleared;
    this.#unclearedReversals = [];
    this.#clearings.push(clearing);
    this.#lastClearingAt = at;
    return clearing;
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
      this.#takeBack(booking, line.at);
    } else if (line.event === 'cleared') {
      this.#clear(line);
    } else {
      throw new Error('Not a line of the books');
    }
  }
}
