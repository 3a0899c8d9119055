// The books of the simulated bank on disk: the same as plain books in memory, whatever becomes of their index and of
// the process, with a bounded part of them in memory.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Booking, Clearing, Subject } from '../../src/acquirers/simulator/booking.ts';
import { Books, type BooksPlace } from '../../src/acquirers/simulator/books/books.ts';
import { referenceKey } from '../../src/acquirers/simulator/books/reference-key.ts';
import { APPROVE, decline, HOLD } from '../../src/acquirers/simulator/rules.ts';
import { all } from './acquirer-banks.ts';
import { buildProgram } from './built-program.ts';
import { PlainBooks } from './plain-books.ts';

const HOLD_MS = 3_000;
const START = 1_750_000_000_000;

let folder: string;
let opened: Books[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-books-'));
  opened = [];
});
afterEach(async () => {
  for (const books of opened) await books.close().catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

async function inFolder(place: Partial<BooksPlace> = {}): Promise<Books> {
  const books = await Books.inFolder({ folder, ...place });
  opened.push(books);
  return books;
}

const path = () => join(folder, 'bank-books.jsonl');
const indexPath = (file = '') => join(folder, 'index', file);

function subjectOf(kind: Booking['kind'], reference: string, original?: string): Subject {
  return { kind, reference, original, amount: { minor: 1042n, currency: 'USD' }, card: undefined, to: undefined };
}

const saleOf = (reference: string) => subjectOf('sale', reference);

async function takeSales(books: Books, count: number, from = 0): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    await books.take(saleOf(`${index}-1`), APPROVE, START + index).durable;
  }
}

/** What can be told of a booking, without promises and positions. */
function told({ durable: _, clearing, standing, ...booking }: Booking, cleared = clearing) {
  const { doubtfulCaptures = [], ...sums } = standing ?? {};
  return {
    ...JSON.parse(JSON.stringify(booking, (_name, value) => (typeof value === 'bigint' ? `${value}` : value))),
    cleared: cleared && `${cleared.date} ${cleared.at}`,
    doubtful: doubtfulCaptures.map(({ reference }) => reference),
    ...sums,
  };
}

/** Everything that the books say when they are asked for each thing at a time and for all things at once. */
async function toldBy(books: Books, references: readonly string[], dates: readonly string[]) {
  const lines: string[][] = [];
  for (const date of dates) {
    for (const clearing of await books.clearingsOf(date)) {
      const cleared = await all(books.clearedBy(clearing));
      lines.push(cleared.map(({ booking, isReversal }) => `${isReversal ? 'reversal ' : ''}${booking.reference}`));
    }
  }
  // Of a booking with later lines all is known; of others only what a list shows.
  const listed = (await all(books.bookings())).map(({ reference, clearing }) => `${reference} ${clearing?.at}`);
  const found = references.map((reference) => books.find(reference)).map((booking) => booking && told(booking));
  return { found, listed, lines, barred: references.filter((reference) => books.barred(reference)) };
}

function toldByPlain(plain: PlainBooks, references: readonly string[], dates: readonly string[]) {
  const clearingOf = ({ reference }: Booking) => plain.clearedBy.get(reference) as Booking['clearing'];
  const found = references.map((reference) => plain.find(reference));
  return {
    found: found.map((booking) => booking && told(booking, clearingOf(booking))),
    listed: plain.bookings.map((booking) => `${booking.reference} ${clearingOf(booking)?.at}`),
    lines: dates.flatMap((date) => plain.clearings.filter((one) => one.date === date).map(({ lines }) => lines)),
    barred: references.filter((reference) => plain.barred.has(reference)),
  };
}

type Step =
  | { readonly do: 'take'; readonly kind: Booking['kind']; readonly verdict: number; readonly of: number }
  | { readonly do: 'reverse' | 'bar'; readonly of: number }
  | { readonly do: 'clear' | 'wait'; readonly ms: number }
  | { readonly do: 'reopen' };

const of = fc.nat(1_000);
const kind = fc.constantFrom<Booking['kind']>('sale', 'sale', 'preauth', 'capture', 'void', 'refund', 'cancel', 'push');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('take' as const), kind, verdict: fc.nat(5), of }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reverse' as const), of }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('bar' as const), of }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('clear' as const), ms: fc.integer({ min: -4_000, max: 0 }) }) },
  // A clock may also be set back.
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: -5_000, max: 9_000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
);

const MAY_FOLLOW: Partial<Record<Booking['kind'], readonly Booking['kind'][]>> = {
  capture: ['preauth'],
  cancel: ['preauth'],
  void: ['sale', 'capture'],
  refund: ['sale', 'capture', 'preauth'],
};

