// Merchants, endpoints, groups and keys: read whole into memory by every node, written by administration.
// Every write counts the version up, and nodes that see another version than theirs read again.

import type { Look } from '../domain/merchant/look.ts';
import type { Endpoint, EndpointGroup, Merchant, ThreeDSecure, Unauthenticated } from '../domain/merchant/merchant.ts';
import type { Database, Row, Session, Statement } from './database.ts';
import { readLooks } from './looks.ts';
import { readScreeningRules, type ScreeningRules } from './screening-rules.ts';
import type { Sealed } from './store.ts';

export type StoredMerchant = Omit<Merchant, 'controlKeys' | 'publicKeys'>;

export type StoredKey = {
  readonly merchantId: number;
  readonly keyId: string;
  readonly validFrom: number;
  readonly validUntil: number | undefined;
} & ({ readonly kind: 'control'; readonly sealed: Sealed } | { readonly kind: 'rsa'; readonly publicKey: string });

export type Configuration = {
  readonly version: string;
  readonly merchants: readonly StoredMerchant[];
  readonly endpoints: readonly Endpoint[];
  readonly groups: readonly EndpointGroup[];
  readonly keys: readonly StoredKey[];
  /** By endpoint. */
  readonly looks: ReadonlyMap<number, Look>;
  readonly screening: ScreeningRules;
};

export type ConfigurationStore = {
  version(): Promise<string>;
  read(): Promise<Configuration>;
  addMerchant(merchant: StoredMerchant, at: number): Promise<void>;
  setMerchant(merchant: StoredMerchant): Promise<void>;
  addEndpoint(endpoint: Endpoint, at: number): Promise<void>;
  setEndpoint(endpoint: Endpoint): Promise<void>;
  addGroup(group: EndpointGroup): Promise<void>;
  addKey(key: StoredKey, at: number): Promise<void>;
  retireKey(merchantId: number, keyId: string, at: number): Promise<void>;
};

const sql = (name: string, text: string): Statement => ({ name: `configuration-${name}`, text });

