// `npm run simulate -- --seed S --histories N`: runs the deterministic simulation.
import { withImported } from './imported.mjs';

await withImported('test/simulation/simulate.ts', async ({ main }) => {
  const isGood = await main(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
  process.exitCode = isGood ? 0 : 1;
});
