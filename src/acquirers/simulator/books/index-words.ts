// An entry of the index is one word of 64 bits: a key above, and below it the position of a line in the log. Words are
// kept as pairs of 32 bits, the lower half first, as they are in memory and in the files of the index.

import { KEY_BITS } from './reference-key.ts';

/** Pairs of [low, high]. */
export type Words = Uint32Array;

export const WORD_BYTES = 8;

const POSITION_HIGH_BITS = 32 - KEY_BITS;
const POSITION_HIGH_MASK = 2 ** POSITION_HIGH_BITS - 1;
const LOW_RANGE = 2 ** 32;

/** 64 GiB: no line of the log may begin behind it. */
export const MAX_POSITION = LOW_RANGE * 2 ** POSITION_HIGH_BITS - 1;

export function setWord(words: Words, index: number, key: number, position: number): void {
  words[2 * index] = position % LOW_RANGE;
  words[2 * index + 1] = (key << POSITION_HIGH_BITS) | Math.floor(position / LOW_RANGE);
}

export function keyAt(words: Words, index: number): number {
  return words[2 * index + 1]! >>> POSITION_HIGH_BITS;
}

export function positionAt(words: Words, index: number): number {
  return (words[2 * index + 1]! & POSITION_HIGH_MASK) * LOW_RANGE + words[2 * index]!;
}

/** Whether one word stands before another: by key, then by position. */
export function isBefore(a: Words, indexA: number, b: Words, indexB: number): boolean {
  const [highA, highB] = [a[2 * indexA + 1]!, b[2 * indexB + 1]!];
  return highA === highB ? a[2 * indexA]! <= b[2 * indexB]! : highA < highB;
}

/** On machines that keep the lower half of a number first, which are all that Node runs on in practice. */
export function sortWords(words: Words): void {
  new BigUint64Array(words.buffer, words.byteOffset, words.length / 2).sort();
}
