// `tender reconcile`: our transactions against the bank's books, or against its settlement files. Exit code 0 when they
// agree, 1 when they do not, 2 when they could not be compared.

import type { Command } from 'commander';
import type { BookEntry } from '../../acquirers/index.ts';
import { counted, textTable } from '../../administration/verb/table.ts';
import { DEMO_TERMINAL } from '../../domain/acquirer/terminal.ts';
import {
  type BankJournalLine,
  type ClearedLine,
  type Difference,
  JournalComparison,
  SettlementComparison,
} from '../../domain/money/reconciliation.ts';
import { readSettlementLines, UnreadableSettlement } from '../../domain/money/settlement-file.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { Complaint, nearPath } from '../complaint.ts';
import { readGivenText } from '../given-file.ts';
import { bankAddressOf, listOf, momentOf } from '../option-values.ts';
import { type ProgressLine, withProgress } from '../progress-line.ts';
import { say } from '../terminal.ts';
import { booksAt, booksOf } from './bank-books.ts';

type ReconcileValues = CommonValues & {
  readonly file?: readonly string[];
  readonly since?: string | undefined;
  readonly terminal?: string | undefined;
  readonly url?: string | undefined;
};

type Watched = { readonly progress: ProgressLine };

type Reconciled = {
  readonly agree: boolean;
  readonly compared: {
    readonly here: number;
    readonly bank: number;
    /** Ours that have no line there and need none: not sent, never arrived, not cleared, or of another time. */
    readonly withoutLine: number;
  };
  readonly differences: readonly Difference[];
};

/** How often a gateway at work is looked at again: a payment under way is on one side before it is on the other. */
const LOOKS = 3;
const PAUSE_MS = 1_500;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Our clock and the bank's are not the same. */
const SKEW_MS = 60_000;

export function addReconcile(program: Command): void {
  const command = administrationCommand(
    program,
    'reconcile',
    "compare our transactions with the bank's books, line by line",
  )
    .option('--file <paths>', 'settlement files (CSV) to compare with instead of the whole books', listOf)
    .option(
      '--since <moment>',
      'the cut-off before the first file (default: a day before its first clearing)',
      momentOf,
    )
    .option('--terminal <name>', 'only what went to this terminal (default: demo-bank)')
    .option('--url <url>', 'a bank of its own; without it, the bank of the gateway', bankAddressOf)
    .action(async (values: ReconcileValues) => {
      const reconciled = await reconcile(values);
      say(values.json ? JSON.stringify(reconciled, null, 2) : told(reconciled));
      if (!reconciled.agree) process.exitCode = 1;
    });
  withExample(command, 'tender reconcile --file settlement-2027-01-30.csv,settlement-2027-01-31.csv');
}

async function reconcile({ file, since, terminal, url, ...values }: ReconcileValues): Promise<Reconciled> {
  if (terminal !== undefined && terminal !== DEMO_TERMINAL && file === undefined && url === undefined) {
    throw new Complaint(`the books of terminal ${terminal} are needed: --file with its settlement files, or --url`);
  }
  return asAdministrator(values, async (administrator) => {
    const cleared = file && (await readFiles(file));
    const look = () =>
      withProgress((progress) =>
        cleared
          ? againstFiles(administrator, cleared, { since, terminal, progress })
          : againstBooks(administrator, values, { url, terminal, progress }),
      );
    let reconciled = await look();
    // Nobody else can have the embedded database of a gateway that does not run, so nothing changes any more.
    const isStill = administrator.rotation !== undefined && values.databaseUrl === undefined;
    for (let looks = 1; looks < LOOKS && !reconciled.agree && !isStill; looks++) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      reconciled = inBoth(reconciled, await look());
    }
    return reconciled;
  });
}

/** What both looks found: anything else was under way. */
function inBoth(before: Reconciled, after: Reconciled): Reconciled {
  const key = ({ reference, cause }: Difference) => `${reference} ${cause}`;
  const known = new Set(before.differences.map(key));
  const differences = after.differences.filter((one) => known.has(key(one)));
  return { ...after, agree: differences.length === 0, differences };
}

