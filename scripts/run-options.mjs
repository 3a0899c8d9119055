// The options of what runs for minutes on each database: `npm run chaos` and `npm run fuzz`.
import { readArguments, wholeNumber } from './arguments.mjs';

const DATABASES = ['pglite', 'postgres'];
/** Where somebody asks for it: it is installed by hand. */
const CITUS = 'citus';

export const CHAOS = {
  name: 'chaos',
  others: [CITUS],
  usualMinutes: 2,
  repeats: 'repeats the same disturbances; the load they meet is never quite the same',
};

export const FUZZ = {
  name: 'fuzz',
  usualMinutes: 1,
  repeats: 'sends the same requests in the same order (another one each time)',
};

/** Returns `{ minutes, seed, databases }`, or ends the process. */
export function readRunOptions({ name, usualMinutes, repeats, others = [] }) {
  const known = [...DATABASES, ...others];
  const text = { type: 'string' };
  const usage = `npm run ${name} -- [options]
  --minutes <number>          how long on each database (${usualMinutes})
  --seed <number>             ${repeats}
  --only <database>           one only, of ${known.join(', ')}`;
  return readArguments(usage, { minutes: text, seed: text, only: text }, ({ minutes = usualMinutes, seed, only }) => {
    if (!(Number(minutes) > 0)) throw new Error(`${minutes} is not a number of minutes`);
    if (only !== undefined && !known.includes(only)) throw new Error(`unknown database: ${only}`);
    return {
      minutes: Number(minutes),
      seed: wholeNumber(seed ?? String(Date.now() % 1_000_000), 0, Number.MAX_SAFE_INTEGER),
      databases: only === undefined ? DATABASES : [only],
    };
  });
}
