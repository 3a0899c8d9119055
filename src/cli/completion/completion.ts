// `tender completion`: prints what a shell needs to complete commands, options and values, and answers what it asks.

import { Argument, type Command } from 'commander';
import { describedCommand, withExample } from '../administration-command.ts';
import { candidatesFor } from './candidates.ts';
import { ASKED, FILES_LINE, shellScripts } from './shell-scripts.ts';

const SHELLS = Object.keys(shellScripts);

export function addCompletion(program: Command): void {
  const command = describedCommand(program, 'completion', 'print what lets a shell complete commands and options')
    .addArgument(new Argument('<shell>', `the shell: ${SHELLS.join(', ')}`).choices([...SHELLS, ASKED]))
    .addArgument(new Argument('[words...]', 'what was typed so far, when a shell asks'))
    .action((shell: string, words: string[]) => {
      process.stdout.write(shell === ASKED ? linesFor(program, words) : (shellScripts[shell] ?? ''));
    });
  withExample(command, 'source <(tender completion bash)');
}

function linesFor(program: Command, words: readonly string[]): string {
  const { found, files } = candidatesFor(program, words);
  const lines = found.map(({ word, says }) => `${word}\t${says.replaceAll(/\s+/g, ' ')}`);
  return [...lines, ...(files ? [FILES_LINE] : [])].map((line) => `${line}\n`).join('');
}
