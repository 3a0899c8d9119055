// The write-ahead log of a PostgreSQL server, read through the server itself, for whoever looks for something in it.
// The server shows it to superusers, and to users who may both list it and read the server's files.

import { type Database, DatabaseError } from '../database.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';

const PART_BYTES = 4 * 1024 * 1024;
const NOT_ALLOWED = '42501';

const listFiles = statement('wal-files', { name: column.text('name') })`
  select ${COLUMNS} from pg_ls_waldir() order by name`;

// A file that is removed meanwhile has no bytes.
const readPart = statement<{ bytes: Buffer | null }>('wal-part')`
  select pg_read_binary_file('pg_wal/' || $1::text, $2::bigint, $3::bigint, true) as bytes`;

/** Calls `look` with each file. False when the server does not show them to this user. */
export async function writeAheadLog(
  database: Database,
  look: (file: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<boolean> {
  try {
    for (const { name } of await database.query(listFiles)) await look(name, partsOf(database, name));
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.sqlState === NOT_ALLOWED) return false;
    throw error;
  }
}

async function* partsOf(database: Database, name: string): AsyncGenerator<Buffer> {
  for (let from = 0; ; from += PART_BYTES) {
    const [row] = await database.query(readPart, [name, from, PART_BYTES]);
    if (!row?.bytes || row.bytes.length === 0) return;
    yield row.bytes;
  }
}
