// The only place that keeps or opens a card number. Values are sealed under a data key, data keys are wrapped under a
// key-encryption key, equal card numbers are recognised by an HMAC under a separate key, and links of payers are made
// under yet another.
// Another node may change the data key and remove the old one after a grace period. So nothing is sealed under keys
// that were read too long ago, and a sealed value is written soon or not at all.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../domain/clock.ts';
import { patiently } from '../domain/patience.ts';
import { Secret } from '../domain/secret.ts';
import type { Sealed } from '../storage/store.ts';
import { DIGEST_PURPOSES, type DigestKey, DigestKeys, type DigestPurpose, type Fingerprint } from './digest-keys.ts';
import { KeyedDigest } from './keyed-digest.ts';
import { openSealed, seal } from './seal.ts';

const KEY_BYTES = 32;

/** How long a caller that wants to seal waits while outdated keys are read again. */
const FRESHEN_LIMIT_MS = 2_000;

/**
 * A quarter of the grace period may pass between reading the keys and sealing, another quarter until the write begins;
 * half of it is left for the write itself.
 */
const SAFE_PART = 1 / 4;

/** Keys are read every second and must stay usable for longer, even with the very short grace period of a test. */
const LEAST_SAFE_MS = 2_000;

/** Thrown when the key that a value was or would be sealed under may have been removed. */
export class KeysTooOld extends Error {
  override readonly name = 'KeysTooOld';
}

/** Ids of key-encryption keys that a key command holds begin so; all others are in a key file. */
export const BEHIND_COMMAND = 'command:';

export function isBehindCommand(kekId: string): boolean {
  return kekId.startsWith(BEHIND_COMMAND);
}

/** What the holder of key-encryption keys cannot do, in words for the operator. */
export class KeyHolderError extends Error {}

/** Thrown when data keys are still wrapped under a key-encryption key that shall go. */
export class KekInUse extends Error {
  override readonly name = 'KekInUse';
  readonly dataKeys: number;

  constructor(dataKeys: number) {
    super(`${dataKeys} data keys are wrapped under it`);
    this.dataKeys = dataKeys;
  }
}

/** Keys of digests, but for the first lookup key, have numbers below this, where no other keys have theirs. */
const BEFORE_DIGEST_KEYS = -1_000_000;

/** How often a number for a new key may be taken by another node first. */
const MOST_TRIES = 10;

/** Prepared texts for the lengths of most values in a fingerprint. */
const LENGTHS: readonly string[] = Array.from({ length: 256 }, (_, length) => `${length}:`);

/** What a key of the vault is for: sealing values, the MACs of records, and digests. */
export type KeyPurpose = 'seal' | 'records' | DigestPurpose;

/**
 * Keys that seal count up from 1, those of records down from -1; the first lookup key is 0, and all other keys of
 * digests count down from afar.
 */
export type WrappedKey = Omit<DigestKey, 'purpose'> & {
  readonly purpose: KeyPurpose;
  readonly wrapped: Buffer;
  readonly kekId: string;
};

/** Whoever holds the key-encryption key: a file by default, or a key management service. */
export type KeyProvider = {
  /** Encrypts a data key; the answer names the key-encryption key that was used. */
  wrap(dataKey: Buffer): Promise<{ wrapped: Buffer; kekId: string }>;
  unwrap(wrapped: Buffer, kekId: string): Promise<Buffer>;
  /** Makes a new key-encryption key current; older ones stay readable until nothing is wrapped under them. */
  rotate(): Promise<string>;
  /** Destroys an older key-encryption key; what is wrapped under it never opens again. */
  retire(kekId: string): Promise<void>;
};

/** Where wrapped keys are kept, and how everything sealed under an old one is found again. */
export type KeyStore = {
  list(): Promise<WrappedKey[]>;
  /** False when another node has added a key with this id before. */
  add(key: WrappedKey): Promise<boolean>;
  rewrap(key: WrappedKey): Promise<void>;
  /** Checks and removes in one transaction; false when a value is still sealed under the key or looked up by it. */
  remove(dataKeyId: number): Promise<boolean>;
  /** Digests are made under this key from now on; older ones of its purpose are needed until then. */
  use(dataKeyId: number, neededUntil: number | undefined): Promise<void>;
  /** Older keys of its purpose, of which nobody could tell before, are needed until then. */
  settle(dataKeyId: number, neededUntil: number): Promise<void>;
  /** One walk over all values that are not sealed under `current`. */
  walk(current: number, again: SealAgain): Walk;
};

/** Seals a value again; undefined leaves it as it is. */
export type SealAgain = (sealed: Sealed, place: string) => Promise<Sealed | undefined>;

/** Seals the next values again, at most `limit` of them. Resolves with how many it met, and with 0 at the end. */
export type Walk = (limit: number) => Promise<number>;

