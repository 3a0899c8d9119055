// Which bank issued a card, by the beginning of its number. Real tables have hundreds of thousands of rows, so rows are
// kept as sorted numbers, and every name once. A longer beginning is more exact than a shorter one.

export const SHORTEST_BIN = 4;
export const LONGEST_BIN = 8;

/** What is known of cards that begin with `bin`. `country`: three letters, ISO 3166-1. */
export type BinRow = { readonly bin: string; readonly bank: string | undefined; readonly country: string | undefined };

export type Issuer = Omit<BinRow, 'bin'>;

const NOTHING: Issuer = { bank: undefined, country: undefined };

export class BinTable {
  /** The beginning, filled up to eight digits, and its length: nine digits that sort as the beginnings do. */
  readonly #keys: Uint32Array;
  readonly #banks: Uint32Array;
  readonly #countries: Uint16Array;
  readonly #names: readonly (string | undefined)[];

  constructor(rows: readonly BinRow[]) {
    const sorted = rows.map((row) => ({ key: keyOf(row.bin), row })).sort((a, b) => a.key - b.key);
    const pool = new NamePool();
    this.#keys = Uint32Array.from(sorted, ({ key }) => key);
    // Countries come first: there are few of them, so that their numbers are small.
    this.#countries = Uint16Array.from(sorted, ({ row }) => pool.numberOf(row.country));
    this.#banks = Uint32Array.from(sorted, ({ row }) => pool.numberOf(row.bank));
    this.#names = pool.names;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Of a number of which so many digits are known, and as far as these digits tell. */
  find(digits: string): Issuer | undefined {
    const known = digits.slice(0, LONGEST_BIN);
    let found: Issuer | undefined;
    for (let length = known.length; length >= SHORTEST_BIN && !found; length--) {
      found = this.#at(this.#indexFrom(keyOf(known.slice(0, length))), keyOf(known.slice(0, length)));
    }
    return known.length < LONGEST_BIN ? this.#agreed(known, found) : found;
  }

  /** Rows that are more exact than the known digits may say otherwise: then nobody can tell. */
  #agreed(known: string, found: Issuer | undefined): Issuer | undefined {
    let { bank, country } = found ?? NOTHING;
    const end = keyOf(known.padEnd(LONGEST_BIN, '9'));
    for (let at = this.#indexFrom(keyOf(known) + 1); at < this.size && this.#keyAt(at) <= end; at++) {
      const other = this.#issuerAt(at);
      if (other.bank !== bank) bank = undefined;
      if (other.country !== country) country = undefined;
    }
    return bank === undefined && country === undefined ? undefined : { bank, country };
  }

  #at(index: number, key: number): Issuer | undefined {
    return index < this.size && this.#keyAt(index) === key ? this.#issuerAt(index) : undefined;
  }

  #keyAt(index: number): number {
    return this.#keys[index] as number;
  }

  #issuerAt(index: number): Issuer {
    return { bank: this.#names[this.#banks[index] as number], country: this.#names[this.#countries[index] as number] };
  }

  /** The first row whose key is not smaller. */
  #indexFrom(key: number): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keyAt(middle) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

class NamePool {
  readonly names: (string | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string | undefined): number {
    if (name === undefined) return 0;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

function keyOf(bin: string): number {
  return Number(bin.padEnd(LONGEST_BIN, '0')) * 10 + bin.length;
}
