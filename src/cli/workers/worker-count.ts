// How many workers a gateway has.

import type { Settings } from '../../compose/index.ts';

/** Each has up to ten connections to the database, of which PostgreSQL takes a hundred unless it is told otherwise. */
const MOST_BY_DEFAULT = 8;

/** As many as the settings say; else, in production, one for each core. The embedded database is open in one only. */
export function workersOf(settings: Pick<Settings, 'mode' | 'databaseUrl' | 'workers'>, cores: number): number {
  const { mode, databaseUrl, workers } = settings;
  if (workers !== undefined) return workers;
  return mode === 'production' && databaseUrl !== undefined ? Math.min(cores, MOST_BY_DEFAULT) : 1;
}
