// What may stand at the end of a command line that is being typed: commands, options and the values of options, all
// read from the tree of commands.

import type { Argument, Command, Option } from 'commander';

export type Candidate = { readonly word: string; readonly says: string };

export type Candidates = {
  readonly found: readonly Candidate[];
  /** Whether a path may stand here. */
  readonly files: boolean;
};

const NOTHING: Candidates = { found: [], files: false };

/** What options and arguments take when they take paths. */
const PATHS = /path|folder|file/;

/** The last of `words` is the one being typed; it may be empty. */
export function candidatesFor(program: Command, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? '';
  const { command, waiting, placed } = walked(program, words.slice(0, -1));
  if (waiting) return beginningWith(typed, valuesOf(waiting.argChoices, waiting.flags));
  if (typed.startsWith('-')) return beginningWith(typed, { found: optionsOf(command), files: false });
  const below = command.commands
    .filter((one) => !isHidden(one))
    .map((one) => ({ word: one.name(), says: one.summary() }));
  const argument = command.registeredArguments[placed] ?? variadic(command.registeredArguments);
  const values = argument ? valuesOf(argument.argChoices, argument.name()) : NOTHING;
  return beginningWith(typed, { found: [...below, ...values.found], files: values.files });
}

type Walked = {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly waiting: Option | undefined;
  /** How many arguments the command has so far. */
  readonly placed: number;
};

function walked(program: Command, words: readonly string[]): Walked {
  let command = program;
  let waiting: Option | undefined;
  let placed = 0;
  for (const word of words) {
    if (waiting) {
      waiting = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      waiting = word.includes('=') ? undefined : optionThatTakes(command, word);
      continue;
    }
    const below = placed === 0 ? named(command, word) : undefined;
    if (below) command = below;
    else placed += 1;
  }
  return { command, waiting, placed };
}

function optionThatTakes(command: Command, word: string): Option | undefined {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option?.required || option?.optional ? option : undefined;
}

function named(command: Command, word: string): Command | undefined {
  return command.commands.find((one) => one.name() === word || one.aliases().includes(word));
}

function variadic(all: readonly Argument[]): Argument | undefined {
  const last = all.at(-1);
  return last?.variadic ? last : undefined;
}

function optionsOf(command: Command): Candidate[] {
  const own = command.options.filter(({ hidden, long }) => !hidden && long);
  const listed = own.map(({ long, description }) => ({ word: long ?? '', says: description }));
  return [...listed, { word: '--help', says: 'say what the command does' }];
}

function valuesOf(choices: readonly string[] | undefined, takes: string): Candidates {
  if (choices) return { found: choices.map((word) => ({ word, says: '' })), files: false };
  return { found: [], files: PATHS.test(takes) };
}

function beginningWith(typed: string, { found, files }: Candidates): Candidates {
  return { found: found.filter(({ word }) => word.startsWith(typed)), files };
}

/** Commander keeps this to itself, but shows it by what it would list. */
function isHidden(command: Command): boolean {
  const { parent } = command;
  return parent !== null && !parent.createHelp().visibleCommands(parent).includes(command);
}
