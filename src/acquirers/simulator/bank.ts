// The simulated bank: it accepts an instruction once per reference, judges it by the rules and by what its books allow,
// books it, and answers only when the booking is on disk. Its later answers about a reference follow from everything
// booked for it. Its day ends at a cut-off: what moved money until then is cleared and can no longer be voided.

import { setMaxListeners } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import type { ProgressWatch } from '../../domain/progress-text.ts';
import type { Answer, Eligibility, InquiryAnswer, Instruction, ReversalAnswer } from '../acquirer.ts';
import { ORIGINAL_NOT_FOUND, REFERENCE_TAKEN } from './bank-codes.ts';
import { processorTxIdOf } from './bank-numbers.ts';
import { type BookEntry, entryOf } from './book-entry.ts';
import type { Booking, Subject } from './booking.ts';
import { Books } from './books/books.ts';
import { canBeReversed, type Ground } from './caps.ts';
import { BusinessDays, type CutOff, DEFAULT_CUT_OFF } from './cut-off.ts';
import { haveSameDigits } from './digits.ts';
import { FaultPlan, type Faults } from './faults.ts';
import { subjectOf, verdictOn } from './judgement.ts';
import { type ClearingSummary, type SettlementLine, settlementLine } from './settlement.ts';
import { eligibilityOf, isNeverTold } from './test-cards.ts';

/** Keeps a second process out until it is released; throws when another process has the lock. */
export type TakeLock = (path: string) => Promise<{ release(): Promise<void> }>;

export type BankOptions = {
  readonly clock: Clock;
  /** Where the books are kept, or `memory` for books that are forgotten at the end. */
  readonly books: 'memory' | { readonly folder: string; readonly takeLock: TakeLock };
  /** Hears how far books have been read that must be read whole before the bank opens. */
  readonly watch?: ProgressWatch | undefined;
  readonly faults?: Partial<Faults> | undefined;
  /** How long a doubtful instruction stays in doubt before it is approved. */
  readonly holdMs?: number | undefined;
  /** When the bank's day ends, in UTC; a cut-off that passed while the bank was closed is caught up on. */
  readonly cutOff?: CutOff | undefined;
};

const TERMINAL_ID = 'TENDER01';
const DEFAULT_HOLD_MS = 3_000;

const LOCK_FILE = 'bank.lock';

const NOT_FOUND = { word: 'not-found' } as const;
const REVERSED = { word: 'reversed' } as const;
const IN_DOUBT = { word: 'unknown', reason: 'the bank holds the payment in doubt' } as const;
const UNTOLD = { word: 'unknown', reason: 'the bank does not say whether it takes it back' } as const;
const NEEDED = { word: 'unknown', reason: 'the bank cannot take it back: later instructions stand on it' } as const;

