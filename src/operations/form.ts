// What a request may carry, as data: a form is a set of fields, a field says how its text is spelled, checked and read.
// Types, validation, the OpenAPI document and the masking of journals all come from these values.

import { type ErrorName, type Fault, fault } from '../domain/errors.ts';
import type { Notation } from '../domain/money/money.ts';

export type JsonSchema = Record<string, unknown>;

/** What reading a field may depend on besides its own text. */
export type ReadingContext = {
  readonly now: number;
  /** The request's currency when it is a payable one. */
  readonly currency?: string | undefined;
  /** How amounts are written: found by the signature, or fixed by the operation. */
  readonly notation?: Notation;
};

/** Why a text is not a value of the field; `hint` says what would be right. */
export class Unreadable {
  readonly error: ErrorName;
  readonly hint: string;

  constructor(hint: string, error: ErrorName = 'parameter-malformed') {
    this.hint = hint;
    this.error = error;
  }
}

/** A well-formed text whose value depends on something the context lacks. No fault, and absent from the values. */
export const UNSETTLED: unique symbol = Symbol('unsettled');

/** How a field's value is shown in the journal: whole, only the ends of a card number, or not at all. */
export type Exposure = 'plain' | 'card-number' | 'hidden';

export type Field<T> = {
  /** The specification's spelling. `_` and `-` are interchangeable in requests. */
  readonly wire: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly maxLength: number;
  readonly exposure: Exposure;
  readonly required: boolean;
  readonly read: (text: string, context: ReadingContext) => T | Unreadable | typeof UNSETTLED;
};

// biome-ignore lint/suspicious/noExplicitAny: a shape holds fields of every type
export type Shape = Record<string, Field<any>>;

type FieldValue<F> = F extends Field<infer T> ? T : never;

export type Values<S extends Shape> = { readonly [K in keyof S]: FieldValue<S[K]> };

/**
 * A rule over several fields of one form, with the sentence that documents it. Fields that were unreadable are absent
 * from `values`; `sent` has the properties of all fields the request carries, readable or not, so that one fault does
 * not cause another.
 */
export type Rule<V> = {
  readonly says: string;
  /** Fields that need others beside them, by their names, where that is all of the rule. */
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly faults: (values: V, context: ReadingContext, sent: Sent) => readonly Fault[];
};

/** The properties of all fields a request carries. */
export type Sent = { has(property: string): boolean };

/** A field beside the property that holds its value and the name its parameter is found under. */
export type NamedField = { readonly property: string; readonly name: string; readonly field: Field<unknown> };

export type Form<S extends Shape = Shape> = {
  readonly fields: S;
  /** The same fields as a list, made once: every request goes through all of them. */
  readonly named: readonly NamedField[];
  /**
   * No value for any of the fields. Copies of it share one shape, and are read much quicker than what grows name by
   * name.
   */
  readonly blank: Readonly<Record<string, unknown>>;
  readonly rules: readonly Rule<Partial<Values<S>>>[];
};

export function form<S extends Shape>(fields: S, ...rules: Rule<Partial<Values<S>>>[]): Form<S> {
  const named = Object.entries(fields).map(([property, field]) => {
    const name = canonicalName(field.wire);
    for (const spelling of [name, field.wire, ...otherSpellings(field.wire)]) spellings.set(spelling, name);
    if (field.exposure !== 'plain') secretNames.add(name);
    return { property, field, name };
  });
  return { fields, named, blank: blankOf(Object.keys(fields)), rules };
}

/** Made by JSON.parse: an object that gets more than a dozen names one by one becomes a slow dictionary. */
function blankOf(properties: readonly string[]): Record<string, unknown> {
  const blank: Record<string, unknown> = JSON.parse(`{${properties.map((property) => `"${property}":0`).join()}}`);
  for (const property of properties) blank[property] = undefined;
  return blank;
}

