// Settings as inputs and answers of verbs, and as the lines that show them.

import type { ValueSchema } from '../../domain/input-kinds.ts';
import {
  InvalidSettings,
  readSettings,
  type Setting,
  type SettingContext,
  type SettingsOf,
  type ToldSettings,
} from '../../domain/merchant/setting.ts';
import { helpOf, optionOf, settingText, titleOf } from '../../domain/merchant/setting-spelling.ts';
import { type AnswerShape, told } from '../verb/answers.ts';
import { type Given, type Input, mayGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';

type SettingInputs<List extends readonly Setting[]> = { readonly [Name in List[number]['name']]: Input<unknown> };
type SettingAnswers<List extends readonly Setting[]> = {
  readonly [Name in keyof ToldSettings<List>]: AnswerShape<ToldSettings<List>[Name]>;
};

/** Taken as they are given: `changesIn` reads them when it is known what they depend on. */
export function settingInputs<const List extends readonly Setting[]>(settings: List): SettingInputs<List> {
  return byName(settings, (one) => {
    const not = one.off === undefined ? undefined : (['--disable', one.off] as const);
    const orWord = one.kind.none ? { orWord: one.kind.none.word } : {};
    const kind = { ...one.kind, ...orWord, schema: takenSchema(one.kind), read: (value: unknown) => value as object };
    const { unset } = one;
    return mayGive(kind, helpOf(one), { as: optionOf(one), not, title: titleOf(one), told: true, unset });
    // Object.fromEntries has lost which names they are.
  }) as SettingInputs<List>;
}

/** What is no text can also be given as the word that clears it. */
function takenSchema({ schema, none }: Setting['kind']): ValueSchema {
  return none && schema.type === 'integer' ? { anyOf: [schema, { type: 'string', enum: [none.word] }] } : schema;
}

export function settingAnswers<const List extends readonly Setting[]>(settings: List): SettingAnswers<List> {
  return byName(settings, ({ kind, says }) => {
    const mayBeUnset = kind.none !== undefined && kind.none.value === undefined;
    const schema = mayBeUnset ? { anyOf: [kind.schema, { type: 'null' }] } : kind.schema;
    return told({ schema: { ...schema, description: says }, write: (raw: unknown) => raw });
    // Object.fromEntries has lost which names they are.
  }) as SettingAnswers<List>;
}

/** Throws when one of them cannot be made, with everything that is wrong. */
export function changesIn<const List extends readonly Setting[]>(
  settings: List,
  given: Given,
  context: SettingContext,
): Partial<SettingsOf<List>> {
  const read = readSettings(settings, given, context);
  if (read instanceof InvalidSettings) throw new InvalidInput(...read.faults);
  return read;
}

/** A line for each of them. */
export function settingLines(settings: readonly Setting[], view: Given): [title: string, text: string][] {
  const lines: [string, string][] = [];
  for (const one of settings) {
    const text = settingText(one, view[one.name]);
    const before = lines.at(-1);
    if (one.behind !== undefined && before) before[1] += `, ${one.behind} ${text}`;
    else lines.push([titleOf(one), text]);
  }
  return lines;
}

function byName<T>(settings: readonly Setting[], make: (one: Setting) => T): Record<string, T> {
  return Object.fromEntries(settings.map((one) => [one.name, make(one)]));
}
