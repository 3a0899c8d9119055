// The file of an export: gzip'd lines of JSON. A header names the format and the schema; a line names each table and
// its columns, and a line for each of its rows follows, every value as PostgreSQL writes it in text; the last line
// counts the rows and carries a SHA-256 over all lines before it. So a file that was cut off or changed is never taken
// for a whole one.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { present } from '../../domain/present.ts';

export const FORMAT = 'tender-export';
export const FORMAT_VERSION = 1;

/** The migrations that made the schema, oldest first. */
export type SchemaVersion = readonly { readonly number: number; readonly name: string; readonly checksum: string }[];

export type ExportHeader = {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly takenAt: string;
  readonly database: 'pglite' | 'postgres';
  readonly schema: SchemaVersion;
};

export type TableHead = { readonly table: string; readonly columns: readonly string[] };

export type RowCounts = Readonly<Record<string, number>>;

export type ExportEnd = { readonly rows: RowCounts; readonly sha256: string };

/** A file that cannot be taken; the message says why, without its name. */
export class ExportFileError extends Error {
  override readonly name = 'ExportFileError';
}

/** What a file is read as, part by part. Rows are JSON lists of text and null, a bounded number at a time. */
export type ExportPart<Header = ExportHeader> =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'table'; readonly head: TableHead }
  | { readonly kind: 'rows'; readonly head: TableHead; readonly rows: readonly string[] }
  | { readonly kind: 'end'; readonly end: ExportEnd };

/** A row that is not one value per column, or longer than any we write: somebody else wrote this file. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;
const BATCH_ROWS = 1_000;
const BATCH_CHARACTERS = 1024 * 1024;
const READ_BYTES = 256 * 1024;

const CUT_OFF = 'is cut off: its end is missing';
const DAMAGED = 'is damaged';

/** Where an export is, and what decrypts its bytes if it is encrypted. */
export type ExportSource = {
  readonly path: string;
  readonly open?: ((bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined;
};

/** Reads a file to its end. The last part comes only when all of it was whole: until then believe nothing for good. */
export const readExport = (source: ExportSource): AsyncGenerator<ExportPart> => readWholeFile(source, readHeader);

/** The same of a file whose first line is another header: it is read by whoever knows that. */
export async function* readWholeFile<Header>(
  { path, open }: ExportSource,
  readFirst: (line: string) => Header,
): AsyncGenerator<ExportPart<Header>> {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let header: Header | undefined;
  let head: TableHead | undefined;
  let end: ExportEnd | undefined;
  let rows: string[] = [];
  let characters = 0;
  const taken = (): ExportPart<Header> => {
    const part: ExportPart<Header> = { kind: 'rows', head: present(head), rows };
    [rows, characters] = [[], 0];
    return part;
  };
  for await (const line of linesOf(path, open)) {
    if (end) throw new ExportFileError(DAMAGED);
    if (header === undefined) {
      header = readFirst(line);
      yield { kind: 'header', header };
    } else if (line.startsWith('[')) {
      if (!head) throw new ExportFileError(DAMAGED);
      counts[head.table] = (counts[head.table] ?? 0) + 1;
      rows.push(line);
      characters += line.length;
      if (rows.length === BATCH_ROWS || characters > BATCH_CHARACTERS) yield taken();
    } else {
      if (rows.length > 0) yield taken();
      // What is read of it is looked at, or compared with what was counted.
      const said = parsed(line) as Partial<TableHead & ExportEnd>;
      if (said.sha256 === undefined) {
        head = readHead(said);
        counts[head.table] = 0;
        yield { kind: 'table', head };
      } else end = said as ExportEnd;
    }
    if (!end) hash.update(line).update('\n');
  }
  if (!end) throw new ExportFileError(CUT_OFF);
  const isWhole = end.sha256 === hash.digest('hex') && JSON.stringify(end.rows) === JSON.stringify(counts);
  if (!isWhole) throw new ExportFileError(DAMAGED);
  yield { kind: 'end', end };
}

function readHeader(line: string): ExportHeader {
  // Its format is looked at before all else.
  const header = foreignUnlessJson(line) as ExportHeader | null;
  if (header?.format !== FORMAT) throw new ExportFileError('is not an export of tender');
  if (header.version > FORMAT_VERSION) throw new ExportFileError('was made by a newer version of tender');
  return header;
}

function readHead({ table, columns }: Partial<TableHead>): TableHead {
  if (typeof table !== 'string' || !Array.isArray(columns)) throw new ExportFileError(DAMAGED);
  return { table, columns };
}

function parsed(line: string): object {
  const value = foreignUnlessJson(line);
  if (typeof value !== 'object' || value === null) throw new ExportFileError(DAMAGED);
  return value;
}

export function foreignUnlessJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* linesOf(path: string, open: ExportSource['open'] = (bytes) => bytes): AsyncGenerator<string> {
  const file = createReadStream(path, { highWaterMark: READ_BYTES });
  const plain = createGunzip({ chunkSize: READ_BYTES });
  // What goes wrong on the way is thrown where the lines are read.
  pipeline(file, open, plain).catch((error) => plain.destroy(error));
  const text = plain.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE_CHARACTERS) throw new ExportFileError(DAMAGED);
      yield* lines;
    }
  } catch (error) {
    if (!isPlain(error as NodeJS.ErrnoException)) throw readable(error as NodeJS.ErrnoException);
    // Whoever reads the first line says what this is not.
    yield '';
    return;
  } finally {
    file.destroy();
    plain.destroy();
  }
  if (rest !== '') throw new ExportFileError(CUT_OFF);
}

const isPlain = ({ code, message }: NodeJS.ErrnoException) =>
  code === 'Z_DATA_ERROR' && message === 'incorrect header check';

function readable(error: NodeJS.ErrnoException): Error {
  if (error.code === 'Z_BUF_ERROR') return new ExportFileError(CUT_OFF);
  return error.code?.startsWith('Z_') ? new ExportFileError(DAMAGED) : error;
}