export function optional<T>(field: Field<T>): Field<T | undefined> {
  return { ...field, required: false };
}

/** The same fields, none of them required. */
export function allOptional<S extends Shape>(
  fields: S,
): { readonly [K in keyof S]: Field<FieldValue<S[K]> | undefined> } {
  const entries = Object.entries(fields).map(([property, field]) => [property, optional(field)]);
  return Object.fromEntries(entries);
}

/** The parameters of one request by canonical name, trimmed; absent and empty mean the same. */
export type Parameters = ReadonlyMap<string, string>;

// Fields with a second name that differs by more than `_` or `-`.
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['client_order_id', 'client_orderid'],
  ['cres', 'cRes'],
  ['pares', 'paRes'],
  ['destination', 'destination_card_no'],
]);

/** Canonical names of our fields by their spellings: a lookup is fast and returns the string that our lists hold. */
const spellings = new Map<string, string>();

/** Canonical names of fields that some operation's journal does not show whole. */
const secretNames = new Set<string>();

export function isSecretName(name: string): boolean {
  return secretNames.has(name);
}

/** One name for all spellings of a field: `client-order-id`, `client-orderid` and `client_orderid` are one. */
export function canonicalName(spelling: string): string {
  return spellings.get(spelling) ?? canonical(spelling);
}

function canonical(spelling: string): string {
  const name = spelling.includes('-') ? spelling.replaceAll('-', '_') : spelling;
  return OTHER_NAMES.get(name) ?? name;
}

/** The other names of a field, for the documentation. */
export function otherSpellings(wire: string): string[] {
  const own = canonical(wire);
  const others = [...OTHER_NAMES].filter(([, name]) => name === own).map(([other]) => other);
  const names = [own, ...others];
  const all = names.flatMap((name) => [name, name.replaceAll('_', '-')]);
  return [...new Set(all)].filter((spelling) => spelling !== wire);
}

/** A field that was sent, and its text. */
export type SentField = NamedField & { readonly text: string };

export type FormReading<S extends Shape> = {
  readonly values: Values<S>;
  readonly faults: Fault[];
  /** The fields that were sent, in the order of the form. */
  readonly sent: readonly SentField[];
};

/**
 * Reads every field and reports every fault at once. `values` is complete only when there are no faults and the
 * context had what its fields depend on.
 */
export function readForm<S extends Shape>(
  { named, blank, rules }: Form<S>,
  parameters: Parameters,
  context: ReadingContext,
  alsoRequired: readonly string[] = [],
): FormReading<S> {
  const values: Record<string, unknown> = { ...blank };
  const faults: Fault[] = [];
  const sent: SentField[] = [];
  for (const { property, name, field } of named) {
    const text = parameters.get(name);
    if (text === undefined) {
      if (field.required || alsoRequired.includes(field.wire)) {
        faults.push(fault('parameter-required', { field: field.wire }));
      }
      continue;
    }
    sent.push({ property, name, field, text });
    const value = readField(field, text, context);
    if (value instanceof Unreadable) faults.push(fault(value.error, { field: field.wire, hint: value.hint }));
    else if (value !== UNSETTLED) values[property] = value;
  }
  const has = (wanted: string) => sent.some(({ property }) => property === wanted);
  for (const rule of rules) {
    for (const one of rule.faults(values as Partial<Values<S>>, context, { has })) {
      if (!faults.some(({ message }) => message === one.message)) faults.push(one);
    }
  }
  return { values: values as Values<S>, faults, sent };
}

/** The values without undefined ones, so that they can be spread over others. */
export function onlyGiven<V extends object>(values: V): Partial<V> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<V>;
}

function readField<T>(field: Field<T>, text: string, context: ReadingContext): T | Unreadable | typeof UNSETTLED {
  if (text.length > field.maxLength && [...text].length > field.maxLength) {
    return new Unreadable(`at most ${field.maxLength} characters`, 'parameter-too-long');
  }
  return field.read(text, context);
}
