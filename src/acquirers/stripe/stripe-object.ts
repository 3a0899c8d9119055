// Reads values out of what Stripe answered. Nothing about its shape is taken for granted: what is missing or of another
// type reads as undefined.

export type StripeObject = Readonly<Record<string, unknown>>;

export function objectAt(value: unknown, ...path: readonly string[]): StripeObject | undefined {
  let found: unknown = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return isObject(found) ? found : undefined;
}

/** A text that is not empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** A whole number that is not negative: an amount in Stripe's units. */
export function amountAt(value: unknown, ...path: readonly string[]): bigint | undefined {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? BigInt(found) : undefined;
}

/** The objects of a list. */
export function listAt(value: unknown, ...path: readonly string[]): readonly StripeObject[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

export function parseStripeObject(text: string): StripeObject | undefined {
  try {
    return objectAt(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const last = path.at(-1);
  return last === undefined ? value : objectAt(value, ...path.slice(0, -1))?.[last];
}

function isObject(value: unknown): value is StripeObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
