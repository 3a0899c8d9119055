import { chmod, copyFile, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Secret } from '../domain/secret.ts';
import type { Sealed } from '../storage/store.ts';
import { openKeyFile } from './key-file.ts';
import { isSameFingerprint, type KeyStore, KeysTooOld, Vault, type WrappedKey } from './vault.ts';

const NUMBER = new Secret('4111111111111111');

/** Keys and sealed values in memory, in place of the database. */
class MemoryKeys implements KeyStore {
  keys = new Map<number, WrappedKey>();
  values: { sealed: Sealed; place: string }[] = [];

  list = async () => [...this.keys.values()];
  add = async (key: WrappedKey) => {
    if (this.keys.has(key.dataKeyId)) return false;
    this.keys.set(key.dataKeyId, key);
    return true;
  };
  rewrap = async (key: WrappedKey) => void this.keys.set(key.dataKeyId, key);
  remove = async (dataKeyId: number) => this.keys.delete(dataKeyId);
  use: KeyStore['use'] = async (dataKeyId, neededUntil) => {
    const { purpose } = this.keys.get(dataKeyId) as WrappedKey;
    const older = [...this.keys.values()].filter((key) => key.purpose === purpose && key.dataKeyId > dataKeyId);
    for (const key of older) this.keys.set(key.dataKeyId, { ...key, neededUntil: key.neededUntil ?? neededUntil });
    this.keys.set(dataKeyId, { ...(this.keys.get(dataKeyId) as WrappedKey), inUse: true });
  };
  settle: KeyStore['settle'] = async (dataKeyId, neededUntil) => {
    const { purpose } = this.keys.get(dataKeyId) as WrappedKey;
    for (const key of this.keys.values()) {
      if (key.purpose === purpose && key.dataKeyId > dataKeyId) this.keys.set(key.dataKeyId, { ...key, neededUntil });
    }
  };
  walk: KeyStore['walk'] = (current, again) => async (limit) => {
    const old = this.values.filter(({ sealed }) => sealed.dataKeyId !== current).slice(0, limit);
    for (const value of old) value.sealed = (await again(value.sealed, value.place)) ?? value.sealed;
    return old.length;
  };
}

let folder: string;
let keys: MemoryKeys;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-vault-'));
  keys = new MemoryKeys();
});

afterEach(() => rm(folder, { recursive: true }));

const keyFile = () => join(folder, 'keys', 'kek');
const openVault = async () => Vault.open(keys, await openKeyFile(keyFile(), { create: true }));

describe('the vault', () => {
  it('gives back what it sealed, and only at its place', async () => {
    const vault = await openVault();
    const sealed = vault.seal(NUMBER, 'merchant/1/card/7');
    expect(sealed.bytes.includes('4111')).toBe(false);
    expect((await vault.reveal(sealed, 'merchant/1/card/7')).reveal()).toBe('4111111111111111');
    await expect(vault.reveal(sealed, 'merchant/2/card/7')).rejects.toThrow();
  });

  it('notices a single flipped bit', async () => {
    const vault = await openVault();
    const sealed = vault.seal(NUMBER, 'here');
    for (let byte = 0; byte < sealed.bytes.length; byte++) {
      const bytes = Buffer.from(sealed.bytes);
      bytes[byte] = (bytes[byte] as number) ^ 1;
      await expect(vault.reveal({ ...sealed, bytes }, 'here')).rejects.toThrow();
    }
  });

  it('never seals the same value to the same bytes, and recognises equal ones all the same', async () => {
    const vault = await openVault();
    const sealed = Array.from({ length: 1000 }, () => vault.seal(NUMBER, 'here').bytes.toString('hex'));
    expect(new Set(sealed).size).toBe(1000);
    expect(vault.fingerprint(['card', '4111'])).toEqual(vault.fingerprint(['card', '4111']));
    expect(vault.fingerprint(['ab', 'c'])).not.toEqual(vault.fingerprint(['a', 'bc']));
  });

  it('opens everything again after a restart', async () => {
    const sealed = (await openVault()).seal(NUMBER, 'here');
    const fingerprint = (await openVault()).fingerprint(['x']);
    const vault = await openVault();
    expect((await vault.reveal(sealed, 'here')).reveal()).toBe('4111111111111111');
    expect(vault.fingerprint(['x'])).toEqual(fingerprint);
  });

  it('changes its data key while others still seal under the old one', async () => {
    const vault = await openVault();
    const other = await openVault();
    keys.values = Array.from({ length: 25 }, (_, index) => ({
      sealed: vault.seal(NUMBER, `${index}`),
      place: `${index}`,
    }));
    const fresh = await vault.newDataKey();
    keys.values.push({ sealed: other.seal(NUMBER, 'late'), place: 'late' });
    const next = vault.walk(() => {});
    while ((await next(10)) > 0);
    expect(keys.values.every(({ sealed }) => sealed.dataKeyId === fresh)).toBe(true);
    expect(await vault.removeOldKeys()).toEqual([]);
    expect([...keys.keys.values()].filter((key) => key.purpose === 'seal').map((key) => key.dataKeyId)).toEqual([
      fresh,
    ]);
    for (const { sealed, place } of keys.values) {
      expect((await other.reveal(sealed, place)).reveal()).toBe('4111111111111111');
    }
  });

  it('changes the key-encryption key without touching what is sealed', async () => {
    const vault = await openVault();
    const sealed = vault.seal(NUMBER, 'here');
    const before = keys.keys.get(1)?.kekId;
    const after = await vault.rotateKek();
    expect(after).not.toBe(before);
    expect([...keys.keys.values()].every(({ kekId }) => kekId === after)).toBe(true);
    expect((await (await openVault()).reveal(sealed, 'here')).reveal()).toBe('4111111111111111');
  });
});

