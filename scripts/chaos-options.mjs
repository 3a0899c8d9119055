// The options of `npm run chaos`.
import { readArguments, wholeNumber } from './arguments.mjs';

const USAGE = `npm run chaos -- [options]
  --minutes <number>          how long on each database (2)
  --seed <number>             repeats the same disturbances; the load they meet is never quite the same
  --only <pglite|postgres>    one database only`;

const DATABASES = ['pglite', 'postgres'];

/** Returns `{ minutes, seed, databases }`, or ends the process. */
export function readChaosOptions() {
  const text = { type: 'string' };
  return readArguments(USAGE, { minutes: text, seed: text, only: text }, ({ minutes = '2', seed, only }) => {
    if (!(Number(minutes) > 0)) throw new Error(`${minutes} is not a number of minutes`);
    if (only !== undefined && !DATABASES.includes(only)) throw new Error(`unknown database: ${only}`);
    return {
      minutes: Number(minutes),
      seed: wholeNumber(seed ?? String(Date.now() % 1_000_000), 0, Number.MAX_SAFE_INTEGER),
      databases: only === undefined ? DATABASES : [only],
    };
  });
}
