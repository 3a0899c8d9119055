import { expect, it } from 'vitest';
import { testKeys } from '../../../test/test-keys.ts';
import type { ConfigurationStore, StoredKey } from '../../storage/configuration.ts';
import type { Vault } from '../../vault/vault.ts';
import { LiveConfiguration } from './live-configuration.ts';

const merchant = { name: 'A shop', enabled: true, allowedAddresses: [], allowedOperations: [] };
const rsa = (merchantId: number, keyId: string, publicKey: string): StoredKey => {
  return { kind: 'rsa', merchantId, keyId, publicKey, validFrom: 0, validUntil: undefined, operations: [] };
};
const MERCHANTS = testKeys('merchants').publicKey;
const STRANGER = testKeys('stranger').publicKey;

it('gives every merchant its own keys, and parses a public key once however often it is read', async () => {
  let keys = [rsa(1, 'first', MERCHANTS), rsa(2, 'second', MERCHANTS), rsa(1, 'third', STRANGER)];
  const merchants = [1, 2].map((merchantId) => ({ ...merchant, merchantId, login: `shop${merchantId}` }));
  const others = {
    endpoints: [],
    groups: [],
    looks: new Map(),
    terminals: [],
    networks: [],
    tampered: [],
    broken: new Set(),
    counters: new Map(),
  };
  const read = async () => ({ version: '1', merchants, shards: [0], keys, ...others });
  const screening = { limits: [], blocks: [] };
  const store = { read: async () => ({ ...(await read()), screening }) } as unknown as ConfigurationStore;
  const vault = { refresh: async () => {} } as unknown as Vault;
  const clock = { now: () => 0, sleep: async () => {} };
  const configuration = new LiveConfiguration({ store, vault, mode: 'sandbox', clock });
  const keysOf = (merchantId: number) => configuration.byId(merchantId)?.publicKeys ?? [];

  await configuration.refresh();
  expect(keysOf(1).map(({ keyId }) => keyId)).toEqual(['first', 'third']);
  expect(keysOf(2).map(({ keyId }) => keyId)).toEqual(['second']);
  const [first, third] = keysOf(1);
  expect(keysOf(2)[0]?.key).toBe(first?.key);
  expect(third?.key.export({ type: 'spki', format: 'pem' })).toBe(STRANGER);

  keys = [rsa(1, 'third', STRANGER), rsa(2, 'fourth', MERCHANTS)];
  await configuration.refresh();
  expect(keysOf(1)).toEqual([third]);
  expect(keysOf(1)[0]?.key).toBe(third?.key);
  expect(keysOf(2)[0]?.key).toBe(first?.key);
});
