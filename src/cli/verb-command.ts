// The commands that are verbs: names, arguments, options, help and the words of the answer all come from the verb.

import { type Command, Option } from 'commander';
import type { VerbName } from '../administration/administration.ts';
import { nouns, verbs } from '../administration/index.ts';
import type { Given, Input } from '../administration/verb/inputs.ts';
import type { AnyVerb } from '../administration/verb/verb.ts';
import type { Spelling } from '../domain/input-kinds.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  describedCommand,
  mustChange,
  withExample,
} from './administration-command.ts';
import { dateOf, idOf, idsOf, listOf, momentOf, onOffOf, pairsOf, wholeNumberOf } from './option-values.ts';

const list: readonly AnyVerb[] = verbs;

const READERS: Readonly<Partial<Record<Spelling, (text: string, earlier: never) => unknown>>> = {
  date: dateOf,
  flag: onOffOf,
  id: idOf,
  ids: idsOf,
  list: listOf,
  moment: momentOf,
  number: wholeNumberOf,
  pairs: pairsOf,
};

type CommandForm = Pick<AnyVerb, 'summary' | 'example' | 'show' | 'mustChange'> & {
  readonly verb: AnyVerb;
  readonly words: string;
  readonly takes: readonly string[];
  readonly gives: Given;
};

/** Adds a noun with the commands of its verbs. */
export function addNoun(program: Command, noun: keyof typeof nouns): Command {
  const command = describedCommand(program, noun, nouns[noun]);
  for (const form of list.flatMap(formsOf)) {
    const [first, word] = form.words.split(' ');
    if (first === noun && word !== undefined) addCommand(command, word, form);
  }
  return command;
}

/** Answers in the words of the verb. */
export function tell(verb: VerbName, values: CommonValues, given: Given = {}): Promise<void> {
  const { show = asJson } = list.find(({ name }) => name === verb) as AnyVerb;
  return answerWith(
    values,
    ({ ask }) => ask(verb, given),
    (answer) => show(answer, given),
  );
}

function formsOf(verb: AnyVerb): CommandForm[] {
  const { command, further = [], given } = verb;
  const own = command === undefined ? [] : [{ ...verb, verb, words: command, takes: Object.keys(given), gives: {} }];
  return [...own, ...further.map((one) => ({ ...one, verb }))];
}

function addCommand(noun: Command, word: string, form: CommandForm): void {
  const { verb, summary, example, takes, gives, show = asJson } = form;
  const command = administrationCommand(noun, word, summary);
  const read = withInputs(command, verb, takes);
  command.action((...called: unknown[]) => {
    const { values, placed, changes } = read(called);
    if (form.mustChange) mustChange(changes);
    const given = { ...placed, ...changes, ...gives };
    return answerWith(
      values,
      ({ ask }) => ask(verb.name as VerbName, given),
      (answer) => show(answer, given),
    );
  });
  if (example !== undefined) withExample(command, example);
}

/** What a command was called with: by its arguments, and by those of its options that are inputs of the verb. */
export type CalledCommand = { readonly values: CommonValues; readonly placed: Given; readonly changes: Given };

/** Lets a command ask for inputs of a verb, and gives the way to read them. */
export function withInputs(
  command: Command,
  verb: AnyVerb,
  takes: readonly string[] = Object.keys(verb.given),
): (called: readonly unknown[]) => CalledCommand {
  const asked = takes.map((name) => [name, verb.given[name] as Input<unknown>] as const);
  const places = asked.filter(([, { as }]) => as !== undefined && !as.startsWith('--'));
  for (const [, input] of places) command.argument(input.as ?? '', input.says, readerOf(input));
  const options = asked
    .filter(([, { as, not }]) => (as ?? not?.[0])?.startsWith('--'))
    .flatMap(([name, input]) => optionsOf(name, input));
  for (const { option } of options) command.addOption(option);
  return (called) => {
    const values = called[places.length] as CommonValues & Given;
    const opted = options.map(({ name, option, says }) => [name, says(values[option.attributeName()])]);
    const placed = places.map(([name], index) => [name, called[index]]);
    return { values, placed: onlyDefined(placed), changes: onlyDefined(opted) };
  };
}

type GivenOption = { readonly name: string; readonly option: Option; says(value: unknown): unknown };

function optionsOf(name: string, input: Input<unknown>): GivenOption[] {
  const same = (value: unknown) => value;
  // Of what is done unless somebody says no, there is only the option that says no.
  if (input.as === undefined && input.not) return [{ name, option: new Option(...input.not), says: same }];
  const option = optionOf(input);
  const own = { name, option, says: same };
  if (input.not === undefined) return [own];
  const not = new Option(...input.not).conflicts(option.attributeName());
  return [own, { name, option: not, says: (value) => (value === undefined ? undefined : !value) }];
}

function optionOf(input: Input<unknown>): Option {
  const { as = '', says, required, kind } = input;
  const option = new Option(as, says).makeOptionMandatory(required);
  const { enum: words } = kind.schema as { readonly enum?: readonly string[] };
  if (kind.spelling === 'word' && words) return option.choices(words);
  const reader = readerOf(input);
  return reader && as.includes('<') ? option.argParser(reader) : option;
}

function readerOf({ kind }: Input<unknown>): ((text: string, earlier: unknown) => unknown) | undefined {
  const read = READERS[kind.spelling] as ((text: string, earlier: unknown) => unknown) | undefined;
  return read && ((text, earlier) => (text === kind.orWord ? text : read(text, earlier)));
}

function onlyDefined(entries: readonly (readonly unknown[])[]): Given {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function asJson(answer: unknown): string {
  return JSON.stringify(answer, null, 2);
}
