// PostgreSQL array literals for `unnest`: whole columns travel as one parameter each.
// Written by hand because building them is a large part of what a batch costs.

type Nullable<T> = T | undefined;

export function numbers(values: readonly Nullable<number | bigint>[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    text += values[i] ?? 'NULL';
  }
  return `${text}}`;
}

export function textArray(values: readonly Nullable<string>[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    const value = values[i];
    text += value === undefined ? 'NULL' : quoted(value);
  }
  return `${text}}`;
}

const NEEDS_ESCAPE = /["\\]/;

function quoted(value: string): string {
  return NEEDS_ESCAPE.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

export function byteArray(values: readonly Nullable<Buffer>[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    const value = values[i];
    text += value === undefined ? 'NULL' : `"\\\\x${value.toString('hex')}"`;
  }
  return `${text}}`;
}

export function momentArray(values: readonly Nullable<number>[]): string {
  let text = '{';
  let last: number | undefined;
  let lastText = '';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    const value = values[i];
    if (value === undefined) {
      text += 'NULL';
      continue;
    }
    // Rows of one batch mostly carry the same moment.
    if (value !== last) {
      last = value;
      lastText = `"${new Date(value).toISOString()}"`;
    }
    text += lastText;
  }
  return `${text}}`;
}
