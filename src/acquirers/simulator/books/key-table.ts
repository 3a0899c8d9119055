// The newest part of the index, in memory: which keys stand at which positions. It makes no object for an entry, so the
// garbage collector has nothing to do with it.

import { setWord, sortWords, type Words } from './index-words.ts';

const FIRST_SLOTS = 1024;
const NOTHING: readonly number[] = [];

export class KeyTable {
  /** Each key is one more than it is, because 0 is a free slot. */
  #keys = new Uint32Array(FIRST_SLOTS);
  #positions = new Float64Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: number, position: number): void {
    if (this.#size * 2 >= this.#keys.length) this.#grow();
    this.#put(key, position);
    this.#size += 1;
  }

  find(key: number): readonly number[] {
    const last = this.#keys.length - 1;
    let found: number[] | undefined;
    for (let slot = key & last; this.#keys[slot] !== 0; slot = (slot + 1) & last) {
      if (this.#keys[slot] !== key + 1) continue;
      found ??= [];
      found.push(this.#positions[slot]!);
    }
    return found ?? NOTHING;
  }

  sorted(): Words {
    const words = new Uint32Array(2 * this.#size);
    let index = 0;
    this.#keys.forEach((key, slot) => {
      if (key !== 0) setWord(words, index++, key - 1, this.#positions[slot]!);
    });
    sortWords(words);
    return words;
  }

  #put(key: number, position: number): void {
    const last = this.#keys.length - 1;
    let slot = key & last;
    while (this.#keys[slot] !== 0) slot = (slot + 1) & last;
    this.#keys[slot] = key + 1;
    this.#positions[slot] = position;
  }

  #grow(): void {
    const [keys, positions] = [this.#keys, this.#positions];
    this.#keys = new Uint32Array(2 * keys.length);
    this.#positions = new Float64Array(2 * keys.length);
    keys.forEach((key, slot) => {
      if (key !== 0) this.#put(key - 1, positions[slot]!);
    });
  }
}
