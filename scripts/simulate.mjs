// `npm run simulate`: runs the deterministic simulation, and ends with 1 when a history broke something.
import { readArguments, wholeNumber } from './arguments.mjs';
import { runScript } from './script.mjs';

const USAGE = `npm run simulate -- [options]
  --seed <number>        of the first history, the others follow (another one each time)
  --histories <number>   how many (2000)`;

const MAX_SEED = 1_000_000_000_000;
const MAX_HISTORIES = 100_000_000;

const text = { type: 'string' };
const wanted = readArguments(USAGE, { seed: text, histories: text }, ({ seed, histories = '2000' }) => ({
  seed: wholeNumber(seed ?? String(Date.now() % 1_000_000_000), 0, MAX_SEED),
  histories: wholeNumber(histories, 1, MAX_HISTORIES),
}));

await runScript(async () => {
  const { withImported } = await import('./imported.mjs');
  return withImported('test/simulation/simulate.ts', async ({ main }) => {
    const isGood = await main(wanted, (line) => process.stdout.write(`${line}\n`));
    return isGood ? 0 : 1;
  });
});
