// The options of `npm run fuzz`.
import { readArguments, wholeNumber } from './arguments.mjs';

const USAGE = `npm run fuzz -- [options]
  --minutes <number>          how long on each database (1)
  --seed <number>             sends the same requests in the same order (another one each time)
  --only <pglite|postgres>    one database only`;

const DATABASES = ['pglite', 'postgres'];

/** Returns `{ minutes, seed, databases }`, or ends the process. */
export function readFuzzOptions() {
  const text = { type: 'string' };
  return readArguments(USAGE, { minutes: text, seed: text, only: text }, ({ minutes = '1', seed, only }) => {
    if (!(Number(minutes) > 0)) throw new Error(`${minutes} is not a number of minutes`);
    if (only !== undefined && !DATABASES.includes(only)) throw new Error(`unknown database: ${only}`);
    return {
      minutes: Number(minutes),
      seed: wholeNumber(seed ?? String(Date.now() % 1_000_000), 0, Number.MAX_SAFE_INTEGER),
      databases: only === undefined ? DATABASES : [only],
    };
  });
}