/** The key that records carry MACs under, by its number, and what a text's MAC is. */
export type RecordKey = { readonly dataKeyId: number; mac(text: string): Buffer };

export type VaultOptions = {
  /** A clock that goes on while the process is paused. */
  readonly clock?: Clock | undefined;
  /** How long after a change other nodes remove an old data key; left out when there are no other nodes. */
  readonly graceMs?: number | undefined;
  /** How long a link of a payer may be followed. */
  readonly linksLastMs?: number | undefined;
};

export class Vault {
  readonly #keys: KeyStore;
  readonly #provider: KeyProvider;
  readonly #clock: Clock;
  /** How long after a read the keys may be sealed under, and how long after that the sealed value may be written. */
  readonly safeMs: number;
  readonly #dataKeys = new Map<number, KeyObject>();
  #current = 0;
  #records: RecordKey | undefined;
  readonly #digests = new DigestKeys();
  #refreshed: Promise<void> = Promise.resolve();
  #readAt = 0;
  #staleAt = 0;
  readonly #refreshSoon = patiently(() => this.refresh(), FRESHEN_LIMIT_MS);

  private constructor(keys: KeyStore, provider: KeyProvider, { clock = systemClock, graceMs }: VaultOptions) {
    this.#keys = keys;
    this.#provider = provider;
    this.#clock = clock;
    this.safeMs = graceMs === undefined ? Number.POSITIVE_INFINITY : Math.max(graceMs * SAFE_PART, LEAST_SAFE_MS);
  }