/** Takes the same steps with both books. */
class Pair {
  readonly plain = new PlainBooks();
  readonly references: string[] = [];
  #books: Books;
  #now = START;
  readonly #savesAt: number;

  private constructor(books: Books, savesAt: number) {
    this.#books = books;
    this.#savesAt = savesAt;
  }

  static async open(savesAt: number): Promise<Pair> {
    return new Pair(await inFolder({ savesAt }), savesAt);
  }

  async take(one: Step): Promise<void> {
    if (one.do === 'take') await this.#takeInstruction(one);
    else if (one.do === 'reverse') await this.#reverse(one.of);
    else if (one.do === 'bar') await this.#bar(one.of);
    else if (one.do === 'wait') this.#now += one.ms;
    else if (one.do === 'clear') await this.#clear(one.ms);
    else await this.reopen();
  }

  async reopen(): Promise<void> {
    await this.#books.close();
    this.#books = await inFolder({ savesAt: this.#savesAt });
  }

  async compare(): Promise<void> {
    const dates = [...new Set(this.plain.clearings.map(({ date }) => date))];
    const ours = await toldBy(this.#books, this.references, dates);
    expect(ours).toEqual(toldByPlain(this.plain, this.references, dates));
  }

  async #takeInstruction({ kind, verdict: chosen, of }: Extract<Step, { do: 'take' }>): Promise<void> {
    const fitting = this.plain.bookings.filter(
      ({ kind: followed, verdict }) => MAY_FOLLOW[kind]?.includes(followed) && verdict.word !== 'decline',
    );
    const original = fitting[of % Math.max(1, fitting.length)]?.reference;
    if (MAY_FOLLOW[kind] && original === undefined) return;
    const verdict = [decline('100'), HOLD, HOLD][chosen] ?? APPROVE;
    const subject = subjectOf(kind, `${this.references.length}-1`, original);
    this.references.push(subject.reference);
    this.plain.take(subject, verdict, this.#now);
    await this.#books.take(subject, verdict, this.#now).durable;
  }

  async #reverse(of: number): Promise<void> {
    const standing = this.plain.bookings.filter(
      ({ verdict, reversedAt }) => verdict.word !== 'decline' && reversedAt === undefined,
    );
    const reference = standing[of % Math.max(1, standing.length)]?.reference;
    if (reference === undefined) return;
    this.plain.reverse(reference, this.#now);
    const booking = this.#books.find(reference) as Booking;
    this.#books.reverse(booking, this.#now);
    await booking.durable;
  }

  async #bar(of: number): Promise<void> {
    const reference = `barred-${of}`;
    if (this.plain.barred.has(reference)) return;
    this.references.push(reference);
    this.plain.barred.add(reference);
    await this.#books.bar(reference, this.#now);
  }

  async #clear(ms: number): Promise<void> {
    const date = `2031-12-${10 + (this.plain.clearings.length % 3)}`;
    const run = { date, at: START + this.plain.clearings.length, upTo: this.#now + ms, holdMs: HOLD_MS };
    this.plain.clear(run);
    await this.#books.clear(run);
  }
}

