// Tells at once of most keys that a file of the index does not have them (a Bloom filter), so that a new reference
// costs no look at the disk. It never denies a key that is there.

const BITS_PER_KEY = 8;
const PROBES = 4;
const LEAST_BITS = 1024;
/** 8 MiB. A file with more keys than this is good for is asked in vain more often. */
const MOST_BITS = 2 ** 26;
const BITS_PER_WORD = 32;

const FIRST_FACTOR = 0x9e3779b1;
const STEP_FACTOR = 0x85ebca6b;

export class KeyFilter {
  readonly bits: Uint32Array;

  constructor(bits: Uint32Array) {
    this.bits = bits;
  }

  static forKeys(count: number): KeyFilter {
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, count * BITS_PER_KEY)));
    return new KeyFilter(new Uint32Array(Math.min(MOST_BITS, Math.max(LEAST_BITS, wanted)) / BITS_PER_WORD));
  }

  add(key: number): void {
    const last = this.bits.length * BITS_PER_WORD - 1;
    const step = stepOf(key);
    let bit = Math.imul(key, FIRST_FACTOR);
    for (let probe = 0; probe < PROBES; probe += 1, bit += step) {
      this.bits[(bit & last) >>> 5]! |= 1 << (bit & 31);
    }
  }

  mayHave(key: number): boolean {
    const last = this.bits.length * BITS_PER_WORD - 1;
    const step = stepOf(key);
    let bit = Math.imul(key, FIRST_FACTOR);
    for (let probe = 0; probe < PROBES; probe += 1, bit += step) {
      if ((this.bits[(bit & last) >>> 5]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

function stepOf(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 15), STEP_FACTOR);
  return (mixed ^ (mixed >>> 13)) | 1;
}