describe('keys that were not read for long', () => {
  const GRACE_MS = 60_000;
  let now = 0;
  const clock = { now: () => now, sleep: async () => {} };
  const openNode = async () =>
    Vault.open(keys, await openKeyFile(keyFile(), { create: true }), { clock, graceMs: GRACE_MS });

  it('are not sealed under', async () => {
    const vault = await openNode();
    now += GRACE_MS / 4 - 1;
    expect(vault.seal(NUMBER, 'here').dataKeyId).toBe(1);
    now += 1;
    expect(vault.isStale).toBe(true);
    expect(() => vault.seal(NUMBER, 'here')).toThrow(KeysTooOld);
  });

  it('are read again first', async () => {
    const [vault, other] = [await openNode(), await openNode()];
    now += GRACE_MS;
    await other.newDataKey();
    expect(await vault.freshen()).toBe(true);
    expect(vault.seal(NUMBER, 'here').dataKeyId).toBe(2);
  });

  it('are read once more when the reading that is under way has become too old itself', async () => {
    const vault = await openNode();
    const { list } = keys;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      keys.list = async () => {
        resolve();
        await held;
        return list.call(keys);
      };
    });
    now += GRACE_MS;
    const earlier = vault.freshen();
    await asked;
    now += GRACE_MS;
    const later = vault.freshen();
    goOn();
    expect(await Promise.all([earlier, later])).toEqual([true, true]);
    keys.list = list;
  });

  it('stay unused while they cannot be read', async () => {
    const vault = await openNode();
    now += GRACE_MS;
    const { list } = keys;
    keys.list = async () => {
      throw new Error('no database');
    };
    expect(await vault.freshen()).toBe(false);
    expect(() => vault.seal(NUMBER, 'here')).toThrow(KeysTooOld);
    keys.list = list;
    expect(await vault.freshen()).toBe(true);
  });

  it('stay unused on a node whose key file does not open the new one', async () => {
    const vault = await openNode();
    await copyFile(keyFile(), join(folder, 'copy'));
    const options = { clock, graceMs: GRACE_MS };
    const apart = await Vault.open(keys, await openKeyFile(join(folder, 'copy'), { create: false }), options);
    await vault.rotateKek();
    now += GRACE_MS / 4;
    // The keys it knows are wrapped again, and still the same.
    expect(await apart.freshen()).toBe(true);
    await vault.newDataKey();
    now += GRACE_MS / 4;
    expect(await apart.freshen()).toBe(false);
    expect(() => apart.seal(NUMBER, 'here')).toThrow(KeysTooOld);
  });
});

describe('keys of digests', () => {
  const ids = (purpose: string) =>
    [...keys.keys.values()].filter((key) => key.purpose === purpose).map((key) => key.dataKeyId);

  it('links have one of their own', async () => {
    const vault = await openVault();
    expect(vault.linkMarks(['x'])).toHaveLength(1);
    expect(vault.linkMarks(['x'])[0]).not.toEqual(vault.fingerprint(['x']));
    expect((await openVault()).linkMarks(['x'])).toEqual(vault.linkMarks(['x']));
  });

  it('links that were made under the lookup key count until their end', async () => {
    const provider = await openKeyFile(keyFile(), { create: true });
    const earlier = (await Vault.open(keys, provider)).fingerprint(['x']);
    for (const id of ids('links')) keys.keys.delete(id);
    let now = 1_000;
    const clock = { now: () => now, sleep: async () => {} };
    const vault = await Vault.open(keys, provider, { clock, linksLastMs: 500 });
    expect(vault.linkMarks(['x'])).toHaveLength(2);
    expect(vault.linkMarks(['x'])[0]).not.toEqual(earlier);
    expect(vault.linkMarks(['x'])[1]).toEqual(earlier);
    now = 1_499;
    expect(await vault.removeOverdueKeys(now, new Set())).toEqual([]);
    expect(vault.linkMarks(['x'])).toHaveLength(2);
    await vault.removeOverdueKeys(1_500, new Set());
    expect(vault.linkMarks(['x'])).toHaveLength(1);
    expect(vault.comingDigestKeys).toEqual([]);
  });

  it('change without a moment in which a node meets what it does not know', async () => {
    const [vault, other] = [await openVault(), await openVault()];
    const [before, mark] = [vault.fingerprint(['x']), vault.requestMark(['x'])];
    await vault.newDigestKey('lookup');
    // All nodes learn the key, and nobody uses it.
    expect(vault.fingerprint(['x']).equals(before)).toBe(true);
    await other.refresh();
    const [coming] = vault.comingDigestKeys;
    await vault.useDigestKey(coming?.dataKeyId as number);
    const after = vault.fingerprint(['x']);
    expect(after.equals(before)).toBe(false);
    // The other node has not noticed: it notes under the old key and recognises both.
    expect(other.fingerprint(['x']).equals(before)).toBe(true);
    expect(isSameFingerprint(after, other.fingerprint(['x']))).toBe(true);
    expect(isSameFingerprint(before, vault.fingerprint(['x']))).toBe(true);
    expect(isSameFingerprint(after, vault.fingerprint(['y']))).toBe(false);
    expect(vault.requestMark(['x']).equals(mark)).toBe(true);
    expect(vault.fingerprintLike(before, ['x']).equals(before)).toBe(true);
    expect(vault.fingerprintLike(after, ['x']).equals(after)).toBe(true);
    expect(vault.hasOldFingerprints).toBe(true);
    await vault.settleLookupKeys(10);
    expect(vault.hasOldFingerprints).toBe(false);
    await vault.removeOverdueKeys(10, new Set());
    expect(isSameFingerprint(before, vault.fingerprint(['x']))).toBe(false);
  });
});

