// Where the rows of a file of merchants wait until all of them are there: in the memory of the node that is asked.

import { randomUUID } from 'node:crypto';
import { InvalidInput } from '../verb/invalid-input.ts';
import type { NumberedRow } from './import-columns.ts';

/** The most rows of one file. */
const MOST_IMPORTED = 20_000;

/** The rows of the one file that is under way; a new one takes its place. */
export class ImportStage {
  #id: string | undefined;
  #rows: NumberedRow[] = [];

  begin(): string {
    this.#id = randomUUID();
    this.#rows = [];
    return this.#id;
  }

  add(id: string, rows: readonly NumberedRow[]): number {
    const all = this.rowsOf(id);
    if (all.length + rows.length > MOST_IMPORTED) {
      throw new InvalidInput(`at most ${MOST_IMPORTED} rows are imported at once`);
    }
    this.#rows = [...all, ...rows];
    return this.#rows.length;
  }

  rowsOf(id: string): readonly NumberedRow[] {
    if (id === this.#id) return this.#rows;
    throw new InvalidInput('another import was begun meanwhile, or the gateway was started again; begin anew');
  }

  end(): void {
    this.#id = undefined;
    this.#rows = [];
  }
}
