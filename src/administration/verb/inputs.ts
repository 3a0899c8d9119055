// What a verb takes, as data: a set of inputs, each with its kind, its meaning, how the command line asks for it and
// whether the audit chain may tell it. Reading reports every fault at once.

import { type InputKind, Misread } from '../../domain/input-kinds.ts';
import { shown } from '../../domain/text.ts';
import { InvalidInput } from './invalid-input.ts';

/** Nothing that is taken is nested deeper, and nobody reads more names that are not taken. */
const MAX_DEPTH = 16;
const MAX_UNKNOWN = 20;

/** What an administrator gave, as it came. */
export type Given = Readonly<Record<string, unknown>>;

/** What a deed can be done to. The audit chain names the first of these that is known. */
export const SUBJECTS = [
  'order',
  'card reference',
  'recurring payment',
  'key',
  'group',
  'endpoint',
  'merchant',
  'terminal',
  'card network',
  'token',
  'person',
] as const;

export type AuditSubject = (typeof SUBJECTS)[number];

/** Whether the audit chain keeps a value, and whether the value names what the deed was done to. */
export type Telling = true | AuditSubject;

export type Input<T> = {
  readonly kind: InputKind<NonNullable<T>>;
  readonly says: string;
  /** What people read beside its field; made from its name where there is none. */
  readonly title: string | undefined;
  /** What is so while it is not set, where that is more than its kind's word for it. */
  readonly unset: string | undefined;
  readonly required: boolean;
  /** Finishes the sentence "login is missing: … is needed". */
  readonly what: string;
  /** Said in the place of that sentence. */
  readonly missing: string | undefined;
  /** `<order>` is an argument of the command, `--before <id>` an option; without it the command has another way. */
  readonly as: string | undefined;
  /** Of a flag: the option that says no, and what that means. Without `as` it begins with `--no-`. */
  readonly not: readonly [option: string, says: string] | undefined;
  readonly told: Telling | undefined;
};

type InputOptions = Partial<Pick<Input<unknown>, 'as' | 'missing' | 'not' | 'title' | 'told' | 'unset' | 'what'>>;

// biome-ignore lint/suspicious/noExplicitAny: inputs of every type stand side by side
export type Inputs = Readonly<Record<string, Input<any>>>;

export type InputValues<I extends Inputs> = { readonly [K in keyof I]: I[K] extends Input<infer T> ? T : never };

export function mustGive<T>(kind: InputKind<T & {}>, says: string, options: InputOptions = {}): Input<T> {
  const { as, missing, not, title, told, unset, what = kind.what } = options;
  // Optional members that are undefined are as good as left out.
  return { kind, says, title, unset, required: true, what, missing, as, not, told } as Input<T>;
}

export function mayGive<T>(kind: InputKind<T & {}>, says: string, options: InputOptions = {}): Input<T | undefined> {
  // What takes a value takes its absence, once it is not required.
  return { ...mustGive(kind, says, options), required: false } as Input<T | undefined>;
}

/** Reads every input, or throws with everything that is wrong. */
export function readInputs<I extends Inputs>(inputs: I, given: Given): InputValues<I> {
  const faults = unknownNames(inputs, given);
  const values: Record<string, unknown> = {};
  for (const [name, { kind, required, what, missing }] of Object.entries(inputs)) {
    const value = given[name];
    if (value === undefined) {
      if (required) faults.push(missing ?? `${name} is missing: ${what} is needed`);
      continue;
    }
    const fault = unusable(value);
    if (fault !== undefined) {
      faults.push(`${name}: ${fault}`);
      continue;
    }
    const read = kind.read(value, undefined);
    if (read instanceof Misread) faults.push(read.standsAlone ? read.says : `${name}: ${read.says}`);
    else values[name] = read;
  }
  if (faults.length > 0) throw new InvalidInput(...faults);
  // Every name was read by its own input.
  return values as InputValues<I>;
}

/** What is not taken here: of many the first, because nobody reads thousands. */
function unknownNames(inputs: Inputs, given: Given): string[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(inputs, name));
  const told = unknown.slice(0, MAX_UNKNOWN).map((name) => `${shown(name)} is not taken here; ${namesOf(inputs)}`);
  const rest = unknown.length - told.length;
  return rest === 0 ? told : [...told, `${rest} more are not taken here`];
}

/**
 * Why a value is taken by nothing: no database takes NUL in a text, and what is nested deeply is more than whatever
 * walks through it can bear. It is looked through without recursion.
 */
function unusable(given: unknown): string | undefined {
  const open = [{ value: given, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && value.includes('\0')) return 'the character NUL (U+0000) is not taken';
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) return `at most ${MAX_DEPTH} lists or objects within each other are taken`;
    for (const [name, member] of Object.entries(value)) {
      open.push({ value: name, depth }, { value: member, depth: depth + 1 });
    }
  }
  return undefined;
}

function namesOf(inputs: Inputs): string {
  const names = Object.keys(inputs);
  return names.length === 0 ? 'nothing is' : `what is taken: ${names.join(', ')}`;
}
