// What does not change from history to history: merchants with an endpoint each, one of them with limits and one with
// 3-D Secure, and a vault with fixed keys.

import { DEMO_TERMINAL } from '../../src/domain/acquirer/terminal.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { newEndpoint } from '../../src/domain/merchant/merchant.ts';
import { duplicateGuard, type VelocityLimit } from '../../src/domain/screening/screening.ts';
import { Secret } from '../../src/domain/secret.ts';
import { LiveConfiguration } from '../../src/processing/node/live-configuration.ts';
import type { Configuration, ConfigurationStore } from '../../src/storage/configuration.ts';
import { controlKeyPlace } from '../../src/vault/places.ts';
import type { CodeSealing } from '../../src/vault/security-codes.ts';
import { type KeyStore, Vault } from '../../src/vault/vault.ts';

export const CURRENCY = 'USD';

/** The banks that can be reached, and the order in which the one endpoint that has a choice asks them. */
export const TERMINALS = [DEMO_TERMINAL, 'second-bank', 'third-bank'] as const;

/** Which of the merchants has that endpoint. */
export const ROUTED = 1;

export const MERCHANTS = [
  { merchantId: 1, endpointId: 101, creditLimit: 0n },
  { merchantId: 2, endpointId: 102, creditLimit: 1_500n },
  { merchantId: 3, endpointId: 103, creditLimit: 0n },
  { merchantId: 4, endpointId: 104, creditLimit: 0n },
] as const;

/** Which of them lets no card pay whose payer was not authenticated. */
export const AUTHENTICATED = 3;

/** Which of them has limits, and what they are. */
export const LIMITED = 2;
export const LIMITS: readonly VelocityLimit[] = [
  { kind: 'card', windowMs: 60_000, maxCount: 2, maxSum: undefined },
  { kind: 'email', windowMs: 5 * 60_000, maxCount: undefined, maxSum: 6_000n },
  { kind: 'address', windowMs: 40_000, maxCount: 2, maxSum: undefined },
  duplicateGuard(20_000),
];

export type House = {
  readonly vault: Vault;
  readonly codes: CodeSealing;
  readonly configuration: LiveConfiguration;
};

export async function openHouse(): Promise<House> {
  const vault = await openVault();
  const store = { version: async () => '1', read: async () => configurationOf(vault) } as unknown as ConfigurationStore;
  const configuration = new LiveConfiguration({ store, vault, mode: 'sandbox', clock: systemClock });
  await configuration.refresh();
  return { vault, codes: openCodes(vault), configuration };
}

/** One machine for all nodes, whose memory outlives every process: the key of security codes is never lost. */
function openCodes(vault: Vault): CodeSealing {
  const dataKeyId = 1;
  return {
    isStale: false,
    freshen: async () => true,
    seal: (code, place) => vault.seal(code, place).bytes,
    open: (bytes, place) => vault.reveal({ bytes, dataKeyId }, place),
  };
}

function openVault(): Promise<Vault> {
  const keys: Pick<KeyStore, 'list'> = {
    list: async () => [
      { dataKeyId: 0, purpose: 'lookup', wrapped: Buffer.alloc(32, 1), kekId: 'fixed' },
      { dataKeyId: 1, purpose: 'seal', wrapped: Buffer.alloc(32, 2), kekId: 'fixed' },
      { dataKeyId: -1_000_001, purpose: 'links', wrapped: Buffer.alloc(32, 3), kekId: 'fixed' },
      { dataKeyId: -1_000_002, purpose: 'marks', wrapped: Buffer.alloc(32, 4), kekId: 'fixed' },
    ],
  };
  return Vault.open(keys as KeyStore, {
    wrap: async (dataKey) => ({ wrapped: dataKey, kekId: 'fixed' }),
    unwrap: async (wrapped) => wrapped,
    rotate: async () => 'fixed',
    retire: async () => {},
  });
}

function configurationOf(vault: Vault): Configuration {
  return {
    version: '1',
    merchants: MERCHANTS.map(({ merchantId }) => ({
      merchantId,
      login: `merchant-${merchantId}`,
      name: `Merchant ${merchantId}`,
      enabled: true,
      allowedAddresses: [],
      allowedCertificates: [],
      allowedOperations: [],
      strictSigning: false,
      secondPersonAbove: [],
    })),
    shards: [0],
    endpoints: MERCHANTS.map(({ merchantId, endpointId, creditLimit }) => {
      const name = `Endpoint ${endpointId}`;
      const plain = { endpointId, merchantId, name, currency: CURRENCY, sandbox: false, descriptor: 'Simulated' };
      const route = endpointId === MERCHANTS[ROUTED].endpointId ? TERMINALS.join(',') : undefined;
      const isGated = endpointId === MERCHANTS[AUTHENTICATED].endpointId;
      return { ...newEndpoint(plain), threeDSecure: isGated ? 'required' : 'none', creditLimit, route };
    }),
    groups: [],
    keys: MERCHANTS.map(({ merchantId }) => ({
      kind: 'control',
      merchantId,
      keyId: 'only',
      validFrom: 0,
      validUntil: undefined,
      operations: [],
      sealed: vault.seal(new Secret(`key of ${merchantId}`), controlKeyPlace({ merchantId, keyId: 'only' })),
    })),
    screening: { limits: LIMITS.map((limit) => ({ ...limit, ...MERCHANTS[LIMITED] })), blocks: [] },
    looks: new Map(),
    terminals: [],
    networks: [],
    tampered: [],
    broken: new Set(),
    counters: new Map(),
  };
}
