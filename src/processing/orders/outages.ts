// A commit is repeated while the database is away. The first one may have been written all the same: then a repeated
// start finds its own order, and a repeated change a newer version. Sealed values are not written late: their key may
// be gone by then.

import type { Clock } from '../../domain/clock.ts';
import { outageOf } from '../../storage/database.ts';
import { KeysTooOld } from '../../vault/vault.ts';

/** How often a commit is repeated, and the pause between two tries. */
const RECONNECT_TRIES = 40;
const RECONNECT_PAUSE_MS = 250;
/** No try begins later than this after the first failure: without any answer each try takes its whole time. */
const RECONNECT_MS = 30_000;

/** No try begins at `until` or later. */
export async function throughOutages<T>(
  clock: Clock,
  commit: () => Promise<T>,
  until = Number.POSITIVE_INFINITY,
): Promise<T> {
  let givesUpAt: number | undefined;
  for (let tries = 1; ; tries++) {
    if (clock.now() >= until) throw new KeysTooOld('what was sealed could not be written in time');
    try {
      return await commit();
    } catch (error) {
      givesUpAt ??= clock.now() + RECONNECT_MS;
      if (outageOf(error) !== 'away' || tries === RECONNECT_TRIES || clock.now() >= givesUpAt) throw error;
      await clock.sleep(RECONNECT_PAUSE_MS);
    }
  }
}
