// The exit code of a command that ended early, by what ended it (domain/exit-codes.ts).

import { CommanderError } from 'commander';
import { COMPARING_COMMANDS, type ExitName, exitCodes } from '../domain/exit-codes.ts';
import { outageOf } from '../storage/database.ts';
import { Complaint } from './complaint.ts';

/** What a command that ended early tells by its code; `words` begin with the command's own name. */
export function exitCodeOf(error: unknown, words: readonly string[]): number {
  const name = exitNameOf(error);
  return exitCodes[name === 'failed' && isComparing(words) ? 'usage' : name].code;
}

function exitNameOf(error: unknown): ExitName {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'done' : 'usage';
  if (error instanceof Complaint) return error.exit;
  return isAway(error) ? 'unreachable' : 'failed';
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return outageOf(error) === 'away' || isAway(error.cause);
}

function isComparing(words: readonly string[]): boolean {
  return COMPARING_COMMANDS.some((command) => `${words.join(' ')} `.startsWith(`${command} `));
}
