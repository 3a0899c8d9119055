// A setting is described as data: its name, its kind, a phrase for help and its first value. Types, columns, options,
// checks, views, audit entries and the page of settings all come from lists of these.

import { type InputKind, Misread } from '../input-kinds.ts';

/** The names of operations and fields that some settings may list. */
export type Vocabulary = { readonly operations: readonly string[]; readonly fields: readonly string[] };

/** What reading or showing a value may depend on besides the value. */
export type SettingContext = { readonly vocabulary: Vocabulary; readonly currency?: string };

/** Why values cannot be taken, one sentence for each. */
export class InvalidSettings {
  readonly faults: readonly string[];

  constructor(...faults: readonly string[]) {
    this.faults = faults;
  }
}

export type SettingKind<T, Told = T> = InputKind<T, SettingContext> & {
  /** Makes the value that views show, where it differs: plain JSON, amounts in major units. */
  readonly told?: (value: T, context: Pick<SettingContext, 'currency'>) => Told;
  /** The word people write and read for an unset or empty setting, and the value it then has. */
  readonly none?: { readonly word: string; readonly value: T };
};

type SettingDetails<T> = {
  /** A phrase for help and reference. */
  readonly says: string;
  /** The first value. A setting without one must be given when its merchant or endpoint is made. */
  readonly default?: T | ((id: number) => T);
  /** The first value in words, where it depends on something. */
  readonly first?: string;
  /** The option of the command line, where it is not the name; false where no option changes the setting. */
  readonly option?: string | false;
  /** Help of the option that switches a state off. */
  readonly off?: string;
  /** The word that help shows for the option's value. */
  readonly takes?: string;
  /** The title of the line that shows the setting, where it is not the name. */
  readonly title?: string;
  /** Shown when the setting is unset, where that is more than its kind's word for it. */
  readonly unset?: string;
  /** The setting is shown on the line of the one before it, behind this text. */
  readonly behind?: string;
};

// biome-ignore lint/suspicious/noExplicitAny: a list holds settings of every type
export type Setting = { readonly name: string; readonly kind: SettingKind<any, any> } & SettingDetails<any>;

export function setting<const Name extends string, T, const Details extends SettingDetails<NoInfer<T>>, Told = T>(
  name: Name,
  kind: SettingKind<T, Told>,
  details: Details,
): { readonly name: Name; readonly kind: SettingKind<T, Told> } & Details {
  return { name, kind, ...details };
}

type ValueOf<S extends Setting> = S['kind'] extends SettingKind<infer T, infer _> ? T : never;
type ToldOf<S extends Setting> = S['kind'] extends SettingKind<infer _, infer Told> ? Told : never;

export type SettingsOf<List extends readonly Setting[]> = {
  readonly [S in List[number] as S['name']]: ValueOf<S>;
};

export type ToldSettings<List extends readonly Setting[]> = { readonly [S in List[number] as S['name']]: ToldOf<S> };

/** The settings of a new merchant or endpoint: those without a first value must be given, others may be. */
export type FirstSettings<List extends readonly Setting[]> = Partial<SettingsOf<List>> & {
  readonly [S in List[number] as S extends { default: unknown } ? never : S['name']]: ValueOf<S>;
};

/** All settings of a new merchant or endpoint: those given, and first values for the others. */
export function firstSettings<const List extends readonly Setting[]>(
  settings: List,
  id: number,
  given: FirstSettings<List>,
): SettingsOf<List> {
  const first = settings.map(({ name, default: value }) => [name, typeof value === 'function' ? value(id) : value]);
  return { ...Object.fromEntries(first), ...given };
}

/** Clears every setting that can be cleared, beside the word that its own kind has for it. */
export const CLEARED = 'none';

/** A list may hold the word as its only entry. */
function isCleared(given: unknown, word: string): boolean {
  const [one, ...more] = Array.isArray(given) ? given : [given];
  return more.length === 0 && (one === CLEARED || one === word);
}

/** The changes among what was given, or everything that is wrong with them. */
export function readSettings<const List extends readonly Setting[]>(
  settings: List,
  given: Readonly<Record<string, unknown>>,
  context: SettingContext,
): Partial<SettingsOf<List>> | InvalidSettings {
  const changes: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const { name, kind } of settings) {
    if (given[name] === undefined) continue;
    const value =
      kind.none && isCleared(given[name], kind.none.word) ? kind.none.value : kind.read(given[name], context);
    if (value instanceof Misread) faults.push(value.standsAlone ? value.says : `${name}: ${value.says}`);
    else changes[name] = value;
  }
  return faults.length > 0 ? new InvalidSettings(...faults) : (changes as Partial<SettingsOf<List>>);
}

export function toldSettings<const List extends readonly Setting[]>(
  settings: List,
  values: SettingsOf<List>,
  context: Pick<SettingContext, 'currency'> = {},
): ToldSettings<List> {
  const all = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    settings.map(({ name, kind: { told } }) => [name, told ? told(all[name], context) : all[name]]),
  ) as ToldSettings<List>;
}
