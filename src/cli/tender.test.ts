import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { operations } from '../operations/index.ts';
import { candidatesFor } from './completion/candidates.ts';
import { commandName } from './operations/operation-words.ts';
import { programFor, wholeProgram } from './tender.ts';

const program = wholeProgram();

function below(command: Command): Command[] {
  return [command, ...command.commands.flatMap(below)];
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : 'tender';

const all = below(program).map((command) => [pathOf(command), command] as const);

const helps = new Map<Command, string>();

/** The whole help, with what stands behind the options. */
function helpOf(command: Command): string {
  const known = helps.get(command);
  if (known !== undefined) return known;
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  helps.set(command, text);
  return text;
}

describe('the help of every command', () => {
  it.each(all)('%s begins with what it does', (_, command) => {
    const [first = ''] = helpOf(command).split('\n');
    expect(command.description()).toMatch(/^[A-Z].*\.$/s);
    expect(command.description().startsWith(first.trim().slice(0, 60))).toBe(true);
  });

  it.each(['logs', 'listen', 'trigger'])('%s has its own options before those that say which gateway', (name) => {
    const help = helpOf(program.commands.find((one) => one.name() === name) as Command);
    expect(help.indexOf('\nOptions:')).toBeGreaterThan(0);
    expect(help.indexOf('\nOptions:')).toBeLessThan(help.indexOf('\nWhich gateway:'));
  });

  it.each(all)('%s describes its options and arguments', (_, command) => {
    const bare = [...command.options, ...command.registeredArguments].filter(({ description }) => !description);
    expect(bare.map((one) => ('flags' in one ? one.flags : one.name()))).toEqual([]);
  });

  it.each(all.filter(([, { commands }]) => commands.length === 0))('%s shows an example', (path, command) => {
    expect(helpOf(command)).toMatch(/\nExample:\n {2}\S/);
    expect(helpOf(command)).toContain(path.split(' ').slice(0, 2).join(' '));
  });
});

describe('the program for a call', () => {
  const names = program.commands.map((one) => one.name());
  const shown = (command: Command) => below(command).map((one) => [pathOf(one), one.helpInformation()]);
  const named = (from: Command, name: string) => from.commands.find((one) => one.name() === name) as Command;

  it.each(names)('%s has its commands as the whole has them', (name) => {
    expect(shown(named(programFor(name), name))).toEqual(shown(named(program, name)));
  });

  it('has one command where no other is needed, and all where nobody knows yet', () => {
    expect(programFor('order').commands.map((one) => one.name())).toEqual(['order']);
    for (const first of [undefined, '--help', '--at', 'help', 'completion', 'sale', 'payout', 'constructor']) {
      expect(programFor(first).commands.map((one) => one.name())).toEqual(names);
    }
  });
});

it('has every operation by name', () => {
  const names = program.commands.map((one) => one.name());
  expect(operations.map(commandName).filter((name) => !names.includes(name))).toEqual([]);
});

describe('what is completed', () => {
  const words = (...typed: string[]) => candidatesFor(program, typed).found.map(({ word }) => word);

  it.each<[typed: string[], found: string[]]>([
    [['sale'], ['saleform', 'sale', 'sale-v4']],
    [['merchant', 'dis'], ['disable']],
    [
      ['start', '--mo'],
      ['--mode', '--most-wait-ms'],
    ],
    [['start', '--mode', 's'], ['sandbox']],
    [['sale', '--amount', '10.42', '--curr'], ['--currency']],
    [['payout', 'app'], ['approve']],
    [['completion', 'z'], ['zsh']],
    [['start', '--port', '8'], []],
    [['no-such-command', 'x'], []],
  ])('%j', (typed, found) => {
    expect(words(...typed)).toEqual(found);
  });

  it('paths stand where options and arguments take them, and nowhere else', () => {
    const files = (...typed: string[]) => candidatesFor(program, typed).files;
    expect(files('start', '--key-file', '')).toBe(true);
    expect(files('import', '')).toBe(true);
    expect(files('start', '--port', '')).toBe(false);
    expect(files('')).toBe(false);
  });
});
