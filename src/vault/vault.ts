// The only place that keeps or opens a card number. Values are sealed under a data key, data keys are wrapped under a
// key-encryption key, and equal card numbers are recognised by an HMAC under a key of its own.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { Secret } from '../domain/secret.ts';
import type { Sealed } from '../storage/store.ts';
import type { KeyProvider } from './key-provider.ts';
import { KeyedDigest } from './keyed-digest.ts';
import { openSealed, seal } from './seal.ts';

const KEY_BYTES = 32;

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
  /** Does nothing while a value is still sealed under it. */
  remove(dataKeyId: number): Promise<void>;
  /** Seals a bounded number of values anew that are not under `current`; answers how many, 0 when none is left. */
  reseal(current: number, limit: number, again: (sealed: Sealed, place: string) => Promise<Sealed>): Promise<number>;
};

export class Vault {
  readonly #keys: KeyStore;
  readonly #provider: KeyProvider;
  readonly #dataKeys = new Map<number, KeyObject>();
  #current = 0;
  #lookup: KeyedDigest | undefined;
  #refreshed: Promise<void> = Promise.resolve();

  private constructor(keys: KeyStore, provider: KeyProvider) {
    this.#keys = keys;
    this.#provider = provider;
  }

  /** Opens the vault, making its first keys when the database has none. */
  static async open(keys: KeyStore, provider: KeyProvider): Promise<Vault> {
    const vault = new Vault(keys, provider);
    await vault.refresh();
    if (!vault.#lookup) await vault.#make('lookup', 0);
    if (vault.#current === 0) await vault.#make('seal', 1);
    return vault;
  }

  seal(plain: Secret<string>, place: string): Sealed {
    const key = this.#dataKeys.get(this.#current) as KeyObject;
    return { bytes: seal(key, plain.reveal(), place), dataKeyId: this.#current };
  }

  async reveal(sealed: Sealed, place: string): Promise<Secret<string>> {
    // Another node may have rotated since we last looked.
    if (!this.#dataKeys.has(sealed.dataKeyId)) await this.refresh();
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
    const wrapped = await this.#keys.list();
    for (const key of wrapped) {
      const unwrapped = () => this.#provider.unwrap(key.wrapped, key.kekId);
      if (key.purpose === 'lookup') this.#lookup = new KeyedDigest(await unwrapped());
      else if (!this.#dataKeys.has(key.dataKeyId)) {
        this.#dataKeys.set(key.dataKeyId, createSecretKey(await unwrapped()));
      }
    }
    const seals = wrapped.filter((key) => key.purpose === 'seal').map((key) => key.dataKeyId);
    for (const id of this.#dataKeys.keys()) if (!seals.includes(id)) this.#dataKeys.delete(id);
    this.#current = Math.max(0, ...seals);
  }

  /** Makes a new data key current; everything sealed from now on is under it. */
  async newDataKey(): Promise<number> {
    await this.refresh();
    await this.#make('seal', this.#current + 1);
    return this.#current;
  }

  /** Seals one batch of old values anew. When none is left the older keys may be removed with `removeOldKeys`. */
  reseal(limit: number): Promise<number> {
    return this.#keys.reseal(this.#current, limit, async (sealed, place) =>
      this.seal(await this.reveal(sealed, place), place),
    );
  }

  async removeOldKeys(): Promise<number[]> {
    const old = [...this.#dataKeys.keys()].filter((id) => id !== this.#current);
    for (const id of old) await this.#keys.remove(id);
    await this.refresh();
    return old;
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
