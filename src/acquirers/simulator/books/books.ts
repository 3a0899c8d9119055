// What the simulated bank has booked: one line per event in a durable log, and an index that finds the lines about a
// reference. How a booking stands follows from its lines each time it is asked for, so memory holds no booking.

import { join } from 'node:path';
import type { ProgressWatch } from '../../../domain/progress-text.ts';
import { approvalCodeOf, rrnOf } from '../bank-numbers.ts';
import type { Booking, ClearedBooking, Clearing, ClearingRun, Subject } from '../booking.ts';
import type { Verdict } from '../rules.ts';
import { BookIndex } from './book-index.ts';
import { type BookLine, bookingOf, readBookLine, type TakenLine, takenLineOf, usedBy } from './book-line.ts';
import { type BookLog, type Located, MemoryLog, onDisk } from './book-log.ts';
import { type BookSums, MILESTONE_EVERY, noSums } from './book-sums.ts';
import { clearingOf, movesMoney } from './clearing-rule.ts';
import { play, type Told } from './history.ts';
import { MAX_POSITION } from './index-words.ts';
import { openLog } from './log-file.ts';
import { referenceKey } from './reference-key.ts';

export type BooksPlace = {
  readonly folder: string;
  /** Hears how far the log has been read, when most of it has to be. */
  readonly watch?: ProgressWatch | undefined;
  /** How many entries of the index may be in memory before they become a file. */
  readonly savesAt?: number;
};

const BOOKS_FILE = 'bank-books.jsonl';
const INDEX_FOLDER = 'index';
const SAVES_AT = 16_384;
const MEGABYTE = 1_000_000;

export class Books {
  #log: BookLog = new MemoryLog();
  #index = BookIndex.inMemory();
  #sums: BookSums = noSums();
  #failure: Error | undefined;

  static inMemory(): Books {
    return new Books();
  }

  static async inFolder({ folder, watch, savesAt = SAVES_AT }: BooksPlace): Promise<Books> {
    const books = new Books();
    const path = join(folder, BOOKS_FILE);
    const { index, checkpoint } = await BookIndex.open({ folder: join(folder, INDEX_FOLDER), log: path, savesAt });
    books.#index = index;
    if (checkpoint) books.#sums = checkpoint.sums;
    const replay = (text: string, position: number, log: BookLog) => {
      books.#log = log;
      return books.#replay(text, position, watch);
    };
    try {
      books.#log = await openLog(path, replay, checkpoint?.end);
    } catch (error) {
      await index.close();
      throw error;
    }
    return books;
  }

