// Finds by a key at which positions of the log it stands. The newest entries are in memory, the others in files. A file
// is merged with the one before it as soon as both are about as large, so there are few of them: one more each time the
// number of entries has doubled.

import type { IndexRun } from './index-run.ts';
import type { Words } from './index-words.ts';
import { KeyTable } from './key-table.ts';

export class ReferenceIndex {
  #fresh = new KeyTable();
  /** What is being written to a file. */
  #frozen: KeyTable | undefined;
  /** The oldest first. */
  #runs: readonly IndexRun[] = [];

  get runs(): readonly IndexRun[] {
    return this.#runs;
  }

  /** How many entries wait for the next file. */
  get fresh(): number {
    return this.#fresh.size;
  }

  /** How many entries are in memory. */
  get resident(): number {
    return this.#fresh.size + (this.#frozen?.size ?? 0);
  }

  add(key: number, position: number): void {
    this.#fresh.add(key, position);
  }

  /** In no order. */
  find(key: number): readonly number[] {
    let found = this.#fresh.find(key);
    if (this.#frozen) found = together(found, this.#frozen.find(key));
    for (const run of this.#runs) found = together(found, run.find(key));
    return found;
  }

  /** The entries for the next file; they are still found here until it is added. */
  freeze(): Words {
    const frozen = this.#fresh;
    this.#frozen = frozen;
    this.#fresh = new KeyTable();
    return frozen.sorted();
  }

  /** Takes in the file that was written of the frozen entries; there is none when there were none. */
  thaw(run: IndexRun | undefined): void {
    if (run) this.addRun(run);
    this.#frozen = undefined;
  }

  addRun(run: IndexRun): void {
    this.#runs = [...this.#runs, run];
  }

  /** The last two files, when they should be one. */
  get mergeable(): readonly [IndexRun, IndexRun] | undefined {
    const [older, newer] = this.#runs.slice(-2);
    return older && newer && newer.note.size * 2 > older.note.size ? [older, newer] : undefined;
  }

  replaceLastTwo(run: IndexRun): void {
    this.#runs = [...this.#runs.slice(0, -2), run];
  }

  close(): void {
    for (const run of this.#runs) run.close();
  }
}

function together(a: readonly number[], b: readonly number[]): readonly number[] {
  if (b.length === 0) return a;
  return a.length === 0 ? b : [...a, ...b];
}
