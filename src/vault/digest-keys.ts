// The keys of digests: those by which equal cards are recognised, and those by which links of payers are known to be
// ours. A key can change while older ones still count: all nodes learn a new one first, then digests are made under it.

import { KeyedDigest } from './keyed-digest.ts';

/** Marks are of keys and nonces that merchants choose: they are looked up for a day at most, and their key stays. */
export const DIGEST_PURPOSES = ['lookup', 'links', 'marks'] as const;

export type DigestPurpose = (typeof DIGEST_PURPOSES)[number];

export type DigestKey = {
  readonly dataKeyId: number;
  readonly purpose: DigestPurpose;
  /** False while nodes only learn the key; digests made under it count already. */
  readonly inUse?: boolean | undefined;
  /** Until when digests that were made under it count; undefined when nobody can tell yet. */
  readonly neededUntil?: number | undefined;
};

const DIGEST_BYTES = 32;

type Known = DigestKey & { readonly digest: KeyedDigest };

/** A digest under the current lookup key, and beside it those of the same values under other keys that may be noted. */
export type Fingerprint = Buffer & { readonly older?: readonly Buffer[] };

/** All of them, the current key's first. */
export function fingerprintsIn(fingerprint: Fingerprint): readonly Buffer[] {
  return [fingerprint, ...(fingerprint.older ?? [])];
}

/** Whether a noted fingerprint, under whatever key, is of the same values. */
export function isSameFingerprint(noted: Buffer, fingerprint: Fingerprint): boolean {
  return fingerprintsIn(fingerprint).some((one) => one.equals(noted));
}

export class DigestKeys {
  readonly #learnt = new Map<number, KeyedDigest>();
  /** Of each purpose: the key for new digests, then those that may have made one before. */
  #known: Readonly<Record<DigestPurpose, readonly Known[]>> = { lookup: [], links: [], marks: [] };

  async learn(dataKeyId: number, unwrapped: () => Promise<Buffer>): Promise<void> {
    if (!this.#learnt.has(dataKeyId)) this.#learnt.set(dataKeyId, new KeyedDigest(await unwrapped()));
  }

  /** Takes the list as the database has it; what is not on it is forgotten. */
  arrange(keys: readonly DigestKey[]): void {
    const ids = new Set(keys.map(({ dataKeyId }) => dataKeyId));
    for (const id of this.#learnt.keys()) if (!ids.has(id)) this.#learnt.delete(id);
    const known = (purpose: DigestPurpose) =>
      keys
        .filter((key) => key.purpose === purpose)
        .map((key) => ({ ...key, digest: this.#learnt.get(key.dataKeyId) as KeyedDigest }))
        .sort((one, other) => Number(isComing(one)) - Number(isComing(other)) || one.dataKeyId - other.dataKeyId);
    this.#known = { lookup: known('lookup'), links: known('links'), marks: known('marks') };
  }

  has(purpose: DigestPurpose): boolean {
    return this.#known[purpose].some((key) => !isComing(key));
  }

  /** Of the key for new digests, undefined when there is none. */
  current(purpose: DigestPurpose): DigestKey | undefined {
    return this.#known[purpose][0];
  }

  /** Those that may have made digests, beside the one for new ones. */
  others(purpose: DigestPurpose): readonly DigestKey[] {
    return this.#known[purpose].slice(1);
  }

  /** The key's own part aside, the digest under the key that another fingerprint was made with. */
  like(other: Buffer, text: string): Buffer {
    const mark = other.subarray(DIGEST_BYTES);
    const key = this.#known.lookup.find(({ dataKeyId }) => lookupKeyMark(dataKeyId).equals(mark));
    return digestUnder(key ?? (this.#known.lookup[0] as Known), text);
  }

  all(purpose: DigestPurpose, text: string): Buffer[] {
    return this.#known[purpose].map((key) => digestUnder(key, text));
  }

  get coming(): readonly DigestKey[] {
    return this.#all.filter((key) => isComing(key) && key.neededUntil === undefined);
  }

  /** Those whose digests count no more. */
  overdue(now: number): readonly DigestKey[] {
    return this.#all.filter(({ neededUntil }) => neededUntil !== undefined && neededUntil <= now);
  }

  get #all(): readonly Known[] {
    return DIGEST_PURPOSES.flatMap((purpose) => this.#known[purpose]);
  }
}

/** Known, but nothing new is made under it. */
function isComing({ inUse }: DigestKey): boolean {
  return inUse === false;
}

/** A fingerprint ends with the number of its key, the first key's excepted; marks of links have no room for it. */
function digestUnder({ purpose, dataKeyId, digest }: Known, text: string): Buffer {
  const bytes = digest.of(text);
  return purpose === 'lookup' && dataKeyId !== 0 ? Buffer.concat([bytes, lookupKeyMark(dataKeyId)]) : bytes;
}

/** What fingerprints under a lookup key end with, after the digest itself. */
export function lookupKeyMark(dataKeyId: number): Buffer {
  if (dataKeyId === 0) return Buffer.alloc(0);
  const mark = Buffer.alloc(4);
  mark.writeInt32BE(dataKeyId);
  return mark;
}