  /** How many entries of the index are in memory, and how many files hold the others. */
  get footprint(): { readonly resident: number; readonly files: number } {
    return { resident: this.#index.resident, files: this.#index.files };
  }

  find(reference: string): Booking | undefined {
    const told = this.#takingsOf(reference);
    if (told.length === 0) return undefined;
    this.#gatherLater(reference, told);
    const booking = play(told, this.#sums.clearings).get(reference);
    if (booking) booking.durable = this.#log.durable(lastPositionOf(reference, told));
    return booking;
  }

  /** The preauth of a capture. */
  preauthOf(booking: Booking | undefined): Booking | undefined {
    return booking?.kind === 'capture' && booking.original !== undefined ? this.find(booking.original) : undefined;
  }

  /** For a reference that was reversed before it arrived: resolves when that is on disk. Otherwise undefined. */
  barred(reference: string): Promise<void> | undefined {
    for (const position of this.#index.later.find(referenceKey(reference))) {
      const line = this.#lineAt(position);
      if (line.event === 'barred' && line.reference === reference) return this.#log.durable(position);
    }
    return undefined;
  }

  take(subject: Subject, verdict: Verdict, arrivedAt: number): Booking {
    const { kind, reference, original, amount, card, to, eci } = subject;
    const rrn = rrnOf(this.#sums.taken);
    const approvalCode = approvalCodeOf(this.#sums.taken);
    const durable = onDisk;
    const booking: Booking = {
      kind,
      reference,
      original,
      amount,
      card,
      to,
      eci,
      verdict,
      arrivedAt,
      rrn,
      approvalCode,
      durable,
    };
    booking.durable = this.#append(takenLineOf(booking));
    return booking;
  }

  reverse(booking: Booking, at: number): void {
    booking.reversedAt = at;
    booking.durable = this.#append({ event: 'reversed', reference: booking.reference, at });
  }

  /** Makes sure that an instruction with this reference is never accepted; resolves when that is on disk. */
  bar(reference: string, at: number): Promise<void> {
    return this.#append({ event: 'barred', reference, at });
  }

  /** Resolves when the clearing is on disk. */
  async clear(run: ClearingRun): Promise<Clearing> {
    const durable = this.#append({ event: 'cleared', ...run });
    const clearing = this.#sums.clearings.at(-1)!;
    await durable;
    return clearing;
  }

  /** The moment since which nothing was cleared: the last clearing, else the oldest booking; undefined when empty. */
  get unclearedSince(): number | undefined {
    return this.#sums.clearings.at(-1)?.at ?? this.#sums.firstArrivedAt;
  }

  /** Every booking so far, oldest first, without the first `from`, once all of them are on disk. */
  async *bookings(from = 0): AsyncGenerator<Booking> {
    const { milestones } = this.#sums;
    const milestone = Math.min(Math.floor(from / MILESTONE_EVERY), milestones.length - 1);
    if (milestone < 0) return;
    let serial = milestone * MILESTONE_EVERY;
    for await (const lines of this.#log.lines(milestones[milestone]!, this.#log.end)) {
      for (const taking of takingsIn(lines)) if (serial++ >= from) yield this.#bookingOf(taking);
    }
  }

  /** The clearings of a business day so far, once all of them are on disk. */
  async clearingsOf(date: string): Promise<readonly Clearing[]> {
    const clearings = this.#sums.clearings.filter((clearing) => clearing.date === date);
    await this.#log.synced();
    return clearings;
  }

  /** What a clearing cleared: first what was taken back after its own clearing, then the movements as they arrived. */
  async *clearedBy(clearing: Clearing): AsyncGenerator<ClearedBooking> {
    const { clearings } = this.#sums;
    const before = clearings[clearings.indexOf(clearing) - 1]?.position ?? -1;
    const revived = new Map<number, Booking>();
    for await (const lines of this.#log.lines(clearing.from, clearing.position)) {
      for (const { position, reference } of reversalsIn(lines)) {
        const booking = this.find(reference);
        if (booking?.clearing && position > before) yield { booking, isReversal: true };
        if (booking?.kind === 'void') this.#revive(booking, clearing, revived);
      }
    }
    const positions = [...revived.keys()].sort((a, b) => a - b);
    for (const position of positions) yield { booking: revived.get(position)!, isReversal: false };
    for await (const lines of this.#log.lines(clearing.from, clearing.position)) {
      for (const taking of takingsIn(lines)) {
        const booking = movesMoney(taking.line) ? this.#bookingOf(taking) : undefined;
        if (booking?.clearing === clearing) yield { booking, isReversal: false };
      }
    }
  }

  async close(): Promise<void> {
    await this.#log.close();
    await this.#index.close();
  }

  #append(line: BookLine): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    const position = this.#log.end;
    if (position > MAX_POSITION) return Promise.reject(new Error('The books are full'));
    const durable = this.#log.append(JSON.stringify(line));
    this.#note(line, position);
    if (this.#index.isDue) this.#save();
    const { room } = this.#index;
    return room ? durable.then(() => room) : durable;
  }

  #save(): void {
    this.#index.save(this.#log.end, this.#sums, this.#log.synced()).catch((cause) => {
      // As after a failed write of the log itself: only a fresh start can tell what is on disk.
      this.#failure ??= new Error('The index of the books could not be written', { cause });
    });
  }

  #replay(text: string, position: number, watch: ProgressWatch | undefined): Promise<void> | undefined {
    this.#note(readBookLine(text), position);
    if (!this.#index.isDue) return undefined;
    const end = position + Buffer.byteLength(text) + 1;
    watch?.show({ doing: "Reading the bank's books", done: Math.round(end / MEGABYTE), unit: 'MB' });
    return this.#index.save(end, this.#sums, onDisk);
  }

  /** Takes a line into index and sums. Throws, without any change, when it cannot follow what was written before. */
  #note(line: BookLine, position: number): void {
    if (line.event === 'taken') this.#noteTaking(line, position);
    else if (line.event === 'cleared') this.#noteClearing(line, position);
    else {
      if (line.event === 'reversed') this.#noteReversal(line.reference);
      this.#index.later.add(referenceKey(line.reference), position);
    }
  }

