import { beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../domain/secret.ts';
import type { Sealed } from '../storage/store.ts';
import { type KeyStore, Vault, type WrappedKey } from '../vault/vault.ts';
import { KeyRotation, type Progress } from './key-rotation.ts';

const GRACE_MS = 60_000;
const provider = {
  wrap: async (wrapped: Buffer) => ({ wrapped, kekId: 'none' }),
  unwrap: async (wrapped: Buffer) => wrapped,
  rotate: async () => 'none',
};

/** One database for several nodes: the wrapped keys, and values sealed under them. */
class SharedKeys implements KeyStore {
  readonly keys: WrappedKey[] = [];
  readonly values: Sealed[] = [];

  list = async () => [...this.keys];
  add = async (key: WrappedKey) => this.keys.push(key) > 0;
  rewrap = async () => {};
  remove = async (id: number) => {
    if (this.values.some(({ dataKeyId }) => dataKeyId === id)) return;
    this.keys.splice(
      this.keys.findIndex((key) => key.dataKeyId === id),
      1,
    );
  };
  reseal: KeyStore['reseal'] = async (current, limit, again) => {
    const old = [...this.values.keys()].filter((index) => this.values[index]?.dataKeyId !== current).slice(0, limit);
    for (const index of old) this.values[index] = await again(this.values[index] as Sealed, 'here');
    return old.length;
  };
}

let store: SharedKeys;
let now: number;
/** What happens elsewhere while somebody sleeps. */
let meanwhile: (() => unknown)[];
const clock = {
  now: () => now,
  sleep: async (ms: number) => {
    now += ms;
    await meanwhile.shift()?.();
  },
};
const node = () => Vault.open(store, provider);
const forever = new AbortController().signal;
const card = new Secret('4111111111111111');
const dataKeyIds = () => store.keys.filter(({ purpose }) => purpose === 'seal').map((key) => key.dataKeyId);

beforeEach(() => {
  store = new SharedKeys();
  now = 0;
  meanwhile = [];
});

describe('a rotation', () => {
  it('seals everything anew and leaves one key', async () => {
    const vault = await node();
    for (let count = 0; count < 120; count++) store.values.push(vault.seal(card, 'here'));
    const rotation = new KeyRotation({ clock, vault, graceMs: GRACE_MS });
    await rotation.begin();
    expect(rotation.isUnderWay).toBe(true);
    const told: Progress[] = [];
    await rotation.finish(forever, (progress) => told.push(progress));
    expect(dataKeyIds()).toEqual([2]);
    expect(rotation.isUnderWay).toBe(false);
    expect(told).toContainEqual({ resealed: 120, waiting: true });
    for (const value of store.values) expect((await vault.reveal(value, 'here')).reveal()).toBe(card.reveal());
  });

  it('catches what a node sealed before it knew the new key', async () => {
    const [vault, other] = [await node(), await node()];
    const rotation = new KeyRotation({ clock, vault, graceMs: GRACE_MS });
    await rotation.begin();
    meanwhile = [() => store.values.push(other.seal(card, 'here'))];
    await rotation.finish(forever);
    expect(now).toBeGreaterThanOrEqual(GRACE_MS);
    expect(dataKeyIds()).toEqual([2]);
    expect(store.values.map((value) => value.dataKeyId)).toEqual([2]);
    expect((await other.reveal(store.values[0] as Sealed, 'here')).reveal()).toBe(card.reveal());
  });

  it('that another one overtakes leaves the end to that one', async () => {
    const [vault, other] = [await node(), await node()];
    const rotation = new KeyRotation({ clock, vault, graceMs: GRACE_MS });
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
    const rotation = new KeyRotation({ clock, vault, graceMs: GRACE_MS });
    await rotation.begin();
    const stopping = new AbortController();
    meanwhile = [() => stopping.abort()];
    await rotation.finish(stopping.signal);
    expect(dataKeyIds()).toEqual([1, 2]);
    const next = new KeyRotation({ clock, vault: await node(), graceMs: GRACE_MS });
    expect(next.isUnderWay).toBe(true);
    await next.finish(forever);
    expect(dataKeyIds()).toEqual([2]);
  });
});