describe('books on disk', () => {
  it('say what plain books say, after whatever happened to them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(step, { maxLength: 60, size: 'max' }),
        async (savesAt, steps) => {
          await rm(folder, { recursive: true, force: true });
          folder = await mkdtemp(join(tmpdir(), 'tender-books-'));
          const pair = await Pair.open(savesAt);
          for (const one of steps) await pair.take(one);
          await pair.compare();
          await pair.reopen();
          await pair.compare();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('find what is not on disk yet, and say when it is', async () => {
    const books = await inFolder();
    const taken = books.take(saleOf('1-1'), APPROVE, START);
    const found = books.find('1-1') as Booking;
    expect(told(found)).toEqual(told(taken));
    expect(readFileSync(path(), 'utf8')).toBe('');
    await found.durable;
    expect(await readFile(path(), 'utf8')).toContain('"reference":"1-1"');
  });

  it('know references apart that stand under the same key', async () => {
    const seen = new Map<number, string>();
    let pair: readonly [string, string] | undefined;
    for (let index = 0; !pair; index += 1) {
      const reference = `${index}-1`;
      const other = seen.get(referenceKey(reference));
      if (other !== undefined) pair = [other, reference];
      seen.set(referenceKey(reference), reference);
    }
    const books = await inFolder({ savesAt: 1 });
    await books.take(saleOf(pair[0]), APPROVE, START).durable;
    expect(books.find(pair[1])).toBeUndefined();
    await books.bar(pair[1], START);
    expect(books.barred(pair[0])).toBeUndefined();
    expect(books.barred(pair[1])).toBeDefined();
    expect(books.find(pair[0])?.reference).toBe(pair[0]);
  });

  it('clear in the end what was voided no more, also when the clock was set back meanwhile', async () => {
    const books = await inFolder();
    const clearAt = (upTo: number) => books.clear({ date: '2031-12-31', at: START, upTo, holdMs: HOLD_MS });
    await books.take(saleOf('1-1'), APPROVE, START).durable;
    await books.take(subjectOf('void', 'void', '1-1'), APPROVE, START).durable;
    const whileVoided = await clearAt(START + 1);
    books.reverse(books.find('void') as Booking, START);
    const [early, late] = [await clearAt(START - 1), await clearAt(START + 1)];
    const cleared = async (clearing: Clearing) => (await all(books.clearedBy(clearing))).length;
    expect([await cleared(whileVoided), await cleared(early), await cleared(late)]).toEqual([0, 0, 1]);
  });

  it('begin a list anywhere', async () => {
    const books = await inFolder();
    const durable = Array.from(
      { length: 5_000 },
      (_, index) => books.take(saleOf(`${index}-1`), APPROVE, START).durable,
    );
    await Promise.all(durable);
    for (const from of [0, 1, 4_095, 4_096, 4_097, 4_999, 5_000, 9_999]) {
      const references = (await all(books.bookings(from))).map(({ reference }) => reference);
      expect(references).toEqual(Array.from({ length: Math.max(0, 5_000 - from) }, (_, index) => `${from + index}-1`));
    }
  });
});

describe('the memory of books on disk', () => {
  const SAVES_AT = 64;

  it('holds a bounded part of their index, and few files the rest', async () => {
    const books = await inFolder({ savesAt: SAVES_AT });
    const most = { resident: 0, files: 0 };
    const together = 16;
    for (let index = 0; index < 4_000; index += together) {
      const batch = Array.from({ length: together }, (_, one) =>
        books.take(saleOf(`${index + one}-1`), APPROVE, START),
      );
      most.resident = Math.max(most.resident, books.footprint.resident);
      await Promise.all(batch.map(({ durable }) => durable));
      most.files = Math.max(most.files, books.footprint.files);
    }
    // What is being written and four times as much beside it, at most.
    expect(most.resident).toBeLessThanOrEqual(9 * SAVES_AT + together);
    expect(most.files).toBeGreaterThan(0);
    expect(most.files).toBeLessThanOrEqual(Math.log2(4_000 / SAVES_AT) + 2);
    expect(books.find('0-1')?.reference).toBe('0-1');
    expect(books.find('3999-1')?.reference).toBe('3999-1');
    expect(books.find('4000-1')).toBeUndefined();
  });

  it('is filled from the last checkpoint on, however long the log is', async () => {
    const books = await inFolder({ savesAt: SAVES_AT });
    await takeSales(books, 500);
    await books.close();
    // Nobody who reads the log from its beginning would take this line.
    const log = await open(path(), 'r+');
    await log.write('xxxxxxxxxx', 0);
    await log.close();
    const again = await inFolder({ savesAt: SAVES_AT });
    expect(again.footprint.resident).toBeLessThan(9 * SAVES_AT);
    expect(again.find('499-1')?.reference).toBe('499-1');
    expect(again.take(saleOf('500-1'), APPROVE, START).rrn).not.toBe(again.find('499-1')?.rrn);
  });
});

describe('an index that is lost or does not fit', () => {
  const SAVES_AT = 8;
  const DATE = '2031-12-31';
  const references = [...Array.from({ length: 60 }, (_, index) => `${index}-1`), 'refund', 'void', 'barred'];

  /** Books with some of everything; returns what they say. */
  async function fill() {
    const books = await inFolder({ savesAt: SAVES_AT });
    await takeSales(books, 40);
    await books.take(subjectOf('void', 'void', '3-1'), APPROVE, START).durable;
    await books.clear({ date: DATE, at: START, upTo: START + 1_000, holdMs: HOLD_MS });
    await books.take(subjectOf('refund', 'refund', '7-1'), APPROVE, START).durable;
    await books.bar('barred', START);
    for (const reference of ['void', '9-1']) books.reverse(books.find(reference) as Booking, START + 5);
    await takeSales(books, 20, 40);
    await books.clear({ date: DATE, at: START + 1, upTo: START + 2_000, holdMs: HOLD_MS });
    const said = await toldBy(books, references, [DATE]);
    await books.close();
    expect(said.lines.map(({ length }) => length)).toEqual([39, 23]);
    return said;
  }

  const runs = async () => (await readdir(indexPath())).filter((file) => file.endsWith('.run'));

  it.each<[string, () => Promise<unknown>]>([
    ['that was never made, as books of before have none', () => rm(indexPath(), { recursive: true })],
    ['without a checkpoint', () => rm(indexPath('checkpoint.json'))],
    ['with half a checkpoint', () => truncate(indexPath('checkpoint.json'), 100)],
    [
      'with a checkpoint of another time',
      async () => {
        const text = await readFile(indexPath('checkpoint.json'), 'utf8');
        await writeFile(indexPath('checkpoint.json'), text.replace('"format":1', '"format":0'));
      },
    ],
    ['without one of its files', async () => rm(indexPath((await runs())[0]))],
    ['with a file that is cut off', async () => truncate(indexPath((await runs()).at(-1)), 9)],
    ['with files that a crash left', () => writeFile(indexPath('999.run'), 'half')],
    ['beside a torn line', () => appendFile(path(), '{"event":"taken","refe')],
  ])('%s changes nothing', async (_title, spoil) => {
    const said = await fill();
    await spoil();
    const books = await inFolder({ savesAt: SAVES_AT });
    expect(await toldBy(books, references, [DATE])).toEqual(said);
    expect(await readdir(indexPath())).not.toContain('999.run');
    await books.close();
    expect(await toldBy(await inFolder({ savesAt: SAVES_AT }), references, [DATE])).toEqual(said);
  });

  it('of a longer log than there is gives way to the log', async () => {
    await fill();
    const lines = (await readFile(path(), 'utf8')).split('\n');
    await writeFile(path(), `${lines.slice(0, 10).join('\n')}\n`);
    const books = await inFolder({ savesAt: SAVES_AT });
    expect((await all(books.bookings())).map(({ reference }) => reference)).toEqual(references.slice(0, 10));
    expect(books.find('20-1')).toBeUndefined();
  });

  it('is made again with a word about how far it has come', async () => {
    await fill();
    await rm(indexPath(), { recursive: true });
    const shown: string[] = [];
    await inFolder({ savesAt: SAVES_AT, watch: { show: ({ doing }) => shown.push(doing) } });
    expect(new Set(shown)).toEqual(new Set(["Reading the bank's books"]));
  });

  it('does not hide a bad line before good ones', async () => {
    await fill();
    await rm(indexPath(), { recursive: true });
    const log = await open(path(), 'r+');
    await log.write('xxxxxxxxxx', 0);
    await log.close();
    await expect(inFolder({ savesAt: SAVES_AT })).rejects.toThrow('is damaged at byte 0');
    await expect(inFolder({ savesAt: SAVES_AT })).rejects.toThrow('is damaged at byte 0');
  });
});

describe('a process with books that is killed', () => {
  const ROUNDS = 6;
  const SAVES_AT = 16;

  let program: string;
  let programFolder: string;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    programFolder = await mkdtemp(join(tmpdir(), 'tender-books-program-'));
    program = join(programFolder, 'books.mjs');
    const contents = `
      import { Books } from './src/acquirers/simulator/books/books.ts';
      const [folder, from] = process.argv.slice(2);
      const books = await Books.inFolder({ folder, savesAt: ${SAVES_AT} });
      const amount = { minor: 1042n, currency: 'USD' };
      const work = async (worker) => {
        for (let index = 0; ; index += 1) {
          const reference = [from, worker, index].join('-');
          await books.take({ kind: 'sale', reference, amount }, { word: 'approve' }, Date.now()).durable;
          if (index % 3 === 0) books.reverse(books.find(reference), Date.now());
          process.stdout.write(reference + '\\n');
        }
      };
      await Promise.all([1, 2, 3, 4].map(work));`;
    await buildProgram(contents, program);
  });
  afterAll(() => rm(programFolder, { recursive: true, force: true }));
  afterEach(() => child?.kill('SIGKILL'));

  it('has in them what it said it had, and an index that is as good as a new one', async () => {
    const said: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      child = spawn(process.execPath, [program, folder, `${round}`], { stdio: ['ignore', 'pipe', 'inherit'] });
      const exit = once(child, 'exit');
      const before = said.length;
      for await (const line of createInterface({ input: child.stdout! })) {
        said.push(line);
        // At another moment of saving each time.
        if (said.length - before === 60 + 7 * round) child.kill('SIGKILL');
      }
      await exit;
    }
    const books = await inFolder({ savesAt: SAVES_AT });
    expect(await readdir(indexPath())).toContain('checkpoint.json');
    const references = (await all(books.bookings())).map(({ reference }) => reference);
    expect(new Set(references).size).toBe(references.length);
    const kept = new Set(references);
    expect(said.filter((reference) => !kept.has(reference))).toEqual([]);
    const ours = await toldBy(books, references, []);
    await books.close();
    await rm(indexPath(), { recursive: true });
    expect(await toldBy(await inFolder(), references, [])).toEqual(ours);
  });
});
