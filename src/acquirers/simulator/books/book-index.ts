// The index of the books: where each reference was taken, and where later lines speak of it. Every so many entries what
// is in memory becomes a file, while the bank goes on. A start needs the log only from the last checkpoint on.

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BookSums } from './book-sums.ts';
import { CHECKPOINT_FORMAT, type Checkpoint, fingerprintOf, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { IndexRun, merged, type RunNote, writeRun } from './index-run.ts';
import type { Words } from './index-words.ts';
import { ReferenceIndex } from './reference-index.ts';

export type IndexFiles = {
  readonly folder: string;
  readonly log: string;
  /** How many entries in memory become a file. */
  readonly savesAt: number;
};

type Covered = Pick<Checkpoint, 'end' | 'fingerprint' | 'sums'>;

const CHECKPOINT_FILE = 'checkpoint.json';
/** So many times the usual number may be in memory: then answers wait for the files. */
const MOST_TIMES = 4;

export class BookIndex {
  /** Where a reference was taken. */
  readonly taken = new ReferenceIndex();
  /** Where lines change what became of a reference: follow-ups that count, reversals, bars. */
  readonly later = new ReferenceIndex();
  readonly #files: IndexFiles | undefined;
  #lastFile = 0;
  /** Files that were merged and are not needed by the next checkpoint. */
  #obsolete: IndexRun[] = [];
  #saving: Promise<void> | undefined;
  #closing = false;

  private constructor(files: IndexFiles | undefined) {
    this.#files = files;
  }

  static inMemory(): BookIndex {
    return new BookIndex(undefined);
  }

  /** Without a checkpoint the index is empty and the whole log must be read. */
  static async open(files: IndexFiles): Promise<{ index: BookIndex; checkpoint: Checkpoint | undefined }> {
    await mkdir(files.folder, { recursive: true, mode: 0o700 });
    const known = await readCheckpoint(join(files.folder, CHECKPOINT_FILE), files.log);
    const index = new BookIndex(files);
    const checkpoint = known && index.#openRuns(known) ? known : undefined;
    await index.#removeOthers(checkpoint);
    return { index: checkpoint ? index : new BookIndex(files), checkpoint };
  }

  /** How many entries are in memory. */
  get resident(): number {
    return this.taken.resident + this.later.resident;
  }

  /** How many files there are. */
  get files(): number {
    return this.taken.runs.length + this.later.runs.length;
  }

  get isDue(): boolean {
    return this.#files !== undefined && !this.#saving && this.#fresh >= this.#files.savesAt;
  }

  /** Resolves when there is room in memory again; undefined while there is. */
  get room(): Promise<void> | undefined {
    return this.#files && this.#fresh >= MOST_TIMES * this.#files.savesAt ? this.#saving : undefined;
  }

  get #fresh(): number {
    return this.taken.fresh + this.later.fresh;
  }

  /** Covers the log up to its present end, as soon as that is on disk. */
  save(end: number, sums: BookSums, onDisk: Promise<void>): Promise<void> {
    this.#saving = this.#save(end, structuredClone(sums), onDisk).finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#saving?.catch(() => {});
    this.taken.close();
    this.later.close();
  }

  async #save(end: number, sums: BookSums, onDisk: Promise<void>): Promise<void> {
    const [taken, later] = [this.taken.freeze(), this.later.freeze()];
    await onDisk;
    this.taken.thaw(await this.#runOf(taken));
    this.later.thaw(await this.#runOf(later));
    const covered = { end, sums, fingerprint: await fingerprintOf(this.#place.log, end) };
    await this.#cover(covered);
    await this.#merge(this.taken, covered);
    await this.#merge(this.later, covered);
  }

  async #merge(index: ReferenceIndex, covered: Covered): Promise<void> {
    for (let pair = index.mergeable; pair && !this.#closing; pair = index.mergeable) {
      const [older, newer] = pair;
      index.replaceLastTwo(await this.#write(older.note.size + newer.note.size, merged(older, newer)));
      this.#obsolete.push(older, newer);
      await this.#cover(covered);
    }
  }

  async #runOf(words: Words): Promise<IndexRun | undefined> {
    return words.length === 0 ? undefined : this.#write(words.length / 2, once(words));
  }

  async #write(size: number, parts: AsyncIterable<Words>): Promise<IndexRun> {
    const file = `${++this.#lastFile}.run`;
    const path = this.#pathOf(file);
    return IndexRun.open(path, await writeRun(path, file, size, parts));
  }

  async #cover(covered: Covered): Promise<void> {
    const notesOf = ({ runs }: ReferenceIndex) => runs.map(({ note }) => note);
    const checkpoint = {
      format: CHECKPOINT_FORMAT,
      ...covered,
      taken: notesOf(this.taken),
      later: notesOf(this.later),
    };
    await writeCheckpoint(this.#pathOf(CHECKPOINT_FILE), checkpoint as Checkpoint);
    for (const run of this.#obsolete.splice(0)) {
      run.close();
      await rm(this.#pathOf(run.note.file));
    }
  }

  /** Returns whether all files of the checkpoint are there and whole. */
  #openRuns({ taken, later }: Checkpoint): boolean {
    try {
      for (const note of taken) this.taken.addRun(this.#openRun(note));
      for (const note of later) this.later.addRun(this.#openRun(note));
      return true;
    } catch {
      this.taken.close();
      this.later.close();
      return false;
    }
  }

  #openRun(note: RunNote): IndexRun {
    this.#lastFile = Math.max(this.#lastFile, Number.parseInt(note.file, 10));
    return IndexRun.open(this.#pathOf(note.file), note);
  }

  /** A crash may leave files that no checkpoint names. */
  async #removeOthers(checkpoint: Checkpoint | undefined): Promise<void> {
    const named = checkpoint ? [...checkpoint.taken, ...checkpoint.later].map(({ file }) => file) : [];
    const kept = new Set(checkpoint ? [CHECKPOINT_FILE, ...named] : []);
    for (const file of await readdir(this.#place.folder)) {
      if (!kept.has(file)) await rm(this.#pathOf(file), { recursive: true });
    }
  }

  get #place(): IndexFiles {
    if (!this.#files) throw new Error('This index is in memory only');
    return this.#files;
  }

  #pathOf(file: string): string {
    return join(this.#place.folder, file);
  }
}

async function* once<T>(item: T): AsyncGenerator<T> {
  yield item;
}
