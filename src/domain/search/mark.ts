// Where a page of a list ended, as a text that people hand back for the next one. It names the last entry and the
// search it is of: a damaged one, and one of another search, is refused.

import { createHash } from 'node:crypto';

/** What the entries of a list are sorted by: numbers and texts, in their order. */
export type MarkKey = readonly (number | string)[];

const CHECK_LENGTH = 8;

/** `search` is all that was looked for. */
export function writeMark(search: object, key: MarkKey): string {
  return Buffer.from(JSON.stringify([checkOf(search, key), ...key])).toString('base64url');
}

/** `like`: which of them are numbers and which texts; undefined of what is no mark of this search. */
export function readMark(search: object, mark: string, like: readonly ('number' | 'string')[]): MarkKey | undefined {
  const [check, ...key] = parsed(mark);
  const isLike = key.length === like.length && key.every((one, index) => typeof one === like[index]);
  return isLike && check === checkOf(search, key as MarkKey) ? (key as MarkKey) : undefined;
}

function parsed(mark: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(mark, 'base64url').toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

function checkOf(search: object, key: MarkKey): string {
  const text = JSON.stringify([search, key], (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(text).digest('base64url').slice(0, CHECK_LENGTH);
}
