// The file of an archive: one month of one table, in the format of an export but for its header, which says what it is.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Database, plainStep, type Session } from '../database.ts';
import { statement } from '../tables/index.ts';
import { listTables, quoted, type Table } from '../transfer/catalogue.ts';
import {
  beginSnapshot,
  durably,
  ExportLines,
  PLAIN_VALUES,
  readSchema,
  statementName,
  writeLines,
} from '../transfer/export.ts';
import {
  ExportFileError,
  type ExportHeader,
  type ExportPart,
  type ExportSource,
  foreignUnlessJson,
  readWholeFile,
} from '../transfer/export-file.ts';
import type { HistoryTable } from './history-tables.ts';
import type { Partition } from './partitions.ts';

const FORMAT = 'tender-archive';
const FORMAT_VERSION = 1;

/** What the rows of a month come to: with it nothing is removed that is not in the file. */
export type RowsSeen = { readonly rows: number; readonly digest: string };

export type ArchiveHeader = Omit<ExportHeader, 'format'> & {
  readonly format: typeof FORMAT;
  readonly table: HistoryTable;
  readonly month: string;
  /** Its rows are from this moment on; null when from any. */
  readonly from: string | null;
  readonly until: string;
} & RowsSeen;

export type WrittenArchive = { readonly header: ArchiveHeader; readonly sha256: string };

type WritingOptions = {
  readonly database: Database;
  readonly partition: Partition;
  /** As the archive is named: a further one of the same month has a number. */
  readonly month: string;
  readonly path: string;
  readonly now: number;
  readonly seal?: ((plain: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined;
  /** Reads back what was sealed, where who seals can also open. */
  readonly open?: ExportSource['open'];
  readonly onRows?: (rows: number) => void;
};

/** Rows that lie together in the file: who looks for an order finds all of it at once. */
const ORDER: Readonly<Record<HistoryTable, string>> = {
  journal: 'serial_number, shard',
  order_events: 'merchant_id, order_id, version',
  callback_attempts: 'merchant_id, order_id, seq, target, at',
};

const inOrder = ({ name, table }: Partition) => `${quoted(name)} order by ${ORDER[table]}`;

/** The file appears complete, durable and read back, or not at all. */
export async function writeArchive({ database, partition, month, path, now, seal, open, onRows }: WritingOptions) {
  const passing = createHash('sha256');
  let digest = '';
  const archive = await durably(path, async (unfinished): Promise<WrittenArchive> => {
    const through = async function* (plain: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const bytes of seal ? seal(plain) : plain) {
        passing.update(bytes);
        yield bytes;
      }
    };
    const written = await database.transaction(async (session) => {
      await beginSnapshot(session);
      const table = await historyTableIn(session, partition.table);
      const header: ArchiveHeader = {
        ...{ format: FORMAT, version: FORMAT_VERSION, takenAt: new Date(now).toISOString(), database: database.kind },
        ...{ table: partition.table, month, until: new Date(partition.until).toISOString() },
        from: partition.from === undefined ? null : new Date(partition.from).toISOString(),
        ...(await rowsSeen(session, partition.name, table)),
        schema: await readSchema(session),
      };
      const lines = new ExportLines(session, ({ rows }) => onRows?.(rows));
      let sha256 = '';
      const all = async function* () {
        yield lines.said(`${JSON.stringify(header)}\n`);
        yield* lines.table(table, inOrder(partition));
        const end = lines.end();
        sha256 = end.sha256;
        yield `${JSON.stringify(end)}\n`;
      };
      await writeLines(unfinished, all(), through);
      return { header, sha256 };
    });
    digest = passing.digest('hex');
    await readBack(unfinished, digest);
    if (seal === undefined || open !== undefined) await readAs({ path: unfinished, open }, written);
    return written;
  });
  // Under its own name too: what is dropped next is in that file.
  await readBack(path, digest);
  return archive;
}

/** The bytes on the disk are those that were written. */
async function readBack(path: string, expected: string): Promise<void> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  if (hash.digest('hex') !== expected) throw new ExportFileError('was read back otherwise than it was written');
}

async function readAs(source: ExportSource, { header, sha256 }: WrittenArchive): Promise<void> {
  const read = await inspectArchive(source);
  if (read.sha256 !== sha256 || read.header.rows !== header.rows) {
    throw new ExportFileError('was read back otherwise than it was written');
  }
}

