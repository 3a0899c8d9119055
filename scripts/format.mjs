// `npm run format`: corrects the style of all files, and tells what it could not correct.
import { readArguments } from './arguments.mjs';
import { run } from './command.mjs';
import { root, runScript, signal } from './script.mjs';

const LIMIT_MS = 10 * 60_000;

readArguments('npm run format   mends the style of everything; it takes no options', {}, () => {});

await runScript(async () => {
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.'];
  return (await run(process.execPath, biome, { cwd: root, signal, limitMs: LIMIT_MS, show: true })).code;
});
