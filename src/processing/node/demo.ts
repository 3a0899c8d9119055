// The demo merchant of a sandbox: fixed, documented data, so that the first sale is a copy and a paste away.

import { generateKeyPair, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { newEndpoint } from '../../domain/merchant/merchant.ts';
import { Secret } from '../../domain/secret.ts';
import type { ConfigurationStore } from '../../storage/configuration.ts';
import { controlKeyPlace } from '../../vault/places.ts';
import type { Vault } from '../../vault/vault.ts';
import type { LiveConfiguration } from './live-configuration.ts';

export const demo = {
  merchantId: 1,
  login: 'demo',
  controlKey: '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638',
  endpoints: [
    { endpointId: 101, name: 'Demo shop', currency: 'USD' },
    { endpointId: 102, name: 'Demo shop with 3-D Secure', currency: 'EUR', threeDSecure: 'required' },
    { endpointId: 103, name: 'Demo shop with legacy replies', currency: 'USD', legacyReplies: true },
    { endpointId: 104, name: 'Demo shop in yen', currency: 'JPY' },
    {
      endpointId: 105,
      name: 'Demo shop with legacy replies and 3-D Secure',
      currency: 'EUR',
      legacyReplies: true,
      threeDSecure: 'required',
    },
  ],
  groups: [
    { groupId: 200, endpointIds: [101, 102, 104] },
    { groupId: 201, endpointIds: [103, 105] },
  ],
} as const;

/** What the simulated bank makes of a payment (decisions, D-61), by its security code. */
export const demoOutcomes = [
  ['123, 1234', 'approved'],
  ['111', 'approved without 3-D Secure'],
  ['321', '3-D Secure challenge, on a 3-D Secure endpoint'],
  ['217', 'in doubt, resolved a little later'],
  ['101', 'declined: expired card'],
  ['116', 'declined: insufficient funds'],
  ['119', 'declined: not permitted'],
  ['209', 'declined: stolen card'],
  ['others', 'declined'],
] as const;

/** What of the demo a database has: it may have been made by a version whose demo had less. */
export function demoIn(configuration: Pick<LiveConfiguration, 'byLogin' | 'target'>) {
  const merchant = configuration.byLogin(demo.login);
  if (!merchant?.controlKeys.some(({ key }) => key.reveal() === demo.controlKey)) return undefined;
  const isThere = (id: number) => configuration.target(String(id))?.merchantId === demo.merchantId;
  return {
    endpoints: demo.endpoints.filter(({ endpointId }) => isThere(endpointId)),
    groups: demo.groups.filter(({ groupId }) => isThere(groupId)),
  };
}

const DESCRIPTOR = 'TENDER*DEMO';
const RSA_BITS = 2048;
/** The demo merchant's keys have no end and sign everything. */
const ALWAYS = { validFrom: 0, validUntil: undefined, operations: [] };

export type DemoParts = {
  /** Does all of the work or nothing; nobody else changes the configuration meanwhile. */
  inTransaction<T>(work: (configuration: ConfigurationStore) => Promise<T>): Promise<T>;
  readonly vault: Vault;
  readonly privateKeyPath: string;
  readonly now: number;
};

/** Makes the demo merchant when the database has no merchant at all, and its RSA key pair when the file is missing. */
export async function ensureDemo({ inTransaction, vault, privateKeyPath, now }: DemoParts): Promise<void> {
  const { merchantId } = demo;
  const hasDemo = await inTransaction((configuration) => ensureDemoMerchant(configuration, vault, now));
  if (!hasDemo || existsSync(privateKeyPath)) return;
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: RSA_BITS,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const keyId = `demo-rsa-${randomUUID()}`;
  const key = { kind: 'rsa', merchantId, keyId, publicKey, ...ALWAYS } as const;
  // The file is written last, so that a key in a file is always known to the gateway.
  await inTransaction((configuration) => configuration.addKey(key, now));
  await writeFile(privateKeyPath, privateKey, { mode: 0o600 });
}

/** Whether the demo merchant is there. */
async function ensureDemoMerchant(configuration: ConfigurationStore, vault: Vault, now: number): Promise<boolean> {
  const { merchants, tampered } = await configuration.read();
  // Merchants that are left out because somebody has changed them are there all the same.
  if (merchants.length > 0 || tampered.length > 0) {
    return merchants.some(({ merchantId, login }) => merchantId === demo.merchantId && login === demo.login);
  }
  await addDemoMerchant(configuration, vault, now);
  return true;
}

async function addDemoMerchant(configuration: ConfigurationStore, vault: Vault, now: number): Promise<void> {
  const { merchantId, login, controlKey, endpoints, groups } = demo;
  const anything = {
    enabled: true,
    allowedAddresses: [],
    allowedCertificates: [],
    allowedOperations: [],
    strictSigning: false,
    secondPersonAbove: [],
  };
  await configuration.addMerchant({ merchantId, login, name: 'Demo merchant', ...anything }, now);
  const keyId = 'demo-control';
  const sealed = vault.seal(new Secret(controlKey), controlKeyPlace({ merchantId, keyId }));
  await configuration.addKey({ kind: 'control', merchantId, keyId, sealed, ...ALWAYS }, now);
  for (const { endpointId, name, currency, ...settings } of endpoints) {
    const plain = newEndpoint({ endpointId, merchantId, name, currency, sandbox: true, descriptor: DESCRIPTOR });
    await configuration.addEndpoint({ ...plain, ...settings }, now);
  }
  for (const { groupId, endpointIds } of groups) {
    await configuration.addGroup({ merchantId, groupId, endpointIds: [...endpointIds] });
  }
}
