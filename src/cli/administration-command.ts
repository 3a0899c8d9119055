// What all commands of the administrator have in common: where the data is, and --json for programs.

import type { Command } from 'commander';
import { type Administrator, type AskingValues, asAdministrator } from './administrator.ts';
import { Complaint } from './complaint.ts';
import { withDataSettings } from './setting-options.ts';
import { say } from './terminal.ts';

export type CommonValues = AskingValues & { readonly json?: boolean };

/** Asks, and prints the answer: as JSON when that is wanted, else in the words of `tell`. */
export async function answerWith<T>(
  values: CommonValues,
  ask: (administrator: Administrator) => Promise<T>,
  tell: (answer: T) => string,
): Promise<void> {
  const answer = await asAdministrator(values, ask);
  say(values.json ? JSON.stringify(answer, null, 2) : tell(answer));
}

/** Commands that do nothing but ask for verbs, so that the gateway may be on another machine. */
const asking = new WeakSet<Command>();

export function asksVerbs(command: Command): boolean {
  return asking.has(command);
}

export function administrationCommand(parent: Command, usage: string, summary: string): Command {
  const command = withDataSettings(describedCommand(parent, usage, summary));
  return askingVerbs(command).option('--json', 'print the answer as JSON');
}

export function askingVerbs(command: Command): Command {
  asking.add(command);
  return command;
}

/** Without a description the summary is one. */
export function describedCommand(
  parent: Command,
  usage: string,
  summary: string,
  description = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
): Command {
  return parent.command(usage).summary(summary).description(description);
}

/** Shows how a command is written, below its options. */
export function withExample(command: Command, example: string): void {
  command.addHelpText('after', `\nExample:\n  ${example}`);
}

/** Only what was given. */
export function given(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Changes, when there are any. */
export function mustChange<T extends Readonly<Record<string, unknown>>>(changes: T): T {
  if (Object.keys(changes).length === 0)
    throw new Complaint('nothing to change: give at least one option, see --help', { exit: 'usage' });
  return changes;
}

/** For a command that runs by itself and has others below it: a word behind it can only be meant for one of them. */
export function withOthersBelow(command: Command): Command {
  return command.allowExcessArguments().hook('preAction', (_, called) => {
    const [word] = called.args;
    if (called === command && word !== undefined) command.error(`error: unknown command '${word}'`);
  });
}
