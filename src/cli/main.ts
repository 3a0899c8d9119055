// Runs the command line. Whatever goes wrong is one line on standard error and an exit code (domain/exit-codes.ts).

import { CommanderError } from 'commander';
import { createLog } from '../telemetry/log.ts';
import { Complaint, complain, reasonOf } from './complaint.ts';
import { exitCodeOf } from './exit-code.ts';
import { programFor } from './tender.ts';

const program = programFor(process.argv[2]);
const log = createLog((line) => process.stderr.write(line));

/** The words from the name of the command on: options of the program may stand before it. */
function calledWords(): string[] {
  const words = process.argv.slice(2);
  const first = words.findIndex((word) => program.commands.some((one) => one.name() === word));
  return first < 0 ? [] : words.slice(first);
}

// A reader that has seen enough, such as `head`, closes the pipe. Nobody may take a full disk for the whole answer.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  complain(new Complaint(`the answer could not be written: ${reasonOf(error)}`), log);
  process.exit(exitCodeOf(error, calledWords()));
});

try {
  await program.parseAsync(process.argv);
} catch (error) {
  if (!(error instanceof CommanderError)) complain(error, log);
  process.exitCode = exitCodeOf(error, calledWords());
}
