// A commit is repeated while the database is away. It may have been written all the same, so whoever repeats must find
// out: repeated starts find themselves, repeated changes a newer version.

import type { Clock } from '../domain/clock.ts';
import { ConnectionLost } from '../storage/database.ts';

/** How long a commit is repeated, and the pause between two tries. */
const RECONNECT_TRIES = 40;
const RECONNECT_PAUSE_MS = 250;

export async function throughOutages<T>(clock: Clock, commit: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await commit();
    } catch (error) {
      if (!(error instanceof ConnectionLost) || tries === RECONNECT_TRIES) throw error;
      await clock.sleep(RECONNECT_PAUSE_MS);
    }
  }
}
