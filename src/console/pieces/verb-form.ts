// The inputs of a verb as fields of a form, with their meaning and what is so now: a new input of a verb has a field by
// itself. What is sent is compared with what is so, and only what differs is given to the verb.

import type { VerbName } from '../../administration/administration.ts';
import { verbs } from '../../administration/index.ts';
import { unspelled } from '../../administration/terminals/connector-values.ts';
import type { Given, Input, Inputs } from '../../administration/verb/inputs.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { FormValues, Visit } from '../page.ts';
import { choiceField, textArea, textField, typed } from './forms.ts';

type VerbFieldOptions = {
  /** The form they stand in, by the word behind the page's path. */
  readonly form: string;
  /** What is so now, by the names of inputs. */
  readonly now?: Given;
  /** What the page itself knows or asks in another way. */
  readonly without?: readonly string[];
  /** Only these, in their order. */
  readonly only?: readonly string[];
  readonly labels?: FormValues;
  readonly hints?: FormValues;
};

/** Texts longer than this have a field of several lines. */
const LONG_TEXT = 300;

export function verbFields(visit: Visit, verb: VerbName, options: VerbFieldOptions): Html[] {
  return asked(verb, options).map(([name, input]) => verbField(visit, name, input, options));
}

/** The names of the inputs that have a field. */
export function verbInputNames(verb: VerbName, options: Pick<VerbFieldOptions, 'only' | 'without'>): string[] {
  return asked(verb, options).map(([name]) => name);
}

/** What was sent of these inputs and differs from what is so now, as the verb takes it. */
export function verbGiven(
  { given }: Pick<Visit, 'given'>,
  verb: VerbName,
  { now = {}, ...options }: Pick<VerbFieldOptions, 'now' | 'without' | 'only'> = {},
): Record<string, unknown> {
  const changes = asked(verb, options).flatMap(([name, input]) => {
    const text = given[name]?.replaceAll('\r', '').trim();
    if (text === undefined || text === textOf(now[name])) return [];
    return [[name, spokenOf(input, text)] as const];
  });
  return Object.fromEntries(changes);
}

function asked(verb: VerbName, { only, without = [] }: Pick<VerbFieldOptions, 'only' | 'without'>) {
  const inputs: Inputs = verbs.find(({ name }) => name === verb)?.given ?? {};
  const all = Object.entries(inputs).filter(([, { kind }]) => kind.spelling !== 'pairs');
  if (only) return all.filter(([name]) => only.includes(name)).sort(([a], [b]) => only.indexOf(a) - only.indexOf(b));
  return all.filter(([name]) => !without.includes(name));
}

function verbField(visit: Visit, name: string, input: Input<unknown>, options: VerbFieldOptions): Html {
  const { form, now = {}, labels = {}, hints = {} } = options;
  const { kind, required } = input;
  const value = typed(visit, form, name, textOf(now[name]));
  const label = labels[name] ?? input.title ?? titledName(name);
  const field = { name, label, value, hint: hints[name] ?? hintOf(input), required, of: form };
  const choices = choicesOf(input, textOf(now[name]) === '');
  if (choices) return choiceField(field, choices);
  const { maxLength = 0 } = kind.schema as { readonly maxLength?: number };
  return maxLength > LONG_TEXT ? textArea(field) : textField({ ...field, numeric: NUMBERS.has(kind.spelling) });
}

const NUMBERS = new Set(['number', 'id', 'amount']);

/** What stands in the field for a value. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** An empty field takes something away where a word does so. */
function spokenOf({ kind }: Input<unknown>, text: string): unknown {
  return text === '' && kind.orWord !== undefined ? kind.orWord : unspelled(kind.spelling, text);
}

/** As facts say it. */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  flag: ['On', 'Off'],
  state: ['Enabled', 'Disabled'],
};

function choicesOf({ kind, required }: Input<unknown>, isUnset: boolean): [string, string][] | undefined {
  const mayBeEmpty = kind.orWord !== undefined || (isUnset && !required);
  const nothing: [string, string][] = mayBeEmpty ? [['', 'As usual']] : [];
  const [yes, no] = WORDS[kind.spelling] ?? [];
  if (yes !== undefined && no !== undefined) return [...nothing, ['on', yes], ['off', no]];
  const { enum: words } = kind.schema as { readonly enum?: readonly string[] };
  if (kind.spelling !== 'word' || !words) return undefined;
  return [...nothing, ...words.map((one): [string, string] => [one, one])];
}

function hintOf({ says, kind, unset }: Input<unknown>): Piece {
  const { orWord } = kind;
  const bare = orWord === undefined ? says : says.replace(new RegExp(`, or ${orWord}(; none means ${orWord})?$`), '');
  const text = bare.charAt(0).toUpperCase() + bare.slice(1);
  const many = kind.spelling === 'list' || kind.spelling === 'ids' ? '; several with commas between them' : '';
  return `${text}${many}.${orWord === undefined ? '' : emptyOf(orWord, WORDS[kind.spelling] !== undefined, unset)}`;
}

/** What an empty field means, in the words of its choice or of what is then so. */
function emptyOf(orWord: string, isChosen: boolean, unset: string | undefined): string {
  if (unset !== undefined) return ` ${isChosen ? 'As usual' : 'While empty'}: ${unset}.`;
  return isChosen ? '' : ` Empty for ${orWord}.`;
}

const ABBREVIATIONS = /\b(bin|ca|ip|mac|pem|tls|tpdu|url)\b/g;

/** `Signed forms` for `signedForms`, `TLS` for `tls`, `Answer (ms)` for `answerMs`. */
export function titledName(name: string): string {
  const words = name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/ ms$/, ' (ms)')
    .replace(ABBREVIATIONS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fields under a heading of their own. */
export function fieldGroup(title: string, fields: Piece): Html {
  return html`<fieldset class="group"><legend>${title}</legend><div class="field-grid">${fields}</div></fieldset>`;
}
