// `tender terminal`: ways to banks. Secrets come from files, standard input or variables of the environment, never as
// arguments that other users of the machine could see. What was added or changed is tried at once where a gateway runs.

import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { AnswerTo } from '../../administration/administration.ts';
import { addTerminal, setTerminal, testTerminal, testText } from '../../administration/terminals/terminals.ts';
import { InvalidInput } from '../../administration/verb/invalid-input.ts';
import { administrationCommand, type CommonValues, mustChange, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator, asRunningAdministrator } from '../administrator.ts';
import { Complaint } from '../complaint.ts';
import { readGivenText } from '../given-file.ts';
import { pairsOf } from '../option-values.ts';
import { say } from '../terminal.ts';
import { addNoun, withInputs } from '../verb-command.ts';

type SecretValues = {
  readonly secretFile?: Readonly<Record<string, string>>;
  readonly secretEnv?: Readonly<Record<string, string>>;
  readonly secretStdin?: string;
};

export function addTerminalCommands(program: Command): void {
  const noun = addNoun(program, 'terminal');
  const example = 'tender terminal add acme --connector NAME --set host=bank.example --secret-file macKey=mac.key';
  addChange(noun, 'add', addTerminal, { example });
  addChange(noun, 'set', setTerminal, { asksForChange: true });

  const test = administrationCommand(noun, 'test <name>', testTerminal.summary);
  test.action(async (name: string, { json, ...values }: CommonValues) => {
    const instead = 'because only a running gateway is connected to banks';
    const tested = await asRunningAdministrator(values, instead, ({ ask }) => ask('testTerminal', { name }));
    say(json ? JSON.stringify(tested, null, 2) : testText(tested));
    if (!tested.works) process.exitCode = 1;
  });
}

type Changing = typeof addTerminal | typeof setTerminal;

function addChange(
  noun: Command,
  word: string,
  verb: Changing,
  { example, asksForChange = false }: { readonly example?: string; readonly asksForChange?: boolean },
): void {
  const command = administrationCommand(noun, word, verb.summary);
  const read = withInputs(command, verb);
  command
    .addOption(new Option('--secret-file <name=path>', 'a secret of its connector, in a file').argParser(pairsOf))
    .addOption(
      new Option('--secret-env <name=variable>', 'the same, in a variable of the environment').argParser(pairsOf),
    )
    .option('--secret-stdin <name>', 'the same, read from standard input');
  command.action(async (...called: unknown[]) => {
    const { values, placed, changes } = read(called);
    const secrets = await secretsIn(values as SecretValues);
    const given = { ...changes, ...(Object.keys(secrets).length > 0 && { secrets }) };
    if (asksForChange) mustChange(given);
    const { json, ...where } = values;
    const done = await asAdministrator(where, async (administrator) => {
      const terminal = await administrator.ask(verb.name, { ...placed, ...given });
      return { terminal, tested: await tested(administrator, terminal) };
    });
    say(json ? JSON.stringify(done.terminal, null, 2) : textOf(verb, done));
  });
  if (example !== undefined) withExample(command, example);
}

type Done = { readonly terminal: AnswerTo<'addTerminal'>; readonly tested: AnswerTo<'testTerminal'> | undefined };

function textOf({ show }: Changing, { terminal, tested }: Done): string {
  const failing = tested?.lines.filter(({ works }) => !works) ?? [];
  const lines = failing.map(
    ({ what, detail }) => `It does not work yet: ${what}${detail === null ? '' : `: ${detail}`}`,
  );
  return [show?.(terminal, {}), ...lines].join('\n');
}

/** Nobody else's change is lost because a bank does not answer, so this never fails. */
async function tested({ ask, rotation }: Administrator, { name }: { readonly name: string }) {
  const isRunning = rotation === undefined;
  if (!isRunning) return undefined;
  return ask('testTerminal', { name }).catch(() => undefined);
}

async function secretsIn({ secretFile = {}, secretEnv = {}, secretStdin }: SecretValues) {
  const names = [...Object.keys(secretFile), ...Object.keys(secretEnv), ...(secretStdin ? [secretStdin] : [])];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Complaint(`secret ${twice} is given twice`);
  const secrets: [string, string][] = [];
  for (const [name, path] of Object.entries(secretFile)) secrets.push([name, await readGivenText(path)]);
  for (const [name, variable] of Object.entries(secretEnv)) secrets.push([name, variableOf(name, variable)]);
  if (secretStdin !== undefined) secrets.push([secretStdin, await readAll(process.stdin)]);
  // Editors and shells end a file with a line feed, which is no part of the secret.
  return Object.fromEntries(secrets.map(([name, text]) => [name, text.trim()]));
}

function variableOf(name: string, variable: string): string {
  const text = process.env[variable];
  if (text) return text;
  throw new InvalidInput(`setting ${name}: the variable ${variable} of the environment is not set`);
}
