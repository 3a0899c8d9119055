// `tender scan`: looks for card numbers and security codes where none may be. Exit code 0 when nothing was found, 1
// when something was, 2 when it could not be looked.

import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { counted } from '../../administration/verb/table.ts';
import { scanFiles } from '../../scan/scanned-files.ts';
import { type ScanFinding, Scanner } from '../../scan/scanner.ts';
import { MOST_WANTED, type Pattern, patternsFor, readWanted } from '../../scan/wanted.ts';
import type { Database } from '../../storage/database.ts';
import { describedCommand, withExample } from '../administration-command.ts';
import { exists, findRunning } from '../administrator.ts';
import { Complaint, nearPath, waitForFolder } from '../complaint.ts';
import { readGivenText } from '../given-file.ts';
import { type ProgressLine, withProgress } from '../progress-line.ts';
import { removeLeftovers, withDatabase } from '../readable-database.ts';
import { databaseUrlOf, settingOption } from '../setting-options.ts';
import { say } from '../terminal.ts';

export type ScanValues = {
  readonly data: string;
  readonly databaseUrl?: string;
  readonly for?: string;
  readonly wal?: string;
  readonly heap?: true;
  readonly only?: true;
  readonly json?: true;
};

export type Scanned = {
  readonly ok: boolean;
  readonly looked: readonly string[];
  /** What could not be looked at, and why. */
  readonly left: readonly string[];
  readonly bytes: number;
  readonly findings: readonly ScanFinding[];
};

export function addScan(program: Command): void {
  const command = describedCommand(
    program,
    'scan [path...]',
    'look for card numbers and security codes where none may be',
    'Looks for card numbers and security codes in the database, its write-ahead log, the data folder and the given files and folders (exports, logs, heap snapshots), in fifteen encodings and within compressed streams. Numbers are never printed.',
  )
    .option(
      '--for <file>',
      'the numbers and codes to look for, one per line, - for standard input (default: whatever looks like a card number)',
    )
    .option(
      '--wal <folder>',
      "the folder of PostgreSQL's write-ahead log (default: asked of the server, which tells superusers)",
    )
    .option('--heap', 'look through the memory of the running gateway too; it answers nothing for some seconds')
    .option('--only', 'look through the given paths only')
    .addOption(settingOption('data').helpGroup('Which gateway:'))
    .addOption(settingOption('databaseUrl').helpGroup('Which gateway:'))
    .option('--json', 'print the answer as JSON')
    .action(run);
  withExample(command, 'tender scan --for numbers.txt backup.gz /var/log/tender');
}

async function run(paths: readonly string[], values: ScanValues): Promise<void> {
  const scanned = await scanPlaces(paths, values);
  say(values.json ? JSON.stringify(scanned, null, 2) : told(scanned));
  if (!scanned.ok) process.exitCode = 1;
}

/** Looks through the gateway, unless only the paths are wanted, and the paths. */
export async function scanPlaces(paths: readonly string[], values: ScanValues): Promise<Scanned> {
  const scanner = new Scanner(await patternsIn(values.for));
  return withProgress(async (progress) => {
    const look = new Look(scanner, progress);
    progress.show({ doing: 'Scanning' });
    if (!values.only) await look.atGateway(values);
    for (const path of paths) await look.atFiles(resolve(path));
    const { findings, bytes } = scanner;
    return { ok: findings.length === 0, looked: look.looked, left: look.left, bytes, findings };
  });
}

/** Numbers come from a file or from standard input, because other users of the machine can read arguments. */
async function patternsIn(file: string | undefined): Promise<readonly Pattern[] | undefined> {
  if (file === undefined) return undefined;
  const { numbers, codes, unreadable } = readWanted(
    file === '-' ? await text(process.stdin) : await readGivenText(file),
  );
  if (unreadable > 0) {
    throw new Complaint(`${counted(unreadable, 'line')} of what to look for: neither card number nor security code`);
  }
  if (numbers.length + codes.length === 0) throw new Complaint('there is nothing to look for in it');
  if (numbers.length + codes.length > MOST_WANTED) {
    throw new Complaint(`at most ${MOST_WANTED} numbers and codes can be looked for at once`);
  }
  return patternsFor({ numbers, codes });
}

