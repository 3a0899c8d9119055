// The only place that keeps or opens a card number. Values are sealed under a data key, data keys are wrapped under a
// key-encryption key, and equal card numbers are recognised by an HMAC under a key of its own.
// Another node may change the data key and remove the old one after a grace. So nothing is sealed under keys that were
// last read too long ago, and what was sealed is written soon or not at all.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../domain/clock.ts';
import { patiently } from '../domain/patience.ts';
import { Secret } from '../domain/secret.ts';
import type { Sealed } from '../storage/store.ts';
import type { KeyProvider } from './key-provider.ts';
import { KeyedDigest } from './keyed-digest.ts';
import { openSealed, seal } from './seal.ts';

const KEY_BYTES = 32;

/** How long somebody who wants to seal waits until keys that are too old are read again. */
const FRESHEN_LIMIT_MS = 2_000;

/**
 * Sealing takes a quarter of the grace at most after the keys were read, beginning to write another quarter, and half
 * of it is left for the write itself.
 */
const SAFE_PART = 1 / 4;

/** Keys are read every second. A grace that has no room for that four times protects nobody, and is for tests. */
const LEAST_SAFE_MS = 2_000;

/** The key a value would be sealed under, or was, may be gone. */
export class KeysTooOld extends Error {
  override readonly name = 'KeysTooOld';
}

/** The beginnings of most values in a fingerprint, at hand. */
const LENGTHS: readonly string[] = Array.from({ length: 256 }, (_, length) => `${length}:`);

export type WrappedKey = {
  readonly dataKeyId: number;
  readonly purpose: 'seal' | 'lookup';
  readonly wrapped: Buffer;
  readonly kekId: string;
};

/** Where wrapped keys are kept, and how everything sealed under an old one is found again. */
export type KeyStore = {
  list(): Promise<WrappedKey[]>;
  /** False when another node was faster with this id. */
  add(key: WrappedKey): Promise<boolean>;
  rewrap(key: WrappedKey): Promise<void>;
  /** Looks and removes in one transaction; false when a value is still sealed under it. */
  remove(dataKeyId: number): Promise<boolean>;
  /** One walk over all values that are not under `current`. */
  walk(current: number, again: SealAgain): Walk;
};

/** Undefined leaves the value as it is. */
export type SealAgain = (sealed: Sealed, place: string) => Promise<Sealed | undefined>;

/** Seals the next values anew, no more than the limit; answers how many it met, 0 at the end. */
export type Walk = (limit: number) => Promise<number>;

export type VaultOptions = {
  /** One that goes on while the process is paused. */
  readonly clock?: Clock | undefined;
  /** After which time other nodes remove an old data key; without it there are no others. */
  readonly graceMs?: number | undefined;
};

export class Vault {
  readonly #keys: KeyStore;
  readonly #provider: KeyProvider;
  readonly #clock: Clock;
  /** How long the keys may be sealed under after they were read, and what was sealed be written. */
  readonly safeMs: number;
  readonly #dataKeys = new Map<number, KeyObject>();
  #current = 0;
  #lookup: KeyedDigest | undefined;
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
    if (!vault.#lookup) await vault.#make('lookup', 0);
    if (vault.#current === 0) await vault.#make('seal', 1);
    return vault;
  }

  /** When the keys were last read, all of them. */
  get readAt(): number {
    return this.#readAt;
  }

  /** Whether the current key may be gone, for all we know. */
  get isStale(): boolean {
    return this.#clock.now() >= this.#staleAt;
  }

  /** Reads the keys again, within bounds. False when they could not be read: then nothing can be sealed. */
  async freshen(): Promise<boolean> {
    await this.#refreshSoon().catch(() => {});
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

  /** Another node may have rotated since we last looked. */
  async #lookFor(dataKeyId: number): Promise<void> {
    if (!this.#dataKeys.has(dataKeyId)) await this.refresh();
  }

  #open(sealed: Sealed, place: string): Secret<string> {
    const key = this.#dataKeys.get(sealed.dataKeyId);
    if (!key) throw new Error(`Data key ${sealed.dataKeyId} is gone`);
    return new Secret(openSealed(key, sealed.bytes, place).toString('utf8'));
  }

  /** A keyed digest: equal inputs give equal outputs, and nothing can be found by trying all card numbers. */
  fingerprint(values: readonly (string | Secret<string>)[]): Buffer {
    let text = '';
    for (const each of values) {
      const value = typeof each === 'string' ? each : each.reveal();
      text = text + (LENGTHS[value.length] ?? `${value.length}:`) + value;
    }
    return (this.#lookup as KeyedDigest).of(text);
  }

  get currentDataKeyId(): number {
    return this.#current;
  }

  /** Whether a change of the data key is under way. */
  get hasOldKeys(): boolean {
    return this.#dataKeys.size > 1;
  }

  /** Learns keys that other nodes have made, and forgets those they have removed. */
  refresh(): Promise<void> {
    // One after another: an older list must not overwrite what a newer one told.
    this.#refreshed = this.#refreshed.catch(() => {}).then(() => this.#readKeys());
    return this.#refreshed;
  }

  async #readKeys(): Promise<void> {
    const askedAt = this.#clock.now();
    const wrapped = await this.#keys.list();
    for (const key of wrapped) {
      const unwrapped = () => this.#provider.unwrap(key.wrapped, key.kekId);
      if (key.purpose === 'lookup') this.#lookup ??= new KeyedDigest(await unwrapped());
      else if (!this.#dataKeys.has(key.dataKeyId)) {
        this.#dataKeys.set(key.dataKeyId, createSecretKey(await unwrapped()));
      }
    }
    const seals = wrapped.filter((key) => key.purpose === 'seal').map((key) => key.dataKeyId);
    for (const id of this.#dataKeys.keys()) if (!seals.includes(id)) this.#dataKeys.delete(id);
    this.#current = Math.max(0, ...seals);
    this.#readAt = askedAt;
    this.#staleAt = askedAt + this.safeMs;
  }

  /** Makes a new data key current; everything sealed from now on is under it. */
  async newDataKey(): Promise<number> {
    await this.refresh();
    await this.#make('seal', this.#current + 1);
    return this.#current;
  }

  /**
   * One walk over everything that is sealed under older keys, to seal it anew. Whatever cannot be opened is told to
   * `lost` by its place and left as it is.
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

  /** Answers the old keys that stay, because something is sealed under them. */
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

  async #make(purpose: 'seal' | 'lookup', dataKeyId: number): Promise<void> {
    const { wrapped, kekId } = await this.#provider.wrap(randomBytes(KEY_BYTES));
    await this.#keys.add({ dataKeyId, purpose, wrapped, kekId });
    await this.refresh();
  }
}
