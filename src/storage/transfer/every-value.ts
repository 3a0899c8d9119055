// Every value of every table as bytes, a few hundred rows at a time, for whoever looks for something in all of them.
// Texts are as PostgreSQL writes them, and bytes are as they are.

import type { Database, Session, Statement } from '../database.ts';
import { statement } from '../tables/index.ts';
import { listTables, quoted, type Table } from './catalogue.ts';
import { statementName } from './export.ts';

const ROWS_AT_ONCE = 500;

const FETCH = statement<{ bytes: Buffer }>('every-value-fetch')`fetch ${String(ROWS_AT_ONCE)} from every_value`;
const CLOSE = statement('every-value-close')`close every_value`;

/** Calls `look` with each table and a stream of the bytes of its rows. */
export async function everyValue(
  database: Database,
  look: (table: string, rows: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  await database.transaction(async (session) => {
    for (const table of await listTables(session)) {
      await session.query(cursorOver(table));
      await look(table.name, rowsOf(session));
      await session.query(CLOSE);
    }
  });
}

async function* rowsOf(session: Session): AsyncGenerator<Buffer> {
  for (;;) {
    const rows = await session.query(FETCH);
    if (rows.length === 0) return;
    yield Buffer.concat(rows.map(({ bytes }) => bytes));
  }
}

function cursorOver({ name, columns }: Table): Statement {
  const values = columns.map((column) => {
    const value = quoted(column.name);
    return column.type === 'bytea' ? value : `convert_to(${value}::text, 'UTF8')`;
  });
  const joined = values.map((value) => `coalesce(${value}, ''::bytea)`).join(` || '\\x0a'::bytea || `);
  const text = `declare every_value no scroll cursor for select ${joined} || '\\x0a'::bytea as bytes from ${quoted(name)}`;
  return { name: statementName('every-value', text), text };
}