  /** Opens the vault, making its first keys when the database has none. */
  static async open(keys: KeyStore, provider: KeyProvider, options: VaultOptions = {}): Promise<Vault> {
    const vault = new Vault(keys, provider, options);
    await vault.refresh();
    const isNew = !vault.#digests.has('lookup');
    if (isNew) await vault.#make('lookup', 0);
    if (vault.#current === 0) await vault.#make('seal', 1);
    if (!vault.#digests.has('links')) await vault.#makeLinksKey(isNew ? undefined : options.linksLastMs);
    if (!vault.#digests.has('marks')) await vault.#add({ purpose: 'marks' }, randomBytes(KEY_BYTES));
    return vault;
  }

  /** How long ago all keys were read, by its own clock: that of a sandbox may be far ahead of it. */
  get readAgoMs(): number {
    return this.#clock.now() - this.#readAt;
  }

  /** Whether the current key may have been removed by another node in the meantime. */
  get isStale(): boolean {
    return this.#clock.now() >= this.#staleAt;
  }

  /** Reads the keys again within a time limit. False when they could not be read: then nothing can be sealed. */
  async freshen(): Promise<boolean> {
    try {
      await this.#refreshSoon();
      // A reading that began before the process was suspended may be too old by now: then the next one is waited for.
      if (this.isStale) await this.#refreshSoon();
    } catch {
      // The keys stay as they are.
    }
    return !this.isStale;
  }

  seal(plain: Secret<string>, place: string): Sealed {
    if (this.isStale) throw new KeysTooOld("the vault's keys were last read too long ago to seal under them");
    const key = this.#dataKeys.get(this.#current) as KeyObject;
    return { bytes: seal(key, plain.reveal(), place), dataKeyId: this.#current };
  }

  async reveal(sealed: Sealed, place: string): Promise<Secret<string>> {
    await this.#lookFor(sealed.dataKeyId);
    return this.#open(sealed, place);
  }

  /** Reads the keys again when this one is unknown, because another node may have made it. */
  async #lookFor(dataKeyId: number): Promise<void> {
    if (!this.#dataKeys.has(dataKeyId)) await this.refresh();
  }

  #open(sealed: Sealed, place: string): Secret<string> {
    const key = this.#dataKeys.get(sealed.dataKeyId);
    if (!key) throw new Error(`Data key ${sealed.dataKeyId} is gone`);
    return new Secret(openSealed(key, sealed.bytes, place).toString('utf8'));
  }

  /** A keyed digest: equal inputs give equal outputs, and without the key nobody can find a card number by trial. */
  fingerprint(values: readonly (string | Secret<string>)[]): Fingerprint {
    const [current, ...older] = this.#digests.all('lookup', textOf(values)) as [Buffer, ...Buffer[]];
    return older.length === 0 ? current : Object.assign(current, { older });
  }

  /** A fingerprint under the same key as another one. */
  fingerprintLike(other: Buffer, values: readonly string[]): Buffer {
    return this.#digests.like(other, textOf(values));
  }

  get currentLookupKeyId(): number {
    return this.#digests.current('lookup')?.dataKeyId ?? 0;
  }

  get hasOlderLookupKeys(): boolean {
    return this.#digests.others('lookup').length > 0;
  }

  /** Whether fingerprints under an older lookup key have yet to be made anew. */
  get hasOldFingerprints(): boolean {
    const others = this.#digests.others('lookup');
    return others.some(({ inUse, neededUntil }) => inUse !== false && neededUntil === undefined);
  }

  /** A digest that stays the same for ever, for what is found again by it alone and is no card number by its nature. */
  requestMark(values: readonly string[]): Buffer {
    return this.#digests.all('marks', textOf(values))[0] as Buffer;
  }

  /** The marks that prove a link of a payer to be ours; new links get the first. */
  linkMarks(values: readonly string[]): Buffer[] {
    return this.#digests.all('links', textOf(values));
  }

  get currentDataKeyId(): number {
    return this.#current;
  }

  /** Whether a change of the data key is under way. */
  get hasOldKeys(): boolean {
    return this.#dataKeys.size > 1;
  }

  /** Learns the keys that other nodes have made, and forgets those that they have removed. */
  refresh(): Promise<void> {
    // Reads follow one another, so that an older list never overwrites a newer one.
    this.#refreshed = this.#refreshed.catch(() => {}).then(() => this.#readKeys());
    return this.#refreshed;
  }

  async #readKeys(): Promise<void> {
    const askedAt = this.#clock.now();
    const wrapped = await this.#keys.list();
    for (const key of wrapped) {
      const unwrapped = () => this.#provider.unwrap(key.wrapped, key.kekId);
      if (isOfDigests(key)) await this.#digests.learn(key.dataKeyId, unwrapped);
      else if (key.purpose === 'seal' && !this.#dataKeys.has(key.dataKeyId)) {
        this.#dataKeys.set(key.dataKeyId, createSecretKey(await unwrapped()));
      }
    }
    const latest = latestRecordKey(wrapped);
    if (latest?.dataKeyId !== this.#records?.dataKeyId) {
      this.#records = latest && recordKey(latest.dataKeyId, await this.#provider.unwrap(latest.wrapped, latest.kekId));
    }
    this.#digests.arrange(wrapped.filter(isOfDigests));
    const seals = wrapped.filter((key) => key.purpose === 'seal').map((key) => key.dataKeyId);
    for (const id of this.#dataKeys.keys()) if (!seals.includes(id)) this.#dataKeys.delete(id);
    this.#current = Math.max(0, ...seals);
    this.#readAt = askedAt;
    this.#staleAt = askedAt + this.safeMs;
  }

  /** Makes a new data key current; everything is sealed under it from now on. */
  async newDataKey(): Promise<number> {
    await this.refresh();
    await this.#make('seal', this.#current + 1);
    return this.#current;
  }

  /**
   * One walk over everything that is sealed under older keys, to seal it again. `lost` is called with the place of each
   * value that cannot be opened, and the value stays as it is.
   */
  walk(lost: (place: string, error: unknown) => void): Walk {
    const next = this.#keys.walk(this.#current, async (sealed, place) => {
      await this.#lookFor(sealed.dataKeyId);
      let plain: Secret<string>;
      try {
        plain = this.#open(sealed, place);
      } catch (error) {
        lost(place, error);
        return undefined;
      }
      return this.seal(plain, place);
    });
    return async (limit) => {
      if (this.isStale) await this.freshen();
      return next(limit);
    };
  }

  /** Resolves with the old keys that stay because values are still sealed under them. */
  async removeOldKeys(): Promise<number[]> {
    const old = [...this.#dataKeys.keys()].filter((id) => id !== this.#current);
    const kept: number[] = [];
    for (const id of old) if (!(await this.#keys.remove(id))) kept.push(id);
    await this.refresh();
    return kept;
  }

  /** Makes a new key-encryption key and wraps every data key under it; sealed values are not touched. */
  async rotateKek(): Promise<string> {
    const kekId = await this.#provider.rotate();
    for (const key of await this.#keys.list()) {
      const plain = await this.#provider.unwrap(key.wrapped, key.kekId);
      await this.#keys.rewrap({ ...key, ...(await this.#provider.wrap(plain)) });
    }
    return kekId;
  }

  /** The key of records as it was last read; undefined as long as nothing was signed. */
  get recordKey(): RecordKey | undefined {
    return this.#records;
  }

  /** A key for records that nobody knows yet: whoever signs with it keeps it in the same transaction. */
  async newRecordKey(): Promise<{ readonly key: RecordKey; readonly wrapped: WrappedKey }> {
    const dataKeyId = (this.#records?.dataKeyId ?? 0) - 1;
    const plain = randomBytes(KEY_BYTES);
    const wrapped = { dataKeyId, purpose: 'records' as const, ...(await this.#provider.wrap(plain)) };
    return { key: recordKey(dataKeyId, plain), wrapped };
  }

  /** Fails while a data key is wrapped under it. */
  async retireKek(kekId: string): Promise<void> {
    const under = (await this.#keys.list()).filter((key) => key.kekId === kekId);
    if (under.length > 0) throw new KekInUse(under.length);
    await this.#provider.retire(kekId);
  }

  /** A new key for digests, which is known to every node before anything is made under it. */
  async newDigestKey(purpose: DigestPurpose): Promise<void> {
    await this.refresh();
    await this.#add({ purpose, inUse: false }, randomBytes(KEY_BYTES));
  }

  /** Those that are known to be coming, once every node has had time to learn them. */
  get comingDigestKeys(): readonly DigestKey[] {
    return this.#digests.coming;
  }

  /** Makes digests under a key that was made before; older ones of its purpose are needed until then. */
  async useDigestKey(dataKeyId: number, neededUntil?: number): Promise<void> {
    await this.#keys.use(dataKeyId, neededUntil);
    await this.refresh();
  }

  /** Removes keys of digests that nothing is compared with any more; resolves with those that stay all the same. */
  async removeOverdueKeys(now: number, but: ReadonlySet<number>): Promise<number[]> {
    const over = this.#digests.overdue(now).filter(({ dataKeyId }) => !but.has(dataKeyId));
    const kept: number[] = [];
    for (const { dataKeyId } of over) if (!(await this.#keys.remove(dataKeyId))) kept.push(dataKeyId);
    if (over.length > 0) await this.refresh();
    return kept;
  }

  /** Says until when older lookup keys are needed, once all fingerprints of cards are under the current one. */
  async settleLookupKeys(neededUntil: number): Promise<void> {
    await this.#keys.settle(this.currentLookupKeyId, neededUntil);
    await this.refresh();
  }

  async #make(purpose: 'seal' | 'lookup', dataKeyId: number): Promise<void> {
    const { wrapped, kekId } = await this.#provider.wrap(randomBytes(KEY_BYTES));
    await this.#keys.add({ dataKeyId, purpose, wrapped, kekId });
    await this.refresh();
  }

  /** Links that were made under the lookup key, before links had a key of their own, last until their end. */
  async #makeLinksKey(earlierLastMs: number | undefined): Promise<void> {
    const [lookup] = (await this.#keys.list()).filter((key) => key.purpose === 'lookup');
    if (lookup && earlierLastMs !== undefined) {
      const plain = await this.#provider.unwrap(lookup.wrapped, lookup.kekId);
      await this.#add({ purpose: 'links', inUse: false, neededUntil: this.#clock.now() + earlierLastMs }, plain);
    }
    await this.#add({ purpose: 'links' }, randomBytes(KEY_BYTES));
  }

  /** Under the next free number; another node may take it first. */
  async #add(about: Omit<DigestKey, 'dataKeyId'>, plain: Buffer): Promise<void> {
    const wrapped = await this.#provider.wrap(plain);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const ids = (await this.#keys.list()).filter(isOfDigests).map((key) => key.dataKeyId);
      const dataKeyId = Math.min(BEFORE_DIGEST_KEYS, ...ids) - 1;
      if (await this.#keys.add({ ...about, ...wrapped, dataKeyId })) return this.refresh();
    }
    throw new Error('other nodes took every number for a new key');
  }
}

/** Written so that no two lists of values give the same text. */
function textOf(values: readonly (string | Secret<string>)[]): string {
  let text = '';
  for (const each of values) {
    const value = typeof each === 'string' ? each : each.reveal();
    text = text + (LENGTHS[value.length] ?? `${value.length}:`) + value;
  }
  return text;
}

export {
  type DigestPurpose,
  type Fingerprint,
  fingerprintsIn,
  isSameFingerprint,
  lookupKeyMark,
} from './digest-keys.ts';

/** Whether a key is one that digests are made with. */
export function isOfDigests<Key extends Pick<WrappedKey, 'purpose'>>(
  key: Key,
): key is Key & { readonly purpose: DigestPurpose } {
  return DIGEST_PURPOSES.includes(key.purpose as DigestPurpose);
}

/** Keys of records count downwards from -1, so that they never meet the numbers of the others. */
function latestRecordKey(keys: readonly WrappedKey[]): WrappedKey | undefined {
  const ours = keys.filter(({ purpose }) => purpose === 'records');
  return ours.reduce<WrappedKey | undefined>((a, b) => (a && a.dataKeyId < b.dataKeyId ? a : b), undefined);
}

function recordKey(dataKeyId: number, plain: Buffer): RecordKey {
  const digest = new KeyedDigest(plain);
  return { dataKeyId, mac: (text) => digest.of(text) };
}
