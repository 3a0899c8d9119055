// Reads what an administrator gave, field by field. Whatever is wrong is said in one line that names what would be
// right.

import { shown } from '../domain/text.ts';
import type { Given } from './verb/inputs.ts';
import { InvalidInput as Unfit } from './verb/invalid-input.ts';

export { shown } from '../domain/text.ts';
export type { Given } from './verb/inputs.ts';
export { InvalidInput as Unfit, OutOfReach } from './verb/invalid-input.ts';

const MAX_LIST = 100;

/** Text without control characters, or undefined when nothing was given. */
export function textOf(given: Given, name: string, maxLength: number): string | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '' || text.length > maxLength || /\p{Cc}/u.test(text)) {
    throw new Unfit(`${name}: 1 to ${maxLength} characters on one line are needed`);
  }
  return text;
}

export function wordOf<Word extends string>(given: Given, name: string, words: readonly Word[]): Word | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  const word = words.find((one) => one === value);
  if (word === undefined) throw new Unfit(`${name}: one of ${words.join(', ')} is needed, not ${shown(value)}`);
  return word;
}

export function flagOf(given: Given, name: string): boolean | undefined {
  const value = given[name];
  if (value !== undefined && typeof value !== 'boolean') throw new Unfit(`${name}: true or false is needed`);
  return value;
}

export function idOf(given: Given, name: string): number | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw new Unfit(`${name}: a whole number above 0 is needed, not ${shown(value)}`);
  }
  return value as number;
}

export function momentOf(given: Given, name: string): number | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment)) throw new Unfit(`${name}: a moment such as 2027-01-31T00:00:00Z is needed`);
  return moment;
}

/** A list without repetitions, each entry read by `read`. */
export function listOf<T>(given: Given, name: string, read: (entry: unknown) => T): T[] | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length > MAX_LIST)
    throw new Unfit(`${name}: a list of at most ${MAX_LIST} is needed`);
  return [...new Set(value.map(read))];
}

export function needed<T>(value: T | undefined, name: string, what: string): T {
  if (value === undefined) throw new Unfit(`${name} is missing: ${what} is needed`);
  return value;
}
