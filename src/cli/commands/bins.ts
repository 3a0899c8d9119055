// `tender bins import`: a table of issuers from a CSV file, on a running gateway or a stopped one. The whole file is
// read and checked first; then its rows are sent in parts, and used when the last one is there.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { MAX_BIN_ROWS } from '../../administration/cards/bins.ts';
import { counted } from '../../administration/verb/table.ts';
import { BinFileReader, UnreadableLine } from '../../domain/card/bin-file.ts';
import type { BinRow } from '../../domain/card/bin-table.ts';
import { administrationCommand, type CommonValues, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { Complaint, nearPath } from '../complaint.ts';
import { withProgress } from '../progress-line.ts';
import { rowParts } from '../row-parts.ts';
import { say } from '../terminal.ts';
import { addNoun } from '../verb-command.ts';

/** More faults than anybody mends at once are not told. */
const MOST_FAULTS = 20;

export function addBinsCommands(program: Command): void {
  const noun = addNoun(program, 'bins');
  const command = administrationCommand(noun, 'import', 'replace the table of issuers with a CSV file')
    .argument('<file>', 'columns bin (4 to 8 digits), bank and country (two or three letters), in any order')
    .action(async (file: string, { json, ...values }: CommonValues) => {
      const rows = await readRows(file);
      const answer = await asAdministrator(values, (administrator) => send(administrator, rows));
      say(json ? JSON.stringify(answer, null, 2) : `${counted(answer.rows, 'row')} in use.`);
    });
  withExample(command, 'tender bins import issuers.csv');
}

async function readRows(file: string): Promise<BinRow[]> {
  const rows: BinRow[] = [];
  const faults: string[] = [];
  const reader = new BinFileReader();
  await withProgress(async (progress) => {
    for await (const text of linesOf(file)) {
      const row = reader.read(text);
      if (row instanceof UnreadableLine) faults.push(`line ${reader.line}: ${row.says}`);
      else if (row) rows.push(row);
      if (faults.length >= MOST_FAULTS) break;
      progress.show({ doing: 'Reading', done: rows.length, unit: 'rows' });
    }
  });
  if (faults.length > 0) throw new Complaint(`${nearPath(file)} is not imported; ${faults.join('; ')}`);
  if (rows.length === 0) throw new Complaint(`${nearPath(file)} is not imported; it has no rows`);
  return rows;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const stream = createReadStream(file, 'utf8');
  const opened = new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', (error) => reject(Object.assign(error, { path: file })));
  });
  await opened;
  yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
}

async function send({ ask }: Administrator, rows: readonly BinRow[]): Promise<{ table: number; rows: number }> {
  return withProgress(async (progress) => {
    const { table } = await ask('beginBins', {});
    let sent = 0;
    const asSent = rows.map(({ bin, bank = null, country = null }) => [bin, bank, country] as const);
    for (const part of rowParts(asSent, MAX_BIN_ROWS)) {
      await ask('addBins', { table, rows: part });
      sent += part.length;
      progress.show({ doing: 'Importing', done: sent, total: rows.length, unit: 'rows' });
    }
    return ask('useBins', { table });
  });
}
