// Reads JSON of other programs, field by field. A field that is not as it should be throws `Unreadable`, whose message
// never repeats the text, because it may hold card data.

export class UnreadableWire extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

const ANY_TEXT = /^[\s\S]{0,1024}$/;

export function readObject(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableWire('not JSON');
  }
  return objectOf({ body: value }, 'body');
}

export function objectOf(fields: Fields, name: string): Fields {
  const value = fields[name];
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new UnreadableWire(`${name}: expected a JSON object`);
}

export function textOf(fields: Fields, name: string, shape: RegExp = ANY_TEXT): string {
  const value = fields[name];
  if (typeof value === 'string' && shape.test(value)) return value;
  throw new UnreadableWire(`${name}: missing or malformed`);
}

/** The texts with these names, as far as they are given. */
export function optionalTexts<Name extends string>(
  fields: Fields,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const present = names.filter((name) => fields[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, textOf(fields, name)])) as { [name in Name]?: string };
}

/** The objects with these names, as far as they are given, each read by `read`. */
export function optionalObjects<Name extends string, T>(
  fields: Fields,
  names: readonly Name[],
  read: (fields: Fields) => T,
): { readonly [name in Name]?: T } {
  const present = names.filter((name) => fields[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, read(objectOf(fields, name))])) as { [name in Name]?: T };
}

export function wireWord<Value extends string>(fields: Fields, name: string, values: readonly Value[]): Value {
  const value = values.find((known) => known === fields[name]);
  if (value !== undefined) return value;
  throw new UnreadableWire(`${name}: expected one of ${values.join(', ')}`);
}

export function numberOf(fields: Fields, name: string, least: number, most: number): number {
  const value = fields[name];
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new UnreadableWire(`${name}: expected a number from ${least} to ${most}`);
}

export function booleanOf(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value === 'boolean') return value;
  throw new UnreadableWire(`${name}: expected true or false`);
}
