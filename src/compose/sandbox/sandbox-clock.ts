// The clock of a sandbox, which may be ahead of the true time, also after the next start.

import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { type MovableClock, movableClock } from '../../domain/time/movable-clock.ts';
import type { Settings } from '../settings.ts';

const clockPath = (dataFolder: string) => join(dataFolder, 'sandbox-clock.json');

/**
 * A clock that can be moved, where nobody goes by another one: the database is this process's own, and so are the
 * simulated bank and card networks.
 */
export function sandboxClockOf(settings: Settings, base: Clock): MovableClock | undefined {
  const { mode, databaseUrl, bankUrl, networksUrl, dataFolder } = settings;
  if (mode !== 'sandbox' || databaseUrl !== undefined) return undefined;
  const aheadMs = aheadIn(clockPath(dataFolder));
  if (bankUrl === undefined && networksUrl === undefined) return movableClock(base, aheadMs);
  if (aheadMs === 0) return undefined;
  // What is stored there lies in the future of everybody else, and would stand still until then.
  throw new Error(
    "this sandbox's clock was put forward, so it runs with its own bank and card networks only;" +
      ' leave --bank-url and --networks-url out, or begin a new sandbox with --data',
  );
}

/** The clock that what is stored goes by, for commands that open the data of a gateway that does not run. */
export function clockOfData(settings: Settings): Clock {
  return sandboxClockOf({ ...settings, bankUrl: undefined, networksUrl: undefined }, systemClock) ?? systemClock;
}

/** Whole or not at all: a sandbox does not start without knowing how far ahead it was. */
export async function keepAhead(dataFolder: string, aheadMs: number): Promise<void> {
  const unfinished = `${clockPath(dataFolder)}.new`;
  await writeFile(unfinished, JSON.stringify({ aheadMs }), { mode: 0o600 });
  await rename(unfinished, clockPath(dataFolder));
}

/** There is no such file. */
const NOT_THERE = ['ENOENT', 'ENOTDIR'];

/** How far it was ahead before; nothing where it was never moved. */
function aheadIn(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (NOT_THERE.includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
  const { aheadMs: kept } = JSON.parse(text);
  // Earlier versions kept parts of a millisecond too.
  const aheadMs = typeof kept === 'number' && kept >= 0 ? Math.ceil(kept) : undefined;
  if (aheadMs === undefined || !Number.isSafeInteger(aheadMs))
    throw new Error(`${path} does not say how far the clock is ahead`);
  return aheadMs;
}
