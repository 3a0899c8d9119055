// The whole reconciliation: reads our instructions page after page and holds them against a bank's lines, as the
// command line and the console both do. Which lines, and where they come from, the caller knows.

import {
  type BankJournalLine,
  type ClearedLine,
  type Difference,
  JournalComparison,
  SettlementComparison,
} from '../../domain/money/reconciliation.ts';
import type { ProgressWatch } from '../../domain/progress-text.ts';
import type { Answered } from '../verb/answers.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import type { readInstructions } from './reconcile.ts';

export type Reconciled = {
  readonly agree: boolean;
  readonly compared: {
    readonly here: number;
    readonly bank: number;
    /** Ours that have no line there and need none: not sent, never arrived, not cleared, or of another time. */
    readonly withoutLine: number;
  };
  readonly differences: readonly Difference[];
};

type InstructionPage = Answered<(typeof readInstructions)['answer']>;

export type ReconcileParts = {
  /** A page of our instructions. */
  readonly read: (from: string | undefined) => Promise<InstructionPage>;
  readonly watch: ProgressWatch;
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** Our clock and the bank's are not the same. */
const SKEW_MS = 60_000;
/** How often a gateway at work is looked at: a payment under way is on one side before it is on the other. */
const LOOKS = 3;
const PAUSE_MS = 1_500;

/** A comparison holds all lines of the bank in memory; so many may stand beside payments in a gateway. */
const MOST_LINES = 500_000;

/** The same lines, as long as there are not too many for a gateway at work. */
export async function* notTooMany<T>(lines: AsyncIterable<T>, most = MOST_LINES): AsyncGenerator<T> {
  let count = 0;
  for await (const line of lines) {
    count += 1;
    if (count > most) {
      const many = `the bank has more than ${most.toLocaleString('en')} lines, too many to hold beside payments`;
      throw new InvalidInput(`${many}; "tender reconcile" compares them in a process of its own`);
    }
    yield line;
  }
}

export async function compareWithBooks(
  parts: ReconcileParts,
  books: AsyncIterable<BankJournalLine>,
): Promise<Reconciled> {
  const lines: BankJournalLine[] = [];
  for await (const line of books) {
    lines.push(line);
    parts.watch.show({ doing: "Reading the bank's books", done: lines.length, unit: 'lines' });
  }
  return compared(parts, new JournalComparison(lines), lines.length);
}

/** `since` is the cut-off before the first line; a day before it when left out. */
export async function compareWithCleared(
  parts: ReconcileParts,
  lines: readonly ClearedLine[],
  since?: number,
): Promise<Reconciled> {
  const moments = lines.map(({ clearedAt }) => clearedAt);
  const first = moments.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const last = moments.reduce((most, one) => Math.max(most, one), 0);
  const from = since ?? first - DAY_MS;
  const period = lines.length === 0 ? undefined : { since: from + SKEW_MS, until: last - SKEW_MS };
  return compared(parts, new SettlementComparison(lines, period), lines.length);
}

/** Looks again while they differ: what only one of the looks found was under way. */
export async function lookAgain(
  look: () => Promise<Reconciled>,
  sleep: (ms: number) => Promise<void>,
): Promise<Reconciled> {
  let reconciled = await look();
  for (let looks = 1; looks < LOOKS && !reconciled.agree; looks++) {
    await sleep(PAUSE_MS);
    reconciled = inBoth(reconciled, await look());
  }
  return reconciled;
}

function inBoth(before: Reconciled, after: Reconciled): Reconciled {
  const key = ({ reference, cause }: Difference) => `${reference} ${cause}`;
  const known = new Set(before.differences.map(key));
  const differences = after.differences.filter((one) => known.has(key(one)));
  return { ...after, agree: differences.length === 0, differences };
}

async function compared(
  { read, watch }: ReconcileParts,
  comparison: JournalComparison | SettlementComparison,
  bank: number,
): Promise<Reconciled> {
  const differences: Difference[] = [];
  let here = 0;
  let withoutLine = 0;
  for (let from: string | null | undefined; from !== null; ) {
    const part: InstructionPage = await read(from);
    for (const { minor, booked, returnedAt, ...one } of part.instructions) {
      const isThere = comparison.has(one.reference);
      const figures = { minor: BigInt(minor), booked: BigInt(booked), returnedAt: returnedAt ?? undefined };
      const found = comparison.compare({ ...one, ...figures });
      differences.push(...found);
      if (isThere || found.length > 0) here++;
      else withoutLine++;
    }
    // How many there are here nobody knows before: most of them have a line there.
    watch.show({ doing: 'Comparing', done: here, total: bank, unit: 'instructions' });
    from = part.next;
  }
  differences.push(...comparison.rest());
  return { agree: differences.length === 0, compared: { here, bank, withoutLine }, differences };
}
