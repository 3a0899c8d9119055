// `tender merchant import`: merchants with endpoints from a CSV file, all or none. Keys go into a file of their own,
// made before anything is changed, which only its owner can read.

import { open, unlink } from 'node:fs/promises';
import type { Command } from 'commander';
import { EXAMPLE, importColumns, type NumberedRow } from '../../administration/merchant-import/import-columns.ts';
import { MOST_ROWS_OF_PART } from '../../administration/merchant-import/merchant-import.ts';
import { counted } from '../../administration/verb/table.ts';
import { readCsv, UnreadableCsv } from '../../domain/csv.ts';
import { administrationCommand, type CommonValues, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { Complaint, nearPath } from '../complaint.ts';
import { readGivenText } from '../given-file.ts';
import { withProgress } from '../progress-line.ts';
import { rowParts } from '../row-parts.ts';
import { say } from '../terminal.ts';
import { addNoun } from '../verb-command.ts';

const MOST_FAULTS = 50;

type Values = CommonValues & {
  readonly dryRun?: boolean;
  readonly keys?: string;
  readonly showKeys?: boolean;
  readonly template?: boolean;
};

export function addMerchantCommands(program: Command): void {
  const command = administrationCommand(
    addNoun(program, 'merchant'),
    'import',
    'add all merchants and endpoints of a CSV file, or none',
  )
    .argument('[file]', 'a row for each endpoint; rows with the same login are one merchant')
    .option('--dry-run', 'only tell what would be made')
    .option('--keys <file>', 'write the new control keys into this file, which must not exist')
    .option('--show-keys', 'print the new control keys instead')
    .option('--template', 'print the columns with an example, and do nothing else')
    .action((file: string | undefined, values: Values) => {
      if (values.template) return say(templateText());
      if (file === undefined) throw new Complaint('a file is needed; --template prints its columns');
      return importFile(file, values);
    });
  withExample(
    command,
    'tender merchant import shops.csv --dry-run\n  tender merchant import shops.csv --keys keys.csv',
  );
}

function templateText(): string {
  const example: Readonly<Record<string, string>> = EXAMPLE;
  return [importColumns.join(','), importColumns.map((column) => example[column] ?? '').join(',')].join('\n');
}

async function importFile(file: string, values: Values): Promise<void> {
  const { dryRun = false, keys, showKeys, json } = values;
  if (!dryRun && keys === undefined && !showKeys) {
    throw new Complaint('say where the new control keys go: --keys <file>, or --show-keys to print them');
  }
  const rows = await readRows(file);
  const kept = dryRun || keys === undefined ? undefined : await open(keys, 'wx', 0o600);
  try {
    const answer = await asAdministrator(values, (administrator) => send(administrator, rows, dryRun));
    const { logins, keys: made, ...counts } = answer;
    const lines = ['login,key_id,control_key', ...made.map((one) => `${one.login},${one.keyId},${one.controlKey}`)];
    await kept?.writeFile(`${lines.join('\n')}\n`);
    await kept?.sync();
    if (json) return say(JSON.stringify(showKeys ? answer : { ...counts, logins }, null, 2));
    const what = `${counted(counts.merchants, 'merchant')} and ${counted(counts.endpoints, 'endpoint')}`;
    say(dryRun ? `${what} would be added.` : `Added ${what}.`);
    if (showKeys) say(lines.join('\n'));
    if (kept && keys !== undefined) say(`Their control keys are in ${nearPath(keys)} and nowhere else in clear.`);
  } catch (error) {
    if (keys !== undefined && kept) await unlink(keys).catch(() => {});
    throw error;
  } finally {
    await kept?.close();
  }
}

async function readRows(file: string): Promise<NumberedRow[]> {
  const read = readCsv(await readGivenText(file));
  const refuse = (...faults: readonly string[]) =>
    new Complaint(`${nearPath(file)} is not imported; ${faults.slice(0, MOST_FAULTS).join('; ')}`);
  if (read instanceof UnreadableCsv) throw refuse(`line ${read.line}: ${read.says}`);
  const [head, ...rows] = read;
  if (!head || rows.length === 0) throw refuse('it has no rows below the line of its columns');
  const columns = head.cells.map((one) => one.trim().toLowerCase());
  const unknown = columns.filter((one) => !importColumns.includes(one));
  const twice = columns.filter((one, at) => columns.indexOf(one) !== at);
  if (unknown.length > 0) throw refuse(...unknown.map((one) => `there is no column "${one}"; --template prints all`));
  if (twice.length > 0) throw refuse(...twice.map((one) => `column ${one} is there twice`));
  const long = rows.filter(({ cells }) => cells.length !== columns.length);
  if (long.length > 0) {
    throw refuse(...long.map(({ line, cells }) => `line ${line}: ${cells.length} cells, not ${columns.length}`));
  }
  return rows.map(({ line, cells }) => {
    const filled = columns.map((column, at) => [column, cells[at] ?? ''] as const).filter(([, cell]) => cell !== '');
    return { line, row: Object.fromEntries(filled) };
  });
}

function send({ ask }: Administrator, rows: readonly NumberedRow[], dryRun: boolean) {
  return withProgress(async (progress) => {
    const { import: id } = await ask('beginMerchantImport', {});
    const total = rows.length;
    let done = 0;
    for (const part of rowParts(rows, MOST_ROWS_OF_PART)) {
      await ask('addMerchantRows', { import: id, rows: part });
      done += part.length;
      progress.show({ doing: 'Sending', done, total, unit: 'rows' });
    }
    progress.show({ doing: dryRun ? 'Looking at all rows' : 'Importing all rows' });
    return ask('importMerchants', { import: id, dryRun });
  });
}