/** A statement has half a minute: of a large month it takes many. */
const SEEN_AT_ONCE = 5_000;

const FETCH_SEEN = statement<{ hash: string }>('archive-fetch-seen')`fetch ${SEEN_AT_ONCE} from seen_rows`;
const CLOSE_SEEN = statement('archive-close-seen')`close seen_rows`;

/** What the rows of a partition come to, in this transaction. */
export async function rowsSeen(session: Session, name: string, table: Table): Promise<RowsSeen> {
  const values = table.columns.map((column) => `${quoted(column.name)}::text`);
  const text = `declare seen_rows no scroll cursor for
    select hashtextextended(json_build_array(${values})::text, 0)::text as hash from ${quoted(name)}`;
  await session.flight([plainStep(PLAIN_VALUES), plainStep({ name: statementName('archive-seen', text), text })]);
  let rows = 0;
  let digest = 0n;
  for (;;) {
    const seen = await session.query(FETCH_SEEN);
    if (seen.length === 0) break;
    rows += seen.length;
    for (const { hash } of seen) digest += BigInt(hash);
  }
  await session.query(CLOSE_SEEN);
  return { rows, digest: String(digest) };
}

export async function historyTableIn(session: Session, name: HistoryTable): Promise<Table> {
  const table = (await listTables(session)).find((one) => one.name === name);
  if (table === undefined) throw new Error(`the database has no table ${name}`);
  return table;
}

/** A row as the file has it: the texts of its columns by their names. */
export type ArchivedRow = Readonly<Record<string, string | null>>;

/** Reads a file to its end; only then is it known to be whole. */
export async function* readArchive(source: ExportSource): AsyncGenerator<ArchivedRow> {
  for await (const part of partsOf(source)) {
    if (part.kind !== 'rows') continue;
    for (const row of part.rows) yield rowFrom(part.head.columns, row);
  }
}

/** One table, which is the one that the header names. */
async function* partsOf(source: ExportSource): AsyncGenerator<ExportPart<ArchiveHeader>> {
  let table: string | undefined;
  for await (const part of readWholeFile(source, archiveHeader)) {
    if (part.kind === 'header') table = part.header.table;
    if (part.kind === 'table') {
      if (part.head.table !== table) throw new ExportFileError('is damaged');
      table = undefined;
    }
    yield part;
  }
}

/** Each row is a list of as many texts as there are columns. */
function rowFrom(columns: readonly string[], row: string): ArchivedRow {
  const values = foreignUnlessJson(row);
  const isText = (value: unknown) => value === null || typeof value === 'string';
  if (!Array.isArray(values) || values.length !== columns.length || !values.every(isText)) {
    throw new ExportFileError('is damaged');
  }
  return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]));
}

/** With the SHA-256 of its rows alone, which are the same whenever they are written. */
export async function inspectArchive(source: ExportSource): Promise<WrittenArchive & { readonly rowsSha256: string }> {
  let header: ArchiveHeader | undefined;
  const hash = createHash('sha256');
  for await (const part of partsOf(source)) {
    if (part.kind === 'header') header = part.header;
    if (part.kind === 'table') hash.update(`${JSON.stringify(part.head)}\n`);
    if (part.kind === 'rows') for (const row of part.rows) hash.update(`${row}\n`);
    if (part.kind !== 'end' || header === undefined) continue;
    if (part.end.rows[header.table] !== header.rows) throw new ExportFileError('is damaged');
    return { header, sha256: part.end.sha256, rowsSha256: hash.digest('hex') };
  }
  throw new ExportFileError('is empty');
}

/** What a file of this month has to hold, as the database has it now. */
export async function rowsToFile(session: Session, partition: Partition): Promise<RowsSeen & { rowsSha256: string }> {
  await beginSnapshot(session);
  const table = await historyTableIn(session, partition.table);
  const seen = await rowsSeen(session, partition.name, table);
  const hash = createHash('sha256');
  for await (const text of new ExportLines(session).table(table, inOrder(partition))) hash.update(text);
  return { ...seen, rowsSha256: hash.digest('hex') };
}

function archiveHeader(line: string): ArchiveHeader {
  // Its format is looked at before all else.
  const header = foreignUnlessJson(line) as ArchiveHeader | null;
  if (header?.format !== FORMAT) throw new ExportFileError('is not an archive of tender');
  if (header.version > FORMAT_VERSION) throw new ExportFileError('was made by a newer version of tender');
  return header;
}
