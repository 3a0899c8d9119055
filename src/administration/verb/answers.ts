// What a verb answers, as data: a shape is a schema, the type of its values, how they are written from what is stored,
// and what of them the audit chain may tell.

import type { ValueSchema } from '../../domain/input-kinds.ts';
import { type Money, writeAmount } from '../../domain/money/money.ts';
import type { Telling } from './inputs.ts';

/** `Raw` is what a verb gives for it: numbers for moments, nothing for null, objects that hold more than is told. */
export type AnswerShape<T, Raw = T> = {
  readonly schema: ValueSchema;
  readonly told?: Telling;
  /** The members of an object. */
  readonly members?: Members;
  /** The entries of a list. */
  // biome-ignore lint/suspicious/noExplicitAny: entries of every type
  readonly entry?: AnswerShape<any, any>;
  /** A secret that nobody is told again. */
  readonly isToldOnce?: true;
  readonly write: (raw: Raw) => T;
};

// biome-ignore lint/suspicious/noExplicitAny: members of every type stand side by side
type Members = Readonly<Record<string, AnswerShape<any, any>>>;

/** The type of what a shape describes, and of what it is written from. */
export type Answered<S> = S extends { readonly write: (raw: never) => infer T } ? T : never;
export type RawAnswer<S> = S extends { readonly write: (raw: infer Raw) => unknown } ? Raw : never;

function shape<T>(schema: ValueSchema, says?: string): AnswerShape<T> {
  return writtenBy((raw: T) => raw, schema, says);
}

function writtenBy<T, Raw>(write: (raw: Raw) => T, schema: ValueSchema, says?: string): AnswerShape<T, Raw> {
  return { schema: says === undefined ? schema : { ...schema, description: says }, write };
}

export const aText = (says?: string): AnswerShape<string> => shape({ type: 'string' }, says);

export const aNumber = (says?: string): AnswerShape<number> => shape({ type: 'integer' }, says);

/** A number that may have a fraction. */
export const aMeasure = (says?: string): AnswerShape<number> => shape({ type: 'number' }, says);

export const aFlag = (says?: string): AnswerShape<boolean> => shape({ type: 'boolean' }, says);

/** A moment as text: `2027-01-31T18:00:00.000Z`. */
export const aMoment = (says?: string): AnswerShape<string, number> =>
  writtenBy((moment) => new Date(moment).toISOString(), { type: 'string', format: 'date-time' }, says);

/** An amount in major units with a point. */
export const anAmount = (says = 'In major units with a point.'): AnswerShape<string, Money> =>
  writtenBy((money) => writeAmount(money, 'major'), { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }, says);

export const aWord = <const Word extends string>(words: readonly Word[], says?: string): AnswerShape<Word> =>
  shape({ type: 'string', enum: words }, says);

/** One of so many words that a schema does not list them. */
export const aWordOf = <Word extends string>(says?: string): AnswerShape<Word> => shape({ type: 'string' }, says);

export const anything = (says?: string): AnswerShape<unknown> => shape({}, says);

/** An object whose members are not known here. */
export const aRecord = (says?: string): AnswerShape<Readonly<Record<string, unknown>>> =>
  shape({ type: 'object' }, says);

export function orNull<T, Raw>({ schema, write, ...rest }: AnswerShape<T, Raw>): AnswerShape<T | null, Raw | Nothing> {
  const { description, ...bare } = schema;
  const says = description === undefined ? {} : { description };
  const orNothing = (raw: Raw | Nothing) => (raw === undefined || raw === null ? null : write(raw));
  // What may be anything may be null.
  const shown = Object.keys(bare).length === 0 ? {} : { anyOf: [bare, { type: 'null' }] };
  return { ...rest, schema: { ...shown, ...says }, write: orNothing };
}

type Nothing = undefined | null;

export const aList = <T, Raw>(
  entry: AnswerShape<T, Raw>,
  says?: string,
): AnswerShape<readonly T[], readonly Raw[]> => ({
  ...writtenBy((raw: readonly Raw[]) => raw.map(entry.write), { type: 'array', items: entry.schema }, says),
  entry,
});

/** Objects that say by the word `kind` which of these members they have. */
export function byKind<K extends Readonly<Record<string, Members>>>(kinds: K) {
  const shapes = Object.entries(kinds).map(([kind, members]) => anObject({ kind: aWord([kind]), ...members }));
  const ofKind = new Map(Object.keys(kinds).map((kind, index) => [kind, shapes[index]]));
  type Shapes = { [Kind in keyof K & string]: ObjectShape<{ kind: AnswerShape<Kind> } & K[Kind]> }[keyof K & string];
  return writtenBy(
    (raw: RawAnswer<Shapes> & { readonly kind: string }) =>
      // The shape was found by the kind of this very value.
      ofKind.get(raw.kind)?.write(raw as never) as Answered<Shapes>,
    { anyOf: shapes.map(({ schema }) => schema) },
  );
}

/** Those that may be absent are. */
type ObjectOf<M extends Members> = {
  readonly [K in keyof M as M[K] extends OptionalShape ? never : K]: Answered<M[K]>;
} & { readonly [K in keyof M as M[K] extends OptionalShape ? K : never]?: Answered<M[K]> | undefined };

/** What may be nothing may be left out. */
type RawObject<M extends Members> = {
  readonly [K in keyof M as undefined extends RawAnswer<M[K]> ? never : K]: RawAnswer<M[K]>;
} & { readonly [K in keyof M as undefined extends RawAnswer<M[K]> ? K : never]?: RawAnswer<M[K]> };

type ObjectShape<M extends Members> = AnswerShape<ObjectOf<M>, RawObject<M>> & { readonly members: M };

export function anObject<M extends Members>(members: M, says?: string): ObjectShape<M> {
  const all = Object.entries(members);
  const properties = Object.fromEntries(all.map(([name, one]) => [name, one.schema]));
  const required = all.filter(([, one]) => !('isOptional' in one)).map(([name]) => name);
  const schema = { type: 'object', properties, required, additionalProperties: false };
  const write = (raw: RawObject<M>) =>
    // Object.fromEntries has lost which names they are.
    Object.fromEntries(all.map(([name, one]) => [name, one.write(Reflect.get(raw, name))])) as ObjectOf<M>;
  return { ...writtenBy(write, schema, says), members };
}

type OptionalShape = { readonly isOptional: true };

/** A member that may be absent. */
export function orAbsent<T, Raw>({ write, ...shape }: AnswerShape<T, Raw>) {
  const orNothing = (raw: Raw | undefined) => (raw === undefined ? undefined : write(raw));
  return { ...shape, write: orNothing, isOptional: true } as const;
}

/** The same shape, whose value the audit chain keeps. */
export function told<T, Raw>(shape: AnswerShape<T, Raw>, as: Telling = true): AnswerShape<T, Raw> {
  return { ...shape, told: as };
}

/** The same shape, whose value is a secret that nobody is told again, not even who asks again by the same key. */
export function toldOnce<T, Raw>(shape: AnswerShape<T, Raw>): AnswerShape<T, Raw> {
  return { ...shape, isToldOnce: true };
}

/** Whether an answer holds such a secret. */
export function tellsOnce({ isToldOnce, members = {}, entry }: AnswerShape<unknown>, answer: unknown): boolean {
  if (answer === null || answer === undefined) return false;
  if (isToldOnce) return true;
  if (Array.isArray(answer)) return entry !== undefined && answer.some((one) => tellsOnce(entry, one));
  return Object.entries(members).some(([name, one]) => tellsOnce(one, Reflect.get(answer, name)));
}
