// A setting is a value: its name, its kind, what it says and what it is at first. Types, columns, options, checks,
// views, audit entries and the page of settings all come from lists of these.

/** Names of the interface that some settings are made of. */
export type Vocabulary = { readonly operations: readonly string[]; readonly fields: readonly string[] };

/** What reading or telling a value may depend on besides itself. */
export type SettingContext = { readonly vocabulary: Vocabulary; readonly currency?: string };

/** Why values cannot be taken, one sentence for each of them. */
export class InvalidSettings {
  readonly faults: readonly string[];

  constructor(...faults: readonly string[]) {
    this.faults = faults;
  }
}

export type SettingKind<T, Told = T> = {
  /** Storage, command line and documents choose by it what fits. */
  readonly sort: 'flag' | 'state' | 'word' | 'text' | 'amount' | 'list';
  readonly read: (given: unknown, name: string, context: SettingContext) => T | InvalidSettings;
  /** As views have it: plain JSON, amounts in major units. */
  readonly told: (value: T, context: Pick<SettingContext, 'currency'>) => Told;
  /** The word for nothing of it: what it is then, and how people are told. */
  readonly none?: { readonly word: string; readonly value: T };
  /** All that can be given, where it can be listed. */
  readonly words?: readonly string[];
  /** What is given, in one word of an option's help. */
  readonly takes: string;
};

type SettingDetails<T> = {
  /** A phrase for help and reference. */
  readonly says: string;
  /** What it is at first. Settings without it must be given to whatever is new. */
  readonly default?: T | ((id: number) => T);
  /** The same in words, where it depends on something. */
  readonly first?: string;
  /** Of the command line, where it is not the name; false where no option changes it. */
  readonly option?: string | false;
  /** Help of the option that switches a state off. */
  readonly off?: string;
  readonly takes?: string;
  /** Of the line that shows it, where it is not the name. */
  readonly title?: string;
  /** Shown when there is nothing of it, where that is more than its kind's word. */
  readonly unset?: string;
  /** Shown behind this, on the line of the setting before. */
  readonly behind?: string;
};

// biome-ignore lint/suspicious/noExplicitAny: a list holds settings of every type
export type Setting = { readonly name: string; readonly kind: SettingKind<any, any> } & SettingDetails<any>;

export function setting<const Name extends string, T, Told, const Details extends SettingDetails<NoInfer<T>>>(
  name: Name,
  kind: SettingKind<T, Told>,
  details: Details,
): { readonly name: Name; readonly kind: SettingKind<T, Told> } & Details {
  return { name, kind, ...details };
}

type ValueOf<S extends Setting> = S['kind'] extends SettingKind<infer T, infer _> ? T : never;
type ToldOf<S extends Setting> = ReturnType<S['kind']['told']>;

export type SettingsOf<List extends readonly Setting[]> = {
  readonly [S in List[number] as S['name']]: ValueOf<S>;
};

export type ToldSettings<List extends readonly Setting[]> = { readonly [S in List[number] as S['name']]: ToldOf<S> };

/** What must be given of something new, and what may be. */
export type FirstSettings<List extends readonly Setting[]> = Partial<SettingsOf<List>> & {
  readonly [S in List[number] as S extends { default: unknown } ? never : S['name']]: ValueOf<S>;
};

/** The settings of something new. */
export function firstSettings<const List extends readonly Setting[]>(
  settings: List,
  id: number,
  given: FirstSettings<List>,
): SettingsOf<List> {
  const first = settings.map(({ name, default: value }) => [name, typeof value === 'function' ? value(id) : value]);
  return { ...Object.fromEntries(first), ...given };
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
    const value = given[name] === kind.none?.word ? kind.none?.value : kind.read(given[name], name, context);
    if (value instanceof InvalidSettings) faults.push(...value.faults);
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
    settings.map(({ name, kind }) => [name, kind.told(all[name], context)]),
  ) as ToldSettings<List>;
}
