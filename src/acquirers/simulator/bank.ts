// The simulated bank: takes an instruction once per reference, judges it by the rules, books it, and only when the booking
// is on disk answers. Everything it was ever told about a reference decides what it says about it next.

import { setMaxListeners } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import type { Answer, CardDetails, InquiryAnswer, Instruction, ReversalAnswer } from '../acquirer.ts';
import { processorTxIdOf } from './bank-numbers.ts';
import { type BookEntry, entryOf } from './book-entry.ts';
import { type Booking, Books, type CardDigits } from './books.ts';
import { FaultPlan, type Faults } from './faults.ts';
import { judge } from './rules.ts';

/** Keeps a second process out until it is released; throws when another one is in. */
export type TakeLock = (path: string) => Promise<{ release(): Promise<void> }>;

export type BankOptions = {
  readonly clock: Clock;
  /** Where the books are kept, or `memory` for books that are forgotten at the end. */
  readonly books: 'memory' | { readonly folder: string; readonly takeLock: TakeLock };
  readonly faults?: Partial<Faults> | undefined;
  /** How long an instruction in doubt stays in doubt before it is approved. */
  readonly holdMs?: number | undefined;
};

export type Bank = {
  /** The faults in force on every line to this bank. */
  readonly faults: FaultPlan;
  readonly clock: Clock;
  /** Aborted when the bank closes: what is still under way to it never arrives. */
  readonly closing: AbortSignal;
  instruct(instruction: Instruction): Promise<Answer>;
  inquire(reference: string): Promise<InquiryAnswer>;
  reverse(reference: string): Promise<ReversalAnswer>;
  /** Everything booked so far, oldest first, each reference as often as it was booked. */
  entries(): AsyncIterable<BookEntry>;
  close(): Promise<void>;
};

export const TERMINAL_ID = 'TENDER01';
export const DEFAULT_HOLD_MS = 3_000;

/** A reference that stands for another instruction already. */
export const REFERENCE_TAKEN = '913';
/** A reference that was cancelled, before or after it arrived. */
export const REFERENCE_CANCELLED = '914';

const BOOKS_FILE = 'bank-books.jsonl';
const LOCK_FILE = 'bank.lock';

const NOT_FOUND = { word: 'not-found' } as const;
const REVERSED = { word: 'reversed' } as const;

export async function openBank({ clock, books, faults, holdMs = DEFAULT_HOLD_MS }: BankOptions): Promise<Bank> {
  if (books === 'memory') {
    return new SimulatedBank({ clock, books: Books.inMemory(), faults, holdMs, unlock: async () => {} });
  }
  await mkdir(books.folder, { recursive: true });
  const lock = await books.takeLock(join(books.folder, LOCK_FILE));
  try {
    const kept = await Books.inFile(join(books.folder, BOOKS_FILE));
    return new SimulatedBank({ clock, books: kept, faults, holdMs, unlock: () => lock.release() });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

type Parts = {
  readonly clock: Clock;
  readonly books: Books;
  readonly faults: Partial<Faults> | undefined;
  readonly holdMs: number;
  unlock(): Promise<void>;
};

class SimulatedBank implements Bank {
  readonly clock: Clock;
  readonly faults: FaultPlan;
  readonly #books: Books;
  readonly #holdMs: number;
  readonly #unlock: () => Promise<void>;
  readonly #closing = new AbortController();

  constructor({ clock, books, faults, holdMs, unlock }: Parts) {
    this.clock = clock;
    this.faults = new FaultPlan(faults);
    this.#books = books;
    this.#holdMs = holdMs;
    this.#unlock = unlock;
    setMaxListeners(0, this.#closing.signal); // one listener per delayed message
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  async instruct(instruction: Instruction): Promise<Answer> {
    this.#mustBeOpen();
    const barred = this.#books.barred(instruction.reference);
    if (barred) {
      await barred;
      return { word: 'declined', code: REFERENCE_CANCELLED };
    }
    const known = this.#books.find(instruction.reference);
    if (known && !isSame(known, instruction)) {
      await known.durable; // before that a crash could still free the reference
      return { word: 'declined', code: REFERENCE_TAKEN };
    }
    const booking = known ?? this.#take(instruction);
    const answer = this.#answerTo(booking);
    await booking.durable;
    return answer.word === 'pending' ? { word: 'unknown', reason: 'the bank holds the payment in doubt' } : answer;
  }

  async inquire(reference: string): Promise<InquiryAnswer> {
    this.#mustBeOpen();
    const booking = this.#books.find(reference);
    if (!booking) return NOT_FOUND;
    const answer = this.#answerTo(booking);
    await booking.durable;
    return answer;
  }

  async reverse(reference: string): Promise<ReversalAnswer> {
    this.#mustBeOpen();
    const booking = this.#books.find(reference);
    if (!booking) {
      if (!this.#books.barred(reference)) this.#books.bar(reference, this.clock.now());
      await this.#books.barred(reference);
      return NOT_FOUND;
    }
    const declined = booking.verdict.word === 'decline';
    if (!declined && booking.reversedAt === undefined) this.#books.reverse(booking, this.clock.now());
    await booking.durable;
    return declined ? NOT_FOUND : REVERSED;
  }

  async *entries(): AsyncGenerator<BookEntry> {
    for await (const booking of this.#books.bookings()) yield entryOf(booking, this.#isHeld(booking));
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#books.close();
    await this.#unlock();
  }

  #mustBeOpen(): void {
    if (this.#closing.signal.aborted) throw new Error('the bank is closed');
  }

  #take({ kind, reference, amount, card }: Instruction): Booking {
    const verdict = judge({ minor: amount.minor, cvv: card.cvv?.reveal() });
    return this.#books.take({ kind, reference, amount, card: digitsOf(card), verdict, arrivedAt: this.clock.now() });
  }

  #answerTo(booking: Booking): Exclude<Answer, { word: 'unknown' }> {
    const numbers = { rrn: booking.rrn, processorTxId: processorTxIdOf(booking.reference) };
    if (booking.verdict.word === 'decline') return { word: 'declined', code: booking.verdict.code, ...numbers };
    if (booking.reversedAt !== undefined) return { word: 'declined', code: REFERENCE_CANCELLED, ...numbers };
    if (this.#isHeld(booking)) return { word: 'pending' };
    return { word: 'approved', approvalCode: booking.approvalCode, ...numbers, terminalId: TERMINAL_ID };
  }

  #isHeld({ verdict, arrivedAt }: Booking): boolean {
    return verdict.word === 'hold' && this.clock.now() < arrivedAt + this.#holdMs;
  }
}

/** As far as the books can tell: the security code and the middle of the card number are not in them. */
function isSame(booking: Booking, { kind, amount, card }: Instruction): boolean {
  const digits = digitsOf(card);
  return (
    booking.kind === kind &&
    booking.amount.minor === amount.minor &&
    booking.amount.currency === amount.currency &&
    booking.card.firstSix === digits.firstSix &&
    booking.card.lastFour === digits.lastFour
  );
}

function digitsOf(card: CardDetails): CardDigits {
  const number = card.number.reveal();
  return { firstSix: number.slice(0, 6), lastFour: number.slice(-4) };
}