describe('a key-encryption key that is retired', () => {
  it('is refused while a data key is wrapped under it, and gone from the file afterwards', async () => {
    const vault = await openVault();
    const before = await readFile(keyFile(), 'utf8');
    const [id = '', digits = ''] = before.trim().split(' ');
    await expect(vault.retireKek(id)).rejects.toThrow('4 data keys are wrapped under it');
    const next = await vault.rotateKek();
    const added = await readFile(keyFile(), 'utf8');
    await vault.retireKek(id);
    const after = await readFile(keyFile(), 'utf8');
    expect(after).not.toContain(digits);
    expect(after).toHaveLength(added.length);
    expect(after).toContain(next);
    const sealed = vault.seal(NUMBER, 'here');
    expect((await (await openVault()).reveal(sealed, 'here')).reveal()).toBe(NUMBER.reveal());
    await expect(vault.retireKek(id)).rejects.toThrow(`has no key ${id}`);
  });

  it('is never the one that new keys are wrapped under', async () => {
    const provider = await openKeyFile(keyFile(), { create: true });
    const { kekId } = await provider.wrap(Buffer.alloc(32));
    await expect(provider.retire(kekId)).rejects.toThrow('is the current key of the key file');
    await provider.rotate();
    await provider.retire(kekId);
    await expect(provider.unwrap(Buffer.alloc(60), kekId)).rejects.toThrow('does not hold the key');
  });
});

describe('the key file', () => {
  it('is readable by its owner only', async () => {
    await openVault();
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(await readFile(keyFile(), 'utf8')).toMatch(/^kek-[0-9a-f]{12} [0-9a-f]{64}\n$/);
  });

  it('is closed to others again when a key is added', async () => {
    const vault = await openVault();
    await chmod(keyFile(), 0o644);
    await vault.rotateKek();
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
  });

  it('is on disk before anything is wrapped under a new key', async () => {
    const handle = await open(join(folder, 'any'), 'a');
    await handle.close();
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync');
    const provider = await openKeyFile(keyFile(), { create: true });
    // One sync is for the file, the other for its new folder.
    expect(sync).toHaveBeenCalledTimes(2);
    sync.mockRejectedValueOnce(new Error('EIO'));
    await expect(provider.rotate()).rejects.toThrow('EIO');
    sync.mockRestore();
  });

  it('must exist where it is not to be made', async () => {
    await expect(openKeyFile(keyFile(), { create: false })).rejects.toThrow('does not exist');
  });

  it.each(['', 'nonsense', 'id 1234'])('is refused when it holds %j', async (text) => {
    await writeFile(join(folder, 'bad'), text);
    await expect(openKeyFile(join(folder, 'bad'), { create: true })).rejects.toThrow('the key file');
  });

  it('is refused when it is a folder', async () => {
    await expect(openKeyFile(folder, { create: true })).rejects.toThrow(
      `the key file ${folder} cannot be read: it is a folder`,
    );
  });

  it('with a wrong digit is named', async () => {
    await openVault();
    const text = await readFile(keyFile(), 'utf8');
    const wrong = text.replace(/.(?=\n$)/, (digit) => (digit === '0' ? '1' : '0'));
    await writeFile(keyFile(), wrong);
    const line = `the key file ${keyFile()} has another key ${text.split(' ')[0]} than this database was sealed with`;
    await expect(openVault()).rejects.toThrow(line);
  });

  it('of another installation does not open this one’s values', async () => {
    await openVault();
    const other = await openKeyFile(join(folder, 'other'), { create: true });
    await expect(Vault.open(keys, other)).rejects.toThrow('does not hold the key');
  });
});
