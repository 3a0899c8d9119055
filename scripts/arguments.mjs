// Reads the arguments of scripts: strictly, with --help, and before anything is installed or done.
import { parseArgs } from 'node:util';

const WRONG_USAGE = 2;

/** What `read` makes of the options. Ends the process when help is wanted or when they are wrong (`read` may throw). */
export function readArguments(usage, options, read) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } });
    if (values.help) tellUsage(usage);
    return read(values);
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}\n`);
    process.exit(WRONG_USAGE);
  }
}

export function tellUsage(usage) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

/** The number in an option's text. */
export function wholeNumber(text, least, most) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new Error(`${text} is not a whole number from ${least} to ${most}`);
}