  #noteTaking(line: TakenLine, position: number): void {
    const used = usedBy(line);
    if (used !== undefined) {
      if (this.#takingsOf(used).length === 0) throw new Error('A follow-up of nothing');
      this.#index.later.add(referenceKey(used), position);
    }
    this.#index.taken.add(referenceKey(line.reference), position);
    const sums = this.#sums;
    if (sums.taken % MILESTONE_EVERY === 0) sums.milestones.push(position);
    sums.taken += 1;
    sums.firstArrivedAt ??= line.arrivedAt;
    if (movesMoney(line)) this.#mayBeCleared(line);
  }

  #noteReversal(reference: string): void {
    const [taking] = this.#takingsOf(reference);
    if (!taking) throw new Error('A reversal of nothing');
    const { kind, original } = taking.line;
    // What was voided may be cleared again.
    if (kind === 'void' && original !== undefined) this.#mayBeCleared(this.#takingsOf(original)[0]!.line);
  }

  #mayBeCleared({ verdict, arrivedAt }: TakenLine): void {
    const sums = this.#sums;
    if (verdict.word === 'hold') sums.lastDoubtAt = Math.max(sums.lastDoubtAt, arrivedAt);
    else sums.lastArrivedAt = Math.max(sums.lastArrivedAt, arrivedAt);
  }

  #noteClearing({ date, at, upTo, holdMs }: ClearingRun, position: number): void {
    const sums = this.#sums;
    sums.clearings.push({ date, at, upTo, holdMs, position, from: sums.unclearedFrom });
    // Whatever is not due yet is left to a later clearing, which then has to look at these lines again.
    if (sums.lastArrivedAt > upTo || sums.lastDoubtAt + holdMs > upTo) return;
    sums.unclearedFrom = position;
    sums.lastArrivedAt = 0;
    sums.lastDoubtAt = 0;
  }

  #lineAt(position: number): BookLine {
    return readBookLine(this.#log.read(position));
  }

  /** Where the reference was taken: once, unless the bank made a mistake. */
  #takingsOf(reference: string): Taking[] {
    const takings: Taking[] = [];
    for (const position of this.#index.taken.find(referenceKey(reference))) {
      const line = this.#lineAt(position);
      if (line.event === 'taken' && line.reference === reference) takings.push({ position, line });
    }
    return takings;
  }

  /** Adds the lines that change what became of a reference, and those that change what became of them. */
  #gatherLater(reference: string, told: Told[]): void {
    for (const position of this.#index.later.find(referenceKey(reference))) {
      const line = this.#lineAt(position);
      if (line.event === 'reversed' && line.reference === reference) told.push({ position, line });
      if (line.event !== 'taken' || usedBy(line) !== reference) continue;
      told.push({ position, line });
      this.#gatherLater(line.reference, told);
    }
  }

  /** The booking as it stands now. Most have no later line, and only clearings change those. */
  #bookingOf({ position, line }: Taking): Booking {
    if (this.#index.later.find(referenceKey(line.reference)).length > 0) return this.find(line.reference)!;
    const booking = bookingOf(line);
    const clearing = clearingOf(booking, position, this.#sums.clearings);
    if (clearing) booking.clearing = clearing;
    return booking;
  }

  /** Adds what a void had kept from being cleared, when the clearing cleared it and it is older than its lines. */
  #revive({ original = '' }: Booking, clearing: Clearing, revived: Map<number, Booking>): void {
    const [taking] = this.#takingsOf(original);
    if (!taking || taking.position >= clearing.from) return;
    const booking = this.find(original);
    if (booking?.clearing === clearing) revived.set(taking.position, booking);
  }
}

type Taking = { readonly position: number; readonly line: TakenLine };

function* takingsIn(lines: readonly Located[]): Generator<Taking> {
  for (const { position, line } of lines) {
    if (isOf(line, 'taken')) yield { position, line: readBookLine(line) as TakenLine };
  }
}

function* reversalsIn(lines: readonly Located[]): Generator<{ readonly position: number; readonly reference: string }> {
  for (const { position, line } of lines) {
    if (isOf(line, 'reversed')) yield { position, reference: (readBookLine(line) as Reversal).reference };
  }
}

type Reversal = Extract<BookLine, { event: 'reversed' | 'barred' }>;

/** Every line begins with its event: this spares reading the rest. */
function isOf(text: string, event: BookLine['event']): boolean {
  return text.startsWith(`{"event":"${event}"`);
}

function lastPositionOf(reference: string, told: readonly Told[]): number {
  return told.reduce((last, { position, line }) => (line.reference === reference ? Math.max(last, position) : last), 0);
}
