// The clock of a sandbox, which may be ahead of the true time, also after the next start.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import { type MovableClock, movableClock } from '../../domain/movable-clock.ts';
import type { Settings } from '../settings.ts';

export const clockPath = (dataFolder: string) => join(dataFolder, 'sandbox-clock.json');

/**
 * A clock that can be moved, where nobody goes by another one: the database is this process's own, and so are the
 * simulated bank and card networks.
 */
export function sandboxClockOf(settings: Settings, base: Clock): MovableClock | undefined {
  const { mode, databaseUrl, bankUrl, networksUrl, dataFolder } = settings;
  const isAlone = databaseUrl === undefined && bankUrl === undefined && networksUrl === undefined;
  return mode === 'sandbox' && isAlone ? movableClock(base, aheadIn(clockPath(dataFolder))) : undefined;
}

/** How far it was ahead before; nothing where it was never moved. */
function aheadIn(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  const { aheadMs } = JSON.parse(text);
  if (!Number.isSafeInteger(aheadMs) || aheadMs < 0) throw new Error(`${path} does not say how far the clock is ahead`);
  return aheadMs;
}