async function againstBooks(
  administrator: Administrator,
  values: CommonValues,
  { url, terminal, progress }: Pick<ReconcileValues, 'url' | 'terminal'> & Watched,
): Promise<Reconciled> {
  const lines: BankJournalLine[] = [];
  for await (const entry of booksFrom(administrator, values, url)) {
    lines.push(lineOf(entry));
    progress.show({ doing: "Reading the bank's books", done: lines.length, unit: 'lines' });
  }
  return compared(administrator, new JournalComparison(lines), { bank: lines.length, terminal, progress });
}

async function againstFiles(
  administrator: Administrator,
  lines: readonly ClearedLine[],
  { since, terminal, progress }: Pick<ReconcileValues, 'since' | 'terminal'> & Watched,
): Promise<Reconciled> {
  const moments = lines.map(({ clearedAt }) => clearedAt);
  const first = moments.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const last = moments.reduce((most, one) => Math.max(most, one), 0);
  const from = since === undefined ? first - DAY_MS : Date.parse(since);
  const period = lines.length === 0 ? undefined : { since: from + SKEW_MS, until: last - SKEW_MS };
  return compared(administrator, new SettlementComparison(lines, period), { bank: lines.length, terminal, progress });
}

async function compared(
  { ask }: Administrator,
  comparison: JournalComparison | SettlementComparison,
  { bank, terminal, progress }: { readonly bank: number; readonly terminal: string | undefined } & Watched,
): Promise<Reconciled> {
  const differences: Difference[] = [];
  let here = 0;
  let withoutLine = 0;
  for (let from: string | null | undefined; from !== null; ) {
    const part: Awaited<ReturnType<typeof readPage>> = await readPage(ask, from, terminal);
    for (const { minor, booked, ...one } of part.instructions) {
      const isThere = comparison.has(one.reference);
      const found = comparison.compare({ ...one, minor: BigInt(minor), booked: BigInt(booked) });
      differences.push(...found);
      if (isThere || found.length > 0) here++;
      else withoutLine++;
    }
    // How many there are here nobody knows before: most of them have a line there.
    progress.show({ doing: 'Comparing', done: here, total: bank, unit: 'instructions' });
    from = part.next;
  }
  differences.push(...comparison.rest());
  return { agree: differences.length === 0, compared: { here, bank, withoutLine }, differences };
}

function readPage(ask: Administrator['ask'], from: string | undefined, terminal: string | undefined) {
  return ask('readInstructions', given({ from, terminal }));
}

async function* booksFrom(
  administrator: Administrator,
  values: CommonValues,
  url: string | undefined,
): AsyncGenerator<BookEntry> {
  if (url !== undefined) return yield* booksAt(url);
  if (!administrator.rotation) return yield* booksOf(administrator);
  // Here when no gateway runs: then the books are in its folder.
  const { openJournal } = await import('../../compose/index.ts');
  yield* openJournal(values.data);
}

function lineOf({ reference, kind, outcome, amount }: BookEntry): BankJournalLine {
  return { reference, kind, outcome, minor: amount.minor, currency: amount.currency };
}

async function readFiles(paths: readonly string[]): Promise<ClearedLine[]> {
  const lines: ClearedLine[] = [];
  for (const path of paths) {
    const text = await readGivenText(path);
    try {
      for (const line of readSettlementLines(text)) lines.push(line);
    } catch (error) {
      if (error instanceof UnreadableSettlement) throw new Complaint(`${nearPath(path)}: ${error.message}`);
      throw error;
    }
  }
  return lines;
}

function told({ compared: { here, bank, withoutLine }, differences }: Reconciled): string {
  const verdict = differences.length === 0 ? 'they agree.' : `${counted(differences.length, 'difference')}.`;
  const counts = [
    `Compared ${counted(here, 'instruction')} here with ${counted(bank, 'line')} of the bank: ${verdict}`,
  ];
  if (withoutLine > 0) counts.push(`Without a line there, and in need of none: ${withoutLine}.`);
  if (differences.length === 0) return counts.join('\n');
  const rows = differences.map(({ reference, cause, ours, theirs }) => [reference, cause, ours ?? '-', theirs ?? '-']);
  return [...counts, '', textTable(['REFERENCE', 'CAUSE', 'HERE', 'BANK'], rows)].join('\n');
}
