// A statement's value as PostgreSQL's text format (or bytes for `bytea`). It runs before anything is sent: a value
// that cannot be encoded must not fail in the middle of a flight whose other steps would then commit without it.

export type EncodedValue = string | Buffer | null;

export function encodeValue(value: unknown): EncodedValue {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return encodeArray(value);
  if (ArrayBuffer.isView(value)) return bytesOf(value);
  return encodeScalar(value);
}

export function encodeArray(items: readonly unknown[]): string {
  let text = '{';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ',';
    text += encodeElement(items[i]);
  }
  return `${text}}`;
}

function encodeElement(item: unknown): string {
  if (item === null || item === undefined) return 'NULL';
  if (typeof item === 'string') return quoted(item);
  if (typeof item === 'number' || typeof item === 'bigint' || typeof item === 'boolean') return String(item);
  if (Array.isArray(item)) return encodeArray(item);
  if (ArrayBuffer.isView(item)) return `"\\\\x${bytesOf(item).toString('hex')}"`;
  return quoted(encodeScalar(item));
}

function encodeScalar(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      // `toISOString` throws for an invalid date, which is what we want.
      return value instanceof Date ? value.toISOString() : JSON.stringify(value);
    default:
      throw new TypeError(`a ${typeof value} cannot be a database value`);
  }
}

const NEEDS_ESCAPE = /["\\]/;

function quoted(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

function bytesOf(view: ArrayBufferView): Buffer {
  return Buffer.isBuffer(view) ? view : Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}
