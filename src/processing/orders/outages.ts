// A commit is repeated while the database is away. It may have been written all the same, so whoever repeats must find
// out: repeated starts find themselves, repeated changes a newer version. What is sealed is not written late: the key
// it is sealed under may be gone by then.

import type { Clock } from '../../domain/clock.ts';
import { outageOf } from '../../storage/database.ts';
import { KeysTooOld } from '../../vault/vault.ts';

/** How often a commit is repeated, and the pause between two tries. */
const RECONNECT_TRIES = 40;
const RECONNECT_PAUSE_MS = 250;
/** Where nobody answers at all each try takes its whole time: then it is this long after the first failure. */
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