const statements = {
  version: sql('version', 'select version from configuration_version'),
  lock: sql('lock', 'select version from configuration_version for update'),
  bump: sql('bump', 'update configuration_version set version = version + 1'),
  merchants: sql('merchants', 'select * from merchants order by merchant_id'),
  endpoints: sql('endpoints', 'select * from endpoints order by endpoint_id'),
  groups: sql(
    'groups',
    'select group_id, merchant_id, endpoint_id from endpoint_groups order by group_id, endpoint_id',
  ),
  keys: sql('keys', 'select * from merchant_keys order by merchant_id, created_at'),
  addMerchant: sql(
    'add-merchant',
    `insert into merchants (merchant_id, login, name, enabled, allowed_addresses, allowed_operations, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
  ),
  setMerchant: sql(
    'set-merchant',
    `update merchants set name = $2, enabled = $3, allowed_addresses = $4, allowed_operations = $5 where merchant_id = $1`,
  ),
  addPathId: sql('add-path-id', 'insert into path_ids (path_id, merchant_id, kind) values ($1, $2, $3)'),
  addEndpoint: sql(
    'add-endpoint',
    `insert into endpoints (endpoint_id, merchant_id, name, currency, enabled, sandbox, three_d_secure, legacy_replies,
       strict_signing, minimum, maximum, required_fields, descriptor, credit_limit, unauthenticated, signed_forms,
       frame_ancestors, acquirer_bin, acquirer_merchant_id, category, country, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
  ),
  setEndpoint: sql(
    'set-endpoint',
    `update endpoints set name = $3, currency = $4, enabled = $5, sandbox = $6, three_d_secure = $7, legacy_replies = $8,
       strict_signing = $9, minimum = $10, maximum = $11, required_fields = $12, descriptor = $13,
       credit_limit = $14, unauthenticated = $15, signed_forms = $16, frame_ancestors = $17,
       acquirer_bin = $18, acquirer_merchant_id = $19, category = $20, country = $21
     where endpoint_id = $1 and merchant_id = $2`,
  ),
  addGroup: sql('add-group', 'insert into endpoint_groups (group_id, merchant_id, endpoint_id) values ($1, $2, $3)'),
  addKey: sql(
    'add-key',
    `insert into merchant_keys (merchant_id, key_id, kind, sealed, data_key_id, public_key, valid_from, valid_until, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  ),
  retireKey: sql('retire-key', 'update merchant_keys set valid_until = $3 where merchant_id = $1 and key_id = $2'),
};

export function configurationStore(database: Database): ConfigurationStore {
  const change = (work: (session: Session) => Promise<unknown>): Promise<void> =>
    database.transaction(async (session) => {
      // First, so that two administrators queue here and the version never tells of half a change.
      await session.query(statements.bump);
      await work(session);
    });
  return {
    async version() {
      const [row] = await database.query(statements.version);
      return row?.version as string;
    },
    read: () => database.transaction(read),
    addMerchant: (merchant, at) =>
      change((session) =>
        session.query(statements.addMerchant, [
          merchant.merchantId,
          merchant.login,
          merchant.name,
          merchant.enabled,
          merchant.allowedAddresses,
          merchant.allowedOperations,
          new Date(at),
        ]),
      ),
    setMerchant: (merchant) =>
      change((session) =>
        session.query(statements.setMerchant, [
          merchant.merchantId,
          merchant.name,
          merchant.enabled,
          merchant.allowedAddresses,
          merchant.allowedOperations,
        ]),
      ),
    addEndpoint: (endpoint, at) =>
      change(async (session) => {
        await session.query(statements.addPathId, [endpoint.endpointId, endpoint.merchantId, 'endpoint']);
        await session.query(statements.addEndpoint, [...endpointColumns(endpoint), new Date(at)]);
      }),
    setEndpoint: (endpoint) => change((session) => session.query(statements.setEndpoint, endpointColumns(endpoint))),
    addGroup: (group) =>
      change(async (session) => {
        await session.query(statements.addPathId, [group.groupId, group.merchantId, 'group']);
        for (const endpointId of group.endpointIds) {
          await session.query(statements.addGroup, [group.groupId, group.merchantId, endpointId]);
        }
      }),
    addKey: (key, at) =>
      change((session) =>
        session.query(statements.addKey, [
          key.merchantId,
          key.keyId,
          key.kind,
          key.kind === 'control' ? key.sealed.bytes : null,
          key.kind === 'control' ? key.sealed.dataKeyId : null,
          key.kind === 'rsa' ? key.publicKey : null,
          new Date(key.validFrom),
          key.validUntil === undefined ? null : new Date(key.validUntil),
          new Date(at),
        ]),
      ),
    retireKey: (merchantId, keyId, at) =>
      change((session) => session.query(statements.retireKey, [merchantId, keyId, new Date(at)])),
  };
}

/** For whoever changes what they have read: nobody else changes the configuration until the transaction is over. */
export async function lockConfiguration(session: Session): Promise<void> {
  await session.query(statements.lock);
}

async function read(session: Session): Promise<Configuration> {
  // The version first: a change in between is read again, never missed.
  const [versionRow] = await session.query(statements.version);
  const merchants = await session.query(statements.merchants);
  const endpoints = await session.query(statements.endpoints);
  const groups = await session.query(statements.groups);
  const keys = await session.query(statements.keys);
  const looks = await readLooks(session);
  const screening = await readScreeningRules(session);
  return {
    version: versionRow?.version as string,
    merchants: merchants.map(merchantFrom),
    endpoints: endpoints.map(endpointFrom),
    groups: groupsFrom(groups),
    keys: keys.map(keyFrom),
    looks,
    screening,
  };
}

function endpointColumns(endpoint: Endpoint): unknown[] {
  return [
    endpoint.endpointId,
    endpoint.merchantId,
    endpoint.name,
    endpoint.currency,
    endpoint.enabled,
    endpoint.sandbox,
    endpoint.threeDSecure,
    endpoint.legacyReplies,
    endpoint.strictSigning,
    endpoint.minimum?.toString() ?? null,
    endpoint.maximum?.toString() ?? null,
    endpoint.requiredFields,
    endpoint.descriptor,
    endpoint.creditLimit.toString(),
    endpoint.unauthenticated,
    endpoint.signedForms,
    endpoint.frameAncestors,
    endpoint.acquiring.bin,
    endpoint.acquiring.merchantId,
    endpoint.acquiring.category,
    endpoint.acquiring.country,
  ];
}

function merchantFrom(row: Row): StoredMerchant {
  return {
    merchantId: Number(row.merchant_id),
    login: row.login as string,
    name: row.name as string,
    enabled: row.enabled as boolean,
    allowedAddresses: row.allowed_addresses as string[],
    allowedOperations: row.allowed_operations as string[],
  };
}

function endpointFrom(row: Row): Endpoint {
  return {
    endpointId: Number(row.endpoint_id),
    merchantId: Number(row.merchant_id),
    name: row.name as string,
    currency: row.currency as string,
    enabled: row.enabled as boolean,
    sandbox: row.sandbox as boolean,
    threeDSecure: row.three_d_secure as ThreeDSecure,
    unauthenticated: row.unauthenticated as Unauthenticated,
    acquiring: {
      bin: row.acquirer_bin as string,
      merchantId: row.acquirer_merchant_id as string,
      category: row.category as string,
      country: row.country as string,
    },
    legacyReplies: row.legacy_replies as boolean,
    strictSigning: row.strict_signing as boolean,
    minimum: row.minimum === null ? undefined : BigInt(row.minimum as string),
    maximum: row.maximum === null ? undefined : BigInt(row.maximum as string),
    creditLimit: BigInt(row.credit_limit as string),
    requiredFields: row.required_fields as string[],
    signedForms: row.signed_forms as boolean,
    frameAncestors: row.frame_ancestors as string[],
    descriptor: row.descriptor as string,
  };
}

function groupsFrom(rows: readonly Row[]): EndpointGroup[] {
  const groups = new Map<number, { groupId: number; merchantId: number; endpointIds: number[] }>();
  for (const row of rows) {
    const groupId = Number(row.group_id);
    const group = groups.get(groupId) ?? { groupId, merchantId: Number(row.merchant_id), endpointIds: [] };
    group.endpointIds.push(Number(row.endpoint_id));
    groups.set(groupId, group);
  }
  return [...groups.values()];
}

function keyFrom(row: Row): StoredKey {
  const key = {
    merchantId: Number(row.merchant_id),
    keyId: row.key_id as string,
    validFrom: (row.valid_from as Date).getTime(),
    validUntil: (row.valid_until as Date | null)?.getTime(),
  };
  return row.kind === 'control'
    ? { ...key, kind: 'control', sealed: { bytes: row.sealed as Buffer, dataKeyId: Number(row.data_key_id) } }
    : { ...key, kind: 'rsa', publicKey: row.public_key as string };
}
