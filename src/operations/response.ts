// What an operation replies, as data: a response is a list of fields with the meaning of each, and a reply holds
// exactly these. The compiler refuses a field that is not documented, and a reply that forgets a documented one.

import type { JsonSchema } from './form.ts';

/** The media type of replies, which requests name in their Accept header. */
export const MEDIA_TYPE = 'application/vnd.pay+json';

/**
 * The meaning of each field. `type` and `serial-number` are in every reply. A field that is optional here may be left
 * out of a reply.
 */
export type ResponseFields = Readonly<Record<string, string>>;

export type ResponseSchema<F extends ResponseFields = ResponseFields> = {
  /** The specification's schema name. */
  readonly name: string;
  readonly type: string;
  readonly fields: F;
};

type NamesOf<R extends ResponseSchema> = keyof R['fields'] | 'serial-number' | typeof documented;

/** The names in any member of a union: `keyof` gives only those that all have. */
export type NamesInAny<V> = V extends unknown ? keyof V : never;

/** Unknown values are undefined or empty, and not sent. */
type ReplyValues<R extends ResponseSchema> = { readonly [Name in keyof R['fields']]: string | undefined } & {
  /** Only for the reply of an earlier request: the serial number of that one. */
  readonly 'serial-number'?: string;
};

declare const documented: unique symbol;

/** Values that `reply` has checked against their response; there is no other way to make one. */
export type Reply<R extends ResponseSchema = ResponseSchema> = ReplyValues<R> & { readonly [documented]: true };

export function response<F extends ResponseFields>(name: string, type: string, fields: F): ResponseSchema<F> {
  return { name, type, fields };
}

/** Fields that only some replies of a response hold: the others need not mention them. */
export function whenKnown<F extends ResponseFields>(fields: F): Partial<F> {
  return fields;
}

/** Gives the same object back: the compiler does all the work. */
export function reply<R extends ResponseSchema, V extends ReplyValues<R>>(
  _response: R,
  values: V & { readonly [Undocumented in Exclude<NamesInAny<V>, NamesOf<R>>]?: never },
): Reply<R> {
  return values as unknown as Reply<R>;
}

/** A reply as it is sent: all values are strings, except the list of faults. */
export type ReplyBody = Readonly<Record<string, string | readonly Readonly<Record<string, string | undefined>>[]>>;

/** The reply as it is sent, under the serial number of its request unless it names another. */
export function bodyOf(reply: Reply, { type }: ResponseSchema, serialNumber: string): Record<string, string> {
  const body: Record<string, string> = { type, 'serial-number': serialNumber };
  for (const name in reply) {
    const value = reply[name];
    if (value !== undefined && value !== '') body[name] = value;
  }
  return body;
}

/** `more`: values that are no strings. */
export function responseJsonSchema(
  { type, fields }: ResponseSchema,
  more: Record<string, JsonSchema> = {},
): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    type: { type: 'string', const: type },
    'serial-number': { type: 'string', format: 'uuid', description: 'Identifies this request; quote it to support.' },
  };
  for (const [name, description] of Object.entries(fields)) properties[name] = { type: 'string', description };
  return { type: 'object', required: ['type', 'serial-number'], properties: { ...properties, ...more } };
}
