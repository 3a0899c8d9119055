// Finds many byte patterns in one pass (Wu and Manber, 1994). It looks at the last three bytes of a window as long as
// the shortest pattern; what they say lets it jump over most of the bytes without looking at them.

const BLOCK = 3;
const TABLE_SIZE = 2 ** 16;

export class PatternSearch {
  readonly #patterns: readonly Uint8Array[];
  readonly #shortest: number;
  readonly longest: number;
  /** How far the window may jump, by the block at its end; 0: it may be the end of some pattern's first bytes. */
  readonly #jumps: Uint8Array;
  /** Those patterns. */
  readonly #candidates = new Map<number, number[]>();

  constructor(patterns: readonly Uint8Array[]) {
    this.#patterns = patterns;
    const lengths = patterns.map(({ length }) => length);
    this.#shortest = Math.min(255, ...lengths);
    this.longest = Math.max(0, ...lengths);
    if (this.#shortest < BLOCK) throw new Error(`a pattern has fewer than ${BLOCK} bytes`);
    this.#jumps = new Uint8Array(TABLE_SIZE).fill(this.#shortest - BLOCK + 1);
    for (const [which, bytes] of patterns.entries()) this.#learn(which, bytes);
  }

  #learn(which: number, bytes: Uint8Array): void {
    for (let end = BLOCK; end <= this.#shortest; end++) {
      const block = blockBefore(bytes, end);
      const jump = this.#shortest - end;
      if (jump < (this.#jumps[block] as number)) this.#jumps[block] = jump;
      if (jump === 0) this.#candidates.set(block, [...(this.#candidates.get(block) ?? []), which]);
    }
  }

  /** Tells of every pattern that ends behind the first `before` bytes, which were searched already. */
  find(bytes: Uint8Array, before: number, found: (which: number) => void): void {
    const patterns = this.#patterns;
    const jumps = this.#jumps;
    const shortest = this.#shortest;
    for (let end = shortest; end <= bytes.length; ) {
      const block = blockBefore(bytes, end);
      const jump = jumps[block] as number;
      end += jump;
      if (jump > 0) continue;
      for (const which of this.#candidates.get(block) ?? []) {
        const start = end - shortest;
        const pattern = patterns[which] as Uint8Array;
        if (start + pattern.length > before && isAt(bytes, start, pattern)) found(which);
      }
      end += 1;
    }
  }
}

/** The three bytes before `end`, as a place in the table. */
function blockBefore(bytes: Uint8Array, end: number): number {
  const pair = ((bytes[end - 3] as number) << 8) ^ ((bytes[end - 2] as number) << 4);
  return (pair ^ (bytes[end - 1] as number)) & (TABLE_SIZE - 1);
}

function isAt(bytes: Uint8Array, start: number, pattern: Uint8Array): boolean {
  if (start + pattern.length > bytes.length) return false;
  for (let at = 0; at < pattern.length; at++) if (bytes[start + at] !== pattern[at]) return false;
  return true;
}
