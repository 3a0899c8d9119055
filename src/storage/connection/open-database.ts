// Chooses the database: a PostgreSQL server when there is a URL, otherwise the embedded one, in a folder or in memory.

import type { Database } from '../database.ts';
import { openPglite, type PgliteOptions } from '../embedded/pglite.ts';
import { openPostgres } from './postgres.ts';

export type OpenDatabaseOptions = Omit<PgliteOptions, 'fsyncFault'> & {
  readonly url?: string | undefined;
  /** Connections to a PostgreSQL server. */
  readonly poolSize?: number | undefined;
};

export function openDatabase({ url, poolSize, ...embedded }: OpenDatabaseOptions): Promise<Database> {
  return url === undefined ? openPglite(embedded) : openPostgres({ url, poolSize, clock: embedded.clock });
}
