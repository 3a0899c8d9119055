// `npm run check`: style and types, and what is wrong with them.
import { readArguments } from './arguments.mjs';
import { CHECKS, complaintOf } from './checks.mjs';
import { root, runScript, signal } from './script.mjs';

readArguments('npm run check   looks at style and types; it takes no options', {}, () => {});

await runScript(async ({ say }) => {
  const complaints = await Promise.all(CHECKS.map((check) => complaintOf(check, { root, signal })));
  const failed = CHECKS.flatMap(({ name }, index) => (complaints[index] === undefined ? [] : [name]));
  for (const complaint of complaints.filter(Boolean)) process.stdout.write(`${complaint}\n`);
  say(failed.length === 0 ? 'style and types are fine' : `not fine: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
});