/** The places, one after the other. */
class Look {
  readonly looked: string[] = [];
  readonly left: string[] = [];
  readonly #scanner: Scanner;
  readonly #progress: ProgressLine;

  constructor(scanner: Scanner, progress: ProgressLine) {
    this.#scanner = scanner;
    this.#progress = progress;
  }

  async atGateway(values: ScanValues): Promise<void> {
    const data = resolve(values.data);
    await withDatabase(values, async (place) => {
      const { openDatabase } = await import('../../storage/connection/open-database.ts');
      const database = await openDatabase(place).catch(waitForFolder);
      try {
        await this.#atDatabase(database);
        if (databaseUrlOf(values) !== undefined) await this.#atLogOf(database, values.wal);
      } finally {
        await database.close();
      }
    });
    if (await exists(data)) await this.atFiles(data);
    if (values.heap) await this.#atHeap(values, data);
  }

  async #atDatabase(database: Database): Promise<void> {
    const { everyValue } = await import('../../storage/transfer/every-value.ts');
    let tables = 0;
    await everyValue(database, (table, rows) => {
      tables += 1;
      this.#tell(`table ${table}`);
      return this.#scanner.scan(`table ${table}`, rows);
    });
    this.looked.push(`${counted(tables, 'table')} of the database`);
  }

  /** An embedded database has its log in the data folder. */
  async #atLogOf(database: Database, given: string | undefined): Promise<void> {
    if (given !== undefined) return this.atFiles(resolve(given));
    const { writeAheadLog } = await import('../../storage/transfer/write-ahead-log.ts');
    let files = 0;
    const isShown = await writeAheadLog(database, (file, bytes) => {
      files += 1;
      this.#tell(`pg_wal/${file}`);
      return this.#scanner.scan(`pg_wal/${file}`, bytes);
    });
    if (isShown) this.looked.push(`${counted(files, 'file')} of the write-ahead log`);
    else this.left.push('the write-ahead log: the server shows it to superusers only; name its folder with --wal');
  }

  async #atHeap(values: ScanValues, data: string): Promise<void> {
    const running = await findRunning(values);
    if (!running) throw new Complaint('no gateway runs whose memory could be looked at; leave out --heap');
    await removeLeftovers(data);
    const name = `heap-${process.pid}`;
    try {
      this.#tell('memory');
      await running.ask('writeHeap', { name });
      const called = 'the memory of the gateway';
      // The file is gone when findings are read.
      await scanFiles(this.#scanner, join(data, name), { called });
      this.looked.push(called);
    } finally {
      await rm(join(data, name), { force: true });
    }
  }

  async atFiles(path: string): Promise<void> {
    const count = await scanFiles(this.#scanner, path, { told: (one) => this.#tell(one) });
    this.looked.push(count === 1 ? nearPath(path) : `${counted(count, 'file')} of ${nearPath(path)}`);
  }

  #tell(where: string): void {
    const { bytes, findings } = this.#scanner;
    const at = `${findings.length} found, ${where}`;
    this.#progress.show({ doing: 'Scanning', done: Math.round(bytes / 1_000_000), unit: 'MB', at });
  }
}

function told({ looked, left, bytes, findings }: Scanned): string {
  const line = ({ place, encoding, shown, count }: ScanFinding) =>
    `${place}: ${shown}, ${encoding}, ${counted(count, 'time')}`;
  return [
    `Looked through ${looked.join(', ')}: ${megabytes(bytes)} MB.`,
    ...left.map((one) => `Not looked at: ${one}.`),
    ...findings.map(line),
    findings.length === 0 ? 'Nothing was found.' : `${counted(findings.length, 'finding')}.`,
  ].join('\n');
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