export async function openBank(options: BankOptions): Promise<Bank> {
  const { clock, books, watch, faults, holdMs = DEFAULT_HOLD_MS, cutOff = DEFAULT_CUT_OFF } = options;
  const parts = { clock, faults, holdMs, days: new BusinessDays(cutOff) };
  if (books === 'memory') return new Bank({ ...parts, books: Books.inMemory(), unlock: async () => {} });
  await mkdir(books.folder, { recursive: true });
  const lock = await books.takeLock(join(books.folder, LOCK_FILE));
  try {
    const kept = await Books.inFolder({ folder: books.folder, watch });
    return new Bank({ ...parts, books: kept, unlock: () => lock.release() });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

type Parts = {
  readonly clock: Clock;
  readonly books: Books;
  readonly days: BusinessDays;
  readonly faults: Partial<Faults> | undefined;
  readonly holdMs: number;
  unlock(): Promise<void>;
};

export class Bank {
  readonly clock: Clock;
  /** The faults in force on every line to this bank. */
  readonly faults: FaultPlan;
  readonly #books: Books;
  readonly #days: BusinessDays;
  readonly #holdMs: number;
  readonly #unlock: () => Promise<void>;
  readonly #closing = new AbortController();
  #dayEndsAt: number;

  constructor({ clock, books, days, faults, holdMs, unlock }: Parts) {
    this.clock = clock;
    this.faults = new FaultPlan(faults);
    this.#books = books;
    this.#days = days;
    this.#holdMs = holdMs;
    this.#unlock = unlock;
    this.#dayEndsAt = days.endAfter(books.unclearedSince ?? clock.now());
    setMaxListeners(0, this.#closing.signal); // one listener per delayed message
  }

  /** Aborted when the bank closes: messages that are still on their way never arrive. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  async instruct(instruction: Instruction): Promise<Answer> {
    this.#begin();
    const barred = this.#books.barred(instruction.reference);
    if (barred) {
      await barred;
      return { word: 'declined', code: ORIGINAL_NOT_FOUND };
    }
    const subject = subjectOf(instruction);
    const known = this.#books.find(instruction.reference);
    if (known && !isSame(known, subject)) {
      await known.durable; // before that a crash could still free the reference
      return { word: 'declined', code: REFERENCE_TAKEN };
    }
    const booking = known ?? this.#take(subject, instruction);
    const answer = this.#answerTo(booking);
    await booking.durable;
    return answer.word === 'pending' ? IN_DOUBT : answer;
  }

  async inquire(reference: string): Promise<InquiryAnswer> {
    this.#begin();
    const booking = this.#books.find(reference);
    if (!booking) return NOT_FOUND;
    const answer = this.#answerTo(booking);
    await booking.durable;
    return answer;
  }

  async reverse(reference: string): Promise<ReversalAnswer> {
    this.#begin();
    const booking = this.#books.find(reference);
    if (!booking) {
      await (this.#books.barred(reference) ?? this.#books.bar(reference, this.clock.now()));
      return NOT_FOUND;
    }
    const answer = this.#takeBack(booking);
    await booking.durable;
    return answer;
  }

  /** Clears at once what the next cut-off would. */
  async clear(): Promise<ClearingSummary> {
    this.#begin();
    const now = this.clock.now();
    const run = { date: this.#days.dateOf(now), at: now, upTo: now, holdMs: this.#holdMs };
    const clearing = await this.#books.clear(run);
    let lines = 0;
    for await (const _ of this.#books.clearedBy(clearing)) lines += 1;
    return { date: run.date, at: now, lines };
  }

  /** What was cleared so far for a business day. */
  async *settlement(date: string): AsyncGenerator<SettlementLine> {
    this.#begin();
    for (const clearing of await this.#books.clearingsOf(date)) {
      for await (const cleared of this.#books.clearedBy(clearing)) yield settlementLine(cleared, clearing);
    }
  }

  /** Everything booked so far without the first `from`, oldest first, each reference as often as it was booked. */
  async *entries(from = 0): AsyncGenerator<BookEntry> {
    this.#begin();
    for await (const booking of this.#books.bookings(from)) yield entryOf(booking, this.#isHeld(booking));
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#books.close();
    await this.#unlock();
  }

  /** Every call begins here: a day that is over is cleared before anybody sees or changes its books. */
  #begin(): void {
    if (this.#closing.signal.aborted) throw new Error('the bank is closed');
    const now = this.clock.now();
    if (now < this.#dayEndsAt) return;
    const lastEnd = this.#days.lastEnd(now);
    this.#clearDay(this.#dayEndsAt);
    // No instruction arrived since then, or this would have run earlier; but some may no longer be in doubt.
    if (lastEnd > this.#dayEndsAt) this.#clearDay(lastEnd);
    this.#dayEndsAt = this.#days.endAfter(now);
  }

  #clearDay(end: number): void {
    const upTo = end - 1;
    const cleared = this.#books.clear({ date: this.#days.dateOf(upTo), at: end, upTo, holdMs: this.#holdMs });
    cleared.catch(() => {}); // whoever is answered next waits for a later line of the same log, and learns of it there
  }

  #take(subject: Subject, instruction: Instruction): Booking {
    const verdict = verdictOn(instruction, (original) => this.#groundOf(original));
    return this.#books.take(subject, verdict, this.clock.now());
  }

  #takeBack(booking: Booking): ReversalAnswer {
    if (booking.verdict.word === 'decline') return NOT_FOUND;
    if (booking.reversedAt !== undefined) return REVERSED;
    if (isUntold(booking)) return UNTOLD;
    const preauth = this.#books.preauthOf(booking);
    if (!canBeReversed(booking, { preauth, isApproved: this.#isApproved })) return NEEDED;
    this.#books.reverse(booking, this.clock.now());
    return REVERSED;
  }

  #groundOf(reference: string): Ground {
    const original = this.#books.find(reference);
    return { original, preauth: this.#books.preauthOf(original), isApproved: this.#isApproved };
  }

  #answerTo(booking: Booking): Exclude<InquiryAnswer, { word: 'unknown' | 'challenge' | 'not-found' }> {
    const { verdict, rrn, approvalCode } = booking;
    const processorTxId = processorTxIdOf(booking.reference);
    if (verdict.word === 'decline') return { word: 'declined', code: verdict.code, rrn, processorTxId };
    if (booking.reversedAt !== undefined) {
      const returned = booking.kind === 'push' ? { returned: true as const } : {};
      return { word: 'declined', code: ORIGINAL_NOT_FOUND, rrn, processorTxId, ...returned };
    }
    if (this.#isHeld(booking) || isUntold(booking)) return { word: 'pending' };
    const approval = { word: 'approved', approvalCode, rrn, processorTxId, terminalId: TERMINAL_ID } as const;
    return booking.kind === 'eligibility' ? { ...approval, eligibility: eligibilityFor(booking) } : approval;
  }

  readonly #isApproved = (booking: Booking): boolean =>
    booking.verdict.word !== 'decline' && booking.reversedAt === undefined && !this.#isHeld(booking);

  #isHeld({ verdict, arrivedAt }: Booking): boolean {
    return verdict.word === 'hold' && this.clock.now() < arrivedAt + this.#holdMs;
  }
}

/** Compares what the books hold: the security code and the middle of the card number are not in them. */
function isSame(booking: Booking, { kind, original, amount, card, to }: Subject): boolean {
  return (
    booking.kind === kind &&
    booking.original === original &&
    booking.amount.minor === amount.minor &&
    booking.amount.currency === amount.currency &&
    haveSameDigits(booking.card, card) &&
    haveSameDigits(booking.to, to)
  );
}

/** Nobody learns of it by asking; in the books it stands like any other. */
function isUntold({ verdict, card }: Booking): boolean {
  return verdict.word === 'hold' && card !== undefined && isNeverTold(card.firstSix);
}

function eligibilityFor({ card, to }: Booking): Eligibility {
  return {
    ...(card ? { sending: eligibilityOf(card.firstSix, 'sends') } : {}),
    ...(to && 'firstSix' in to ? { receiving: eligibilityOf(to.firstSix, 'receives') } : {}),
  };
}
