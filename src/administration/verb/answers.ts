// What a verb answers, as data: a shape is a schema, the type of its values and what of them the audit chain may tell.

import type { ValueSchema } from '../../domain/input-kinds.ts';
import type { Telling } from './inputs.ts';

declare const answered: unique symbol;

export type AnswerShape<T> = {
  readonly schema: ValueSchema;
  readonly told?: Telling;
  /** The members of an object. */
  readonly members?: Members;
  /** Never there: it carries the type. */
  readonly [answered]?: T;
};

// biome-ignore lint/suspicious/noExplicitAny: members of every type stand side by side
type Members = Readonly<Record<string, AnswerShape<any>>>;

/** The type of what a shape describes. */
export type Answered<S> = S extends AnswerShape<infer T> ? T : never;

function shape<T>(schema: ValueSchema, says: string | undefined): AnswerShape<T> {
  return { schema: says === undefined ? schema : { ...schema, description: says } };
}

export const aText = (says?: string): AnswerShape<string> => shape({ type: 'string' }, says);

export const aNumber = (says?: string): AnswerShape<number> => shape({ type: 'integer' }, says);

/** A number that may have a fraction. */
export const aMeasure = (says?: string): AnswerShape<number> => shape({ type: 'number' }, says);

export const aFlag = (says?: string): AnswerShape<boolean> => shape({ type: 'boolean' }, says);

/** A moment as text: `2027-01-31T18:00:00.000Z`. */
export const aMoment = (says?: string): AnswerShape<string> => shape({ type: 'string', format: 'date-time' }, says);

/** An amount in major units with a point. */
export const anAmount = (says?: string): AnswerShape<string> =>
  shape({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }, says ?? 'In major units with a point.');

export const aWord = <const Word extends string>(words: readonly Word[], says?: string): AnswerShape<Word> =>
  shape({ type: 'string', enum: words }, says);

/** One of so many words that a schema does not list them. */
export const aWordOf = <Word extends string>(says?: string): AnswerShape<Word> => shape({ type: 'string' }, says);

export const anything = (says?: string): AnswerShape<unknown> => shape({}, says);

/** An object whose members are not known here. */
export const aRecord = (says?: string): AnswerShape<Readonly<Record<string, unknown>>> =>
  shape({ type: 'object' }, says);

export function orNull<T>({ schema, ...rest }: AnswerShape<T>): AnswerShape<T | null> {
  const { description, ...bare } = schema;
  const says = description === undefined ? {} : { description };
  return { ...rest, schema: { anyOf: [bare, { type: 'null' }], ...says } } as AnswerShape<T | null>;
}

export const aList = <T>(entry: AnswerShape<T>, says?: string): AnswerShape<readonly T[]> =>
  shape({ type: 'array', items: entry.schema }, says);

export const eitherOf = <S extends readonly AnswerShape<unknown>[]>(...shapes: S): AnswerShape<Answered<S[number]>> =>
  shape({ anyOf: shapes.map(({ schema }) => schema) }, undefined);

/** Those that may be absent are. */
type ObjectOf<M extends Members> = {
  readonly [K in keyof M as M[K] extends OptionalShape ? never : K]: Answered<M[K]>;
} & { readonly [K in keyof M as M[K] extends OptionalShape ? K : never]?: Answered<M[K]> | undefined };

export function anObject<M extends Members>(
  members: M,
  says?: string,
): AnswerShape<ObjectOf<M>> & { readonly members: M } {
  const all = Object.entries(members);
  const properties = Object.fromEntries(all.map(([name, one]) => [name, one.schema]));
  const required = all.filter(([, one]) => !('isOptional' in one)).map(([name]) => name);
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { ...shape(schema, says), members };
}

type OptionalShape = { readonly isOptional: true };

/** A member that may be absent. */
export function orAbsent<S extends AnswerShape<unknown>>(shape: S): S & OptionalShape {
  return { ...shape, isOptional: true };
}

/** The same shape, whose value the audit chain keeps. */
export function told<T>(shape: AnswerShape<T>, as: Telling = true): AnswerShape<T> {
  return { ...shape, told: as };
}
