// The options of `npm run failover`.
import { readArguments, wholeNumber } from './arguments.mjs';

const MOST_TIMES = 1_000;
const PATIENCE = ['quick', 'usual'];

export const FAILOVER = { usualTimes: 3 };

/** Returns `{ times, patience, seed }`, or ends the process. */
export function readFailoverOptions({ usualTimes }) {
  const text = { type: 'string' };
  const usage = `npm run failover -- [options]
  --times <number>            how many primaries are killed (${usualTimes})
  --patience <quick|usual>    how soon the monitor gives a silent primary up (quick); usual is how it comes
  --seed <number>             sells the same in the same order`;
  return readArguments(
    usage,
    { times: text, patience: text, seed: text },
    ({ times = String(usualTimes), patience = 'quick', seed = String(Date.now() % 1_000_000) }) => {
      if (!PATIENCE.includes(patience)) throw new Error(`${patience} is none of ${PATIENCE.join(', ')}`);
      return {
        times: wholeNumber(times, 1, MOST_TIMES),
        patience,
        seed: wholeNumber(seed, 0, Number.MAX_SAFE_INTEGER),
      };
    },
  );
}
