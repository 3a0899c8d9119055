// The folder an evidence pack is written into: a new one, or an empty one, that only its owner may read.

import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Complaint, nearPath } from '../complaint.ts';
import { say } from '../terminal.ts';

/** One line of the summary: a file, whether what it tells is as it should be, and what it tells. */
export type EvidenceLine = { readonly file: string; readonly ok: boolean; readonly says: string };

export class EvidenceFolder {
  readonly lines: EvidenceLine[] = [];
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  static async make(path: string): Promise<EvidenceFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    if ((await readdir(path)).length > 0) {
      throw new Complaint(`${nearPath(path)} is not empty; name a new folder for the evidence`);
    }
    return new EvidenceFolder(path);
  }

  get isGood(): boolean {
    return this.lines.every(({ ok }) => ok);
  }

  /** Adds a file of JSON. */
  async add(line: EvidenceLine, content: unknown): Promise<void> {
    await this.#write(line.file, `${JSON.stringify(content, null, 2)}\n`);
    this.#tell(line);
  }

  /** Adds a copy of a file, where there is one. */
  async copy(line: EvidenceLine, from: string): Promise<void> {
    const isThere = await copyFile(from, join(this.#path, line.file)).then(
      () => true,
      () => false,
    );
    if (isThere) this.#tell(line);
    else say(`${line.file}: left out, this package has none`);
  }

  async end(name: string, text: string): Promise<void> {
    await this.#write(name, text);
    say(`${name}: ${this.isGood ? 'nothing in it is bad' : 'SOMETHING IN IT IS BAD'}`);
  }

  async #write(name: string, text: string): Promise<void> {
    await writeFile(join(this.#path, name), text, { mode: 0o600, flag: 'wx' });
  }

  #tell(line: EvidenceLine): void {
    this.lines.push(line);
    say(`${line.file}: ${line.says}`);
  }
}
