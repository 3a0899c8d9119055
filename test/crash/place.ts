// Where the processes of a test keep their data, and how a test looks into it when no process has it.

import { join } from 'node:path';
import { type BookEntry, readBooks } from '../../src/acquirers/index.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Row } from '../../src/storage/database.ts';
import type { DatabaseKind } from '../contracts/databases.ts';
import type { Belongings } from '../scenarios/tender-process.ts';

export type Query = (text: string) => Promise<Row[]>;

export type Place = {
  readonly folder: string;
  /** The options that send a process there. */
  readonly args: readonly string[];
  looking<T>(look: (query: Query) => Promise<T>): Promise<T>;
  /** Spreads the tables that were made in it meanwhile, where it is a bare one of a cluster. */
  spread?(): Promise<unknown>;
};

type PlaceOptions = {
  /** Without tables, on a cluster too. */
  readonly bare?: boolean;
  /** Where the schema of a cluster is changed; otherwise another server of it is asked. */
  readonly atCoordinator?: boolean;
};

export async function newPlace(
  belongings: Belongings,
  kind: DatabaseKind,
  { bare = false, atCoordinator = false }: PlaceOptions = {},
): Promise<Place> {
  const folder = await belongings.folder();
  const server = kind.kind === 'postgres' ? await kind.open({ bare, atCoordinator }) : undefined;
  if (server) belongings.also(() => server.drop());
  const url = server?.place.url;
  const looking = async <T>(look: (query: Query) => Promise<T>): Promise<T> => {
    const database = await openDatabase(url === undefined ? { dataFolder: join(folder, 'database') } : { url });
    const query: Query = (text) => database.query({ name: `test-${text.length}-${text.slice(0, 40)}`, text });
    return look(query).finally(() => database.close());
  };
  const args = ['--data', folder, ...(url === undefined ? [] : ['--database-url', url])];
  return { folder, args, looking, ...(server?.spread && { spread: server.spread }) };
}

export async function booksOf(bankUrl: string): Promise<BookEntry[]> {
  const entries: BookEntry[] = [];
  for await (const entry of readBooks(bankUrl)) entries.push(entry);
  return entries;
}
