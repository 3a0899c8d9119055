// Chooses the database: a PostgreSQL server when there is a URL, otherwise the embedded one, in a folder or in memory.

import type { Clock } from '../../domain/clock.ts';
import type { Database } from '../database.ts';
import { openPglite } from '../embedded/pglite.ts';
import { openPostgres } from './postgres.ts';

export type OpenDatabaseOptions = {
  readonly url?: string | undefined;
  /** For the embedded database, which lives in memory without it. */
  readonly dataFolder?: string | undefined;
  /** What a new embedded database has: no table, or those of the program's migrations. */
  readonly begin?: 'empty' | 'migrated' | undefined;
  /** Connections to a PostgreSQL server. */
  readonly poolSize?: number | undefined;
  /** The embedded database has died: end the process, the next start recovers. */
  readonly onFatal?: ((error: Error) => void) | undefined;
  readonly clock?: Clock | undefined;
};

export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, dataFolder, begin, poolSize, ...rest } = options;
  const common = withoutUndefined(rest);
  if (url !== undefined) return openPostgres({ url, ...withoutUndefined({ poolSize }), ...common });
  return openPglite({ ...withoutUndefined({ dataFolder, begin }), ...common });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<T>;
}
