import { beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import type { Sealed } from '../../storage/store.ts';
import { type KeyStore, Vault, type WrappedKey } from '../../vault/vault.ts';
import { KeyRotation, type RotationProgress } from './key-rotation.ts';

const GRACE_MS = 60_000;
const provider = {
  wrap: async (wrapped: Buffer) => ({ wrapped, kekId: 'none' }),
  unwrap: async (wrapped: Buffer) => wrapped,
  rotate: async () => 'none',
  retire: async () => {},
};

/** One database for several nodes: the wrapped keys, and values sealed under them. */
class SharedKeys implements KeyStore {
  readonly keys: WrappedKey[] = [];
  readonly values: Sealed[] = [];

  list = async () => [...this.keys];
  add = async (key: WrappedKey) => this.keys.push(key) > 0;
  rewrap = async () => {};
  use: KeyStore['use'] = async (dataKeyId, neededUntil) => {
    const used = this.keys.find((key) => key.dataKeyId === dataKeyId) as WrappedKey;
    for (const [at, key] of this.keys.entries()) {
      if (key === used) this.keys[at] = { ...key, inUse: true };
      else if (key.purpose === used.purpose) this.keys[at] = { ...key, neededUntil: key.neededUntil ?? neededUntil };
    }
  };
  remove = async (id: number) => {
    if (this.values.some(({ dataKeyId }) => dataKeyId === id)) return false;
    this.keys.splice(
      this.keys.findIndex((key) => key.dataKeyId === id),
      1,
    );
    return true;
  };
  settle: KeyStore['settle'] = async () => {};
  walk: KeyStore['walk'] = (current, again) => {
    let next = 0;
    return async (limit) => {
      let met = 0;
      for (; met < limit && next < this.values.length; next++) {
        const old = this.values[next] as Sealed;
        if (old.dataKeyId === current) continue;
        this.values[next] = (await again(old, 'here')) ?? old;
        met += 1;
      }
      return met;
    };
  };
}

let store: SharedKeys;
let now: number;
/** What other nodes do during a sleep. */
let meanwhile: (() => unknown)[];
const clock = {
  now: () => now,
  sleep: async (ms: number) => {
    now += ms;
    await meanwhile.shift()?.();
  },
};
const node = () => Vault.open(store, provider);
let lost: string[];
const rotationOf = (vault: Vault) =>
  new KeyRotation({ clock, vault, graceMs: GRACE_MS, lost: ({ place }) => lost.push(place) });
const forever = new AbortController().signal;
const card = new Secret('4111111111111111');
const dataKeyIds = () => store.keys.filter(({ purpose }) => purpose === 'seal').map((key) => key.dataKeyId);

beforeEach(() => {
  store = new SharedKeys();
  now = 0;
  meanwhile = [];
  lost = [];
});

describe('a rotation', () => {
  it('seals everything anew and leaves one key', async () => {
    const vault = await node();
    for (let count = 0; count < 120; count++) store.values.push(vault.seal(card, 'here'));
    const rotation = rotationOf(vault);
    await rotation.begin();
    expect(rotation.isUnderWay).toBe(true);
    const told: RotationProgress[] = [];
    await rotation.finish(forever, (progress) => told.push(progress));
    expect(dataKeyIds()).toEqual([2]);
    expect(rotation.isUnderWay).toBe(false);
    expect(told).toContainEqual({ resealed: 120, lost: 0, waiting: true });
    for (const value of store.values) expect((await vault.reveal(value, 'here')).reveal()).toBe(card.reveal());
  });

  it('catches what a node sealed before it knew the new key', async () => {
    const [vault, other] = [await node(), await node()];
    const rotation = rotationOf(vault);
    await rotation.begin();
    meanwhile = [() => store.values.push(other.seal(card, 'here'))];
    await rotation.finish(forever);
    expect(now).toBeGreaterThanOrEqual(GRACE_MS);
    expect(dataKeyIds()).toEqual([2]);
    expect(store.values.map((value) => value.dataKeyId)).toEqual([2]);
    expect((await other.reveal(store.values[0] as Sealed, 'here')).reveal()).toBe(card.reveal());
  });

  it('waits another grace after every value that somebody sealed late', async () => {
    const [vault, other] = [await node(), await node()];
    const rotation = rotationOf(vault);
    await rotation.begin();
    const late = () => {
      expect(dataKeyIds()).toEqual([1, 2]);
      store.values.push(other.seal(card, 'here'));
    };
    // Each sleep is a grace period or the pause after a batch.
    meanwhile = [late, () => {}, late, () => {}];
    await rotation.finish(forever);
    expect(now).toBeGreaterThanOrEqual(3 * GRACE_MS);
    expect(dataKeyIds()).toEqual([2]);
    expect(store.values.map((value) => value.dataKeyId)).toEqual([2, 2]);
  });

  it('keeps a key that somebody sealed under in the last moment', async () => {
    const [vault, other] = [await node(), await node()];
    const rotation = rotationOf(vault);
    await rotation.begin();
    const remove = store.remove;
    store.remove = (id) => {
      store.remove = remove;
      store.values.push(other.seal(card, 'here'));
      return remove(id);
    };
    await rotation.finish(forever);
    expect(now).toBeGreaterThanOrEqual(3 * GRACE_MS);
    expect(dataKeyIds()).toEqual([2]);
    expect((await vault.reveal(store.values[0] as Sealed, 'here')).reveal()).toBe(card.reveal());
  });

  it('goes on past values that cannot be opened, and names each once', async () => {
    const vault = await node();
    for (let count = 0; count < 120; count++) store.values.push(vault.seal(card, 'here'));
    store.values[3] = { bytes: Buffer.alloc(40), dataKeyId: 77 };
    const rotation = rotationOf(vault);
    await rotation.begin();
    const told: RotationProgress[] = [];
    await rotation.finish(forever, (progress) => told.push(progress));
    expect(lost).toEqual(['here']);
    expect(told.at(-1)).toMatchObject({ resealed: 119, lost: 1 });
    expect(dataKeyIds()).toEqual([2]);
    expect(rotation.isUnderWay).toBe(false);
    expect(store.values[3].dataKeyId).toBe(77);
  });

  it('leaves a key that something broken is sealed under, and another one can begin', async () => {
    const vault = await node();
    const { bytes, dataKeyId } = vault.seal(card, 'here');
    store.values.push({ bytes: bytes.fill(0), dataKeyId });
    const rotation = rotationOf(vault);
    await rotation.begin();
    await rotation.finish(forever);
    expect(dataKeyIds()).toEqual([1, 2]);
    expect(rotation.isUnderWay).toBe(false);
    await rotation.begin();
    expect(rotation.isUnderWay).toBe(true);
    await rotation.finish(forever);
    expect(dataKeyIds()).toEqual([1, 3]);
  });

  it('that another one overtakes leaves the end to that one', async () => {
    const [vault, other] = [await node(), await node()];
    const rotation = rotationOf(vault);
    await rotation.begin();
    meanwhile = [() => other.newDataKey().then(() => vault.refresh())];
    await rotation.finish(forever);
    expect(dataKeyIds()).toEqual([1, 2, 3]);
    await rotation.finish(forever);
    expect(dataKeyIds()).toEqual([3]);
  });

  it('that is stopped goes on at the next start', async () => {
    const vault = await node();
    for (let count = 0; count < 120; count++) store.values.push(vault.seal(card, 'here'));
    const rotation = rotationOf(vault);
    await rotation.begin();
    const stopping = new AbortController();
    meanwhile = [() => stopping.abort()];
    await rotation.finish(stopping.signal);
    expect(dataKeyIds()).toEqual([1, 2]);
    const next = rotationOf(await node());
    expect(next.isUnderWay).toBe(true);
    await next.finish(forever);
    expect(dataKeyIds()).toEqual([2]);
  });
});
