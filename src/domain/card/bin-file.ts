// Reads a table of issuers from a CSV file, line by line: commas, quotes doubled inside quotes, the names of the
// columns first. `bin`, `bank` and `country` are read wherever they stand, and other columns are left out.

import { countryAlphaThree, isCountryAlphaThree } from '../country.ts';
import { type BinRow, LONGEST_BIN, SHORTEST_BIN } from './bin-table.ts';

/** The most characters of a bank's name. */
const MAX_BANK_NAME = 100;

export function isBankName(text: string): boolean {
  return text.length <= MAX_BANK_NAME && !/\p{Cc}/u.test(text);
}

/** What is wrong with a line. */
export class UnreadableLine {
  readonly says: string;

  constructor(says: string) {
    this.says = says;
  }
}

const COLUMNS = ['bin', 'bank', 'country'] as const;

export class BinFileReader {
  #line = 0;
  #places: readonly number[] | undefined;
  readonly #seen = new Map<number, number>();

  /** The number of the line that was read last. */
  get line(): number {
    return this.#line;
  }

  /** The row of the next line, what is wrong with it, or undefined when it holds none. */
  read(text: string): BinRow | UnreadableLine | undefined {
    this.#line += 1;
    const line = this.#line === 1 ? text.replace(/^\ufeff/, '') : text;
    if (line.trim() === '') return undefined;
    // What a decoder puts in the place of bytes that it cannot read.
    if (line.includes('\ufffd')) return new UnreadableLine('it is not UTF-8');
    const cells = cellsOf(line);
    if (!cells) return new UnreadableLine('a quote is not closed, or something follows it');
    if (this.#places) return this.#row(this.#places.map((place) => cells[place]?.trim() ?? ''));
    return this.#head(cells.map((cell) => cell.trim().toLowerCase()));
  }

  #head(names: readonly string[]): UnreadableLine | undefined {
    this.#places = COLUMNS.map((column) => names.indexOf(column));
    const twice = COLUMNS.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
    if (twice) return new UnreadableLine(`the column ${twice} stands there twice`);
    if (this.#places[0] !== -1 && this.#places.some((place, index) => index > 0 && place !== -1)) return undefined;
    return new UnreadableLine('the names of the columns are needed: bin, and bank or country or both');
  }

  #row([bin = '', bank = '', country = '']: readonly string[]): BinRow | UnreadableLine {
    if (!/^\d+$/.test(bin) || bin.length < SHORTEST_BIN || bin.length > LONGEST_BIN) {
      return new UnreadableLine(`bin must have ${SHORTEST_BIN} to ${LONGEST_BIN} digits`);
    }
    const key = Number(`1${bin}`);
    const earlier = this.#seen.get(key);
    if (earlier !== undefined) return new UnreadableLine(`bin ${bin} is in line ${earlier} already`);
    this.#seen.set(key, this.#line);
    if (!isBankName(bank)) {
      return new UnreadableLine(`bank must have at most ${MAX_BANK_NAME} characters, none of them a control character`);
    }
    const letters = country.toUpperCase();
    const alphaThree = isCountryAlphaThree(letters) ? letters : countryAlphaThree(letters);
    if (country !== '' && alphaThree === undefined) {
      return new UnreadableLine('country must be two or three letters of ISO 3166-1');
    }
    return { bin, bank: bank === '' ? undefined : bank, country: alphaThree };
  }
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;

/** Undefined when the quotes of the line do not fit. */
function cellsOf(line: string): string[] | undefined {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const found = CELL.exec(line);
    if (!found) return undefined;
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '') return cells;
  }
}
