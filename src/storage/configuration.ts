// Merchants, endpoints, groups and keys: read whole into memory by every node, written by administration.
// Every write counts the version up, and nodes that see another version than theirs read again.

import { endpointSettings } from '../domain/merchant/endpoint-settings.ts';
import type { Look } from '../domain/merchant/look.ts';
import type { Endpoint, EndpointGroup, Merchant } from '../domain/merchant/merchant.ts';
import { merchantSettings } from '../domain/merchant/merchant-settings.ts';
import { columnOf } from '../domain/merchant/setting-spelling.ts';
import type { Database, Row, Session, Statement } from './database.ts';
import { readLooks } from './looks.ts';
import { readScreeningRules, type ScreeningRules } from './screening-rules.ts';
import { insertInto, settingsFrom, settingValues, update } from './settings.ts';
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

const merchantIdentity = ['merchant_id', 'login'];
const merchantColumns = merchantSettings.map(columnOf);
const endpointIdentity = ['endpoint_id', 'merchant_id', 'currency'];
const endpointColumns = endpointSettings.map(columnOf);

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
  addMerchant: sql('add-merchant', insertInto('merchants', [...merchantIdentity, ...merchantColumns, 'created_at'])),
  setMerchant: sql('set-merchant', update('merchants', merchantIdentity, merchantColumns)),
  addPathId: sql('add-path-id', 'insert into path_ids (path_id, merchant_id, kind) values ($1, $2, $3)'),
  addEndpoint: sql('add-endpoint', insertInto('endpoints', [...endpointIdentity, ...endpointColumns, 'created_at'])),
  setEndpoint: sql('set-endpoint', update('endpoints', endpointIdentity, endpointColumns)),
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
      change((session) => session.query(statements.addMerchant, [...merchantValues(merchant), new Date(at)])),
    setMerchant: (merchant) => change((session) => session.query(statements.setMerchant, merchantValues(merchant))),
    addEndpoint: (endpoint, at) =>
      change(async (session) => {
        await session.query(statements.addPathId, [endpoint.endpointId, endpoint.merchantId, 'endpoint']);
        await session.query(statements.addEndpoint, [...endpointValues(endpoint), new Date(at)]);
      }),
    setEndpoint: (endpoint) => change((session) => session.query(statements.setEndpoint, endpointValues(endpoint))),
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

function merchantValues(merchant: StoredMerchant): unknown[] {
  return [merchant.merchantId, merchant.login, ...settingValues(merchantSettings, merchant)];
}

function endpointValues(endpoint: Endpoint): unknown[] {
  const { endpointId, merchantId, currency } = endpoint;
  return [endpointId, merchantId, currency, ...settingValues(endpointSettings, endpoint)];
}

function merchantFrom(row: Row): StoredMerchant {
  const settings = settingsFrom(merchantSettings, row);
  return { merchantId: Number(row.merchant_id), login: row.login as string, ...settings };
}

function endpointFrom(row: Row): Endpoint {
  return {
    endpointId: Number(row.endpoint_id),
    merchantId: Number(row.merchant_id),
    currency: row.currency as string,
    ...settingsFrom(endpointSettings, row),
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
