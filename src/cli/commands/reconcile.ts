// `tender reconcile`: our transactions against the bank's books, or against its settlement files. Exit code 0 when they
// agree, 1 when they do not, 2 when they could not be compared.

import type { Command } from 'commander';
import type { BookEntry } from '../../acquirers/index.ts';
import {
  compareWithBooks,
  compareWithCleared,
  lookAgain,
  type Reconciled,
} from '../../administration/books/whole-reconciliation.ts';
import { counted, textTable } from '../../administration/verb/table.ts';
import { DEMO_TERMINAL } from '../../domain/acquirer/terminal.ts';
import { systemClock } from '../../domain/clock.ts';
import type { BankJournalLine, ClearedLine } from '../../domain/money/reconciliation.ts';
import { readSettlementLines, UnreadableSettlement } from '../../domain/money/settlement-file.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { Complaint, nearPath } from '../complaint.ts';
import { readGivenText } from '../given-file.ts';
import { bankAddressOf, listOf, momentOf } from '../option-values.ts';
import { withProgress } from '../progress-line.ts';
import { say } from '../terminal.ts';
import { booksAt, booksOf } from './bank-books.ts';

type ReconcileValues = CommonValues & {
  readonly file?: readonly string[];
  readonly since?: string | undefined;
  readonly terminal?: string | undefined;
  readonly url?: string | undefined;
};

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
    const read = (from: string | undefined) => administrator.ask('readInstructions', given({ from, terminal }));
    const look = () =>
      withProgress((watch) =>
        cleared
          ? compareWithCleared({ read, watch }, cleared, since === undefined ? undefined : Date.parse(since))
          : compareWithBooks({ read, watch }, booksFrom(administrator, values, url)),
      );
    // Nobody else can have the embedded database of a gateway that does not run, so nothing changes any more.
    const isStill = administrator.rotation !== undefined && values.databaseUrl === undefined;
    return isStill ? look() : lookAgain(look, systemClock.sleep);
  });
}

async function* booksFrom(
  administrator: Administrator,
  values: CommonValues,
  url: string | undefined,
): AsyncGenerator<BankJournalLine> {
  const entries = url === undefined ? await entriesOf(administrator, values) : booksAt(url);
  for await (const entry of entries) yield lineOf(entry);
}

async function entriesOf(administrator: Administrator, values: CommonValues): Promise<AsyncGenerator<BookEntry>> {
  if (!administrator.rotation) return booksOf(administrator);
  // Here when no gateway runs: then the books are in its folder.
  const { openJournal } = await import('../../compose/index.ts');
  return openJournal(values.data);
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
