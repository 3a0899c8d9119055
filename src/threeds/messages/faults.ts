// What is wrong with the fields of a message. Every field is checked, so that one Erro can name all faults.

import type { Category, ConditionInput, FieldTable, FieldUse, Format, Version } from './format.ts';

/** 201: a required field is missing. 203: a field has a wrong form. */
export type FieldFault = { readonly code: '201' | '203'; readonly field: string; readonly hint: string };

export type MessageKind = { readonly version: Version; readonly category: Category };

type Values = Readonly<Record<string, unknown>>;

/**
 * The faults of all fields of the table, in its order. Fields that the table or the version does not know are no fault.
 */
export function faultsIn(message: Values, table: FieldTable, { version, category }: MessageKind): FieldFault[] {
  const given: ConditionInput = { message, version, category };
  return faultsOfMembers(table, message, given, '');
}

function faultsOfMembers(table: FieldTable, values: Values, given: ConditionInput, path: string): FieldFault[] {
  return Object.entries(table)
    .filter(([, { versions }]) => versions.includes(given.version))
    .flatMap(([name, use]) => faultsOfField(use, values[name], given, path + name));
}

function faultsOfField(
  { need, format }: FieldUse<unknown, boolean>,
  value: unknown,
  given: ConditionInput,
  name: string,
) {
  const must = need === 'always' || (need !== 'optional' && need.holds(given));
  if (isNothing(value) && must) return [missing(name, need)];
  return value === undefined ? [] : faultsOfValue(format, value, given, name);
}

/** An empty text counts as a missing field. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function missing(field: string, need: FieldUse<unknown, boolean>['need']): FieldFault {
  return { code: '201', field, hint: typeof need === 'object' ? `required for ${need.when}` : 'required' };
}

function faultsOfValue(format: Format<unknown>, value: unknown, given: ConditionInput, name: string): FieldFault[] {
  if (format.kind === 'object' && isObject(value)) return faultsOfMembers(format.members, value, given, `${name}.`);
  if (format.kind === 'list' && Array.isArray(value) && value.length > 0 && value.length <= format.most) {
    return value.flatMap((item, index) => faultsOfValue(format.of, item, given, `${name}[${index}]`));
  }
  return fits(format, value, given.version) ? [] : [{ code: '203', field: name, hint: `must be ${format.hint}` }];
}

function fits(format: Format<unknown>, value: unknown, version: Version): boolean {
  switch (format.kind) {
    case 'text':
      return typeof value === 'string' && fitsText(format, value, version);
    case 'code':
      return typeof value === 'string' && format.codes[version].includes(value);
    case 'boolean':
      return typeof value === 'boolean' && (format.only === undefined || value === format.only);
    case 'free-object':
      return isObject(value) && JSON.stringify(value).length <= format.longest;
    default:
      return false;
  }
}

function fitsText(format: Format<unknown> & { readonly kind: 'text' }, value: string, version: Version): boolean {
  const { shortest, longestIn21, pattern, also } = format;
  const longest = version === '2.1.0' ? (longestIn21 ?? format.longest) : format.longest;
  if (value.trim() === '' || value.length < shortest || value.length > longest) return false;
  return pattern.test(value) && (also === undefined || also(value));
}

export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Only the fields of the table, in its order, also inside objects; undefined values are left out. */
export function known(values: Values, table: FieldTable, version: Version): Values {
  const fields = Object.entries(table).filter(
    ([name, { versions }]) => versions.includes(version) && Object.hasOwn(values, name) && values[name] !== undefined,
  );
  return Object.fromEntries(fields.map(([name, { format }]) => [name, knownValue(values[name], format, version)]));
}

function knownValue(value: unknown, format: Format<unknown>, version: Version): unknown {
  if (format.kind === 'object' && isObject(value)) return known(value, format.members, version);
  if (format.kind === 'list' && Array.isArray(value)) return value.map((item) => knownValue(item, format.of, version));
  return value;
}
