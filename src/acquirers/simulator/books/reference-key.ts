// The number under which a reference is found in the index of the books. Two references may share a number, so whoever
// looks one up compares the reference with the line that is found.

export const KEY_BITS = 28;

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const MIX_ONE = 0x85ebca6b;
const MIX_TWO = 0xc2b2ae35;

/** FNV-1a, mixed once more as MurmurHash3 does it: all numbers are as likely, also for neighbouring references. */
export function referenceKey(reference: string): number {
  let hash = FNV_START;
  for (let index = 0; index < reference.length; index += 1) {
    hash = Math.imul(hash ^ reference.charCodeAt(index), FNV_PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), MIX_ONE);
  hash = Math.imul(hash ^ (hash >>> 13), MIX_TWO);
  return (hash ^ (hash >>> 16)) >>> (32 - KEY_BITS);
}
