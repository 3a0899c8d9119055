// Merchants, endpoints, groups, keys, terminals and card networks: read whole into memory by every node, written by
// administration. Every write counts the version up, and nodes that see another version than theirs read again.

import { grouped } from '../domain/grouped.ts';
import { endpointSettings } from '../domain/merchant/endpoint-settings.ts';
import { type KeySettings, keySettings } from '../domain/merchant/key-settings.ts';
import type { Look } from '../domain/merchant/look.ts';
import type { Endpoint, EndpointGroup, Merchant } from '../domain/merchant/merchant.ts';
import { merchantSettings } from '../domain/merchant/merchant-settings.ts';
import { shardOf } from '../domain/merchant/shard.ts';
import { present } from '../domain/present.ts';
import type { TamperedRecord } from '../domain/records.ts';
import { type StoredNetwork, selectCardNetworks } from './card-networks.ts';
import { sealedColumns } from './cards/card-rows.ts';
import { configurationVersion, selectVersion } from './configuration-version.ts';
import { type Database, plainStep, type Session } from './database.ts';
import { looksFrom, selectLooks } from './looks.ts';
import { changeRecords, markSteps, type Records } from './records/records.ts';
import { recordColumns } from './records/signed-tables.ts';
import { type ScreeningRules, selectAllBlocks, selectAllLimits } from './screening-rules.ts';
import { settingColumns } from './setting-columns.ts';
import type { Sealed } from './store.ts';
import { COLUMNS, Columns, column, type RowOf, statement, table } from './tables/index.ts';
import { type StoredTerminal, selectTerminals } from './terminals.ts';
import { columnValues, unnest } from './wire/columns.ts';

export type StoredMerchant = Omit<Merchant, 'controlKeys' | 'publicKeys'>;

export type StoredKey = {
  readonly merchantId: number;
  readonly keyId: string;
  readonly validFrom: number;
  readonly validUntil: number | undefined;
} & KeySettings &
  ({ readonly kind: 'control'; readonly sealed: Sealed } | { readonly kind: 'rsa'; readonly publicKey: string });

export type Configuration = {
  readonly version: string;
  readonly merchants: readonly StoredMerchant[];
  /** That have merchants, also such whose record was tampered with: their work is still due. */
  readonly shards: readonly number[];
  readonly endpoints: readonly Endpoint[];
  readonly groups: readonly EndpointGroup[];
  readonly keys: readonly StoredKey[];
  /** By endpoint. */
  readonly looks: ReadonlyMap<number, Look>;
  readonly screening: ScreeningRules;
  readonly terminals: readonly StoredTerminal[];
  readonly networks: readonly StoredNetwork[];
  /** What somebody else than the administration has written; none of it is among the above. */
  readonly tampered: readonly TamperedRecord[];
  /** Tables in which rows are missing or were put back. */
  readonly broken: ReadonlySet<string>;
  /** How often each signed table was changed. */
  readonly counters: ReadonlyMap<string, number>;
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
  setKey(key: StoredKey): Promise<void>;
  retireKey(merchantId: number, keyId: string, at: number): Promise<void>;
  /** Many at once: signed once, and written with one statement for each table. */
  addAll(all: Pick<Configuration, 'merchants' | 'endpoints' | 'keys'>, at: number): Promise<void>;
};

const added = { createdAt: column.moment('created_at') };

const settingsOfMerchants = new Columns(settingColumns(merchantSettings));
const merchants = table('merchants', ['merchantId'], {
  merchantId: column.id('merchant_id'),
  login: column.text('login'),
  ...settingsOfMerchants.parts,
});
const addedMerchants = merchants.with(added);

const settingsOfEndpoints = new Columns(settingColumns(endpointSettings));
const endpoints = table('endpoints', ['endpointId'], {
  endpointId: column.id('endpoint_id'),
  merchantId: column.id('merchant_id'),
  currency: column.text('currency'),
  ...settingsOfEndpoints.parts,
});
const addedEndpoints = endpoints.with(added);
const ownEndpoint = endpoints.pick('endpointId', 'merchantId');

const groupMembers = table('endpoint_groups', ['groupId', 'endpointId'], {
  groupId: column.id('group_id'),
  merchantId: column.id('merchant_id'),
  endpointId: column.id('endpoint_id'),
});

const settingsOfKeys = new Columns(settingColumns(keySettings));
export const merchantKeys = table('merchant_keys', ['merchantId', 'keyId'], {
  merchantId: column.id('merchant_id'),
  keyId: column.text('key_id'),
  kind: column.text<StoredKey['kind']>('kind'),
  sealed: sealedColumns('sealed', 'data_key_id').optional(),
  publicKey: column.text('public_key').optional(),
  validFrom: column.moment('valid_from'),
  validUntil: column.moment('valid_until').optional(),
  ...settingsOfKeys.parts,
});
const addedKeys = merchantKeys.with(added);

const MERCHANT_ROWS = addedMerchants.batchOfRows();
const ENDPOINT_ROWS = addedEndpoints.batchOfRows();
const KEY_ROWS = addedKeys.batchOfRows();
const PATH_ROWS = ownEndpoint.batchOfRows();

const statements = {
  merchants: statement('configuration-merchants', merchants.with({ record: recordColumns('merchants') }))`
    select ${COLUMNS} from merchants x order by merchant_id`,
  endpoints: statement('configuration-endpoints', endpoints.with({ record: recordColumns('endpoints') }))`
    select ${COLUMNS} from endpoints x order by endpoint_id`,
  groups: statement('configuration-groups', groupMembers.with({ record: recordColumns('endpoint_groups') }))`
    select ${COLUMNS} from endpoint_groups x order by group_id, endpoint_id`,
  keys: statement('configuration-keys', merchantKeys.with({ record: recordColumns('merchant_keys') }))`
    select ${COLUMNS} from merchant_keys x order by merchant_id, created_at`,
  addMerchants: statement('configuration-add-merchants')`
    insert into merchants (${addedMerchants.names()})
    select ${addedMerchants.unnested('r.')} from ${unnest('r', MERCHANT_ROWS)}`,
  addEndpoints: statement('configuration-add-endpoints')`
    insert into endpoints (${addedEndpoints.names()})
    select ${addedEndpoints.unnested('r.')} from ${unnest('r', ENDPOINT_ROWS)}`,
  addPathIds: statement('configuration-add-path-ids')`
    insert into path_ids (path_id, merchant_id, kind)
    select r.endpoint_id, r.merchant_id, 'endpoint' from ${unnest('r', PATH_ROWS)}`,
  addKeys: statement('configuration-add-keys')`
    insert into merchant_keys (${addedKeys.names()})
    select ${addedKeys.unnested('r.')} from ${unnest('r', KEY_ROWS)}`,
  addMerchant: statement('configuration-add-merchant')`${merchants.insert(addedMerchants)}`,
  setMerchant: statement('configuration-set-merchant')`
    update merchants set ${settingsOfMerchants.equal(2, ', ')} where ${merchants.key.equal()}`,
  addPathId: statement('configuration-add-path-id')`
    insert into path_ids (path_id, merchant_id, kind) values ($1, $2, $3)`,
  addEndpoint: statement('configuration-add-endpoint')`${endpoints.insert(addedEndpoints)}`,
  setEndpoint: statement('configuration-set-endpoint')`
    update endpoints set ${settingsOfEndpoints.equal(3, ', ')} where ${ownEndpoint.equal()}`,
  addGroup: statement('configuration-add-group')`${groupMembers.insert()}`,
  addKey: statement('configuration-add-key')`${merchantKeys.insert(addedKeys)}`,
  setKey: statement('configuration-set-key')`
    update merchant_keys set ${settingsOfKeys.equal(3, ', ')} where ${merchantKeys.key.equal()}`,
  retireKey: statement('configuration-retire-key')`
    update merchant_keys set valid_until = $3 where ${merchantKeys.key.equal()}`,
};

export function configurationStore(database: Database, records: Records): ConfigurationStore {
  const change = async (work: (session: Session) => Promise<unknown>) => {
    await changeRecords(database, records, work);
  };
  return {
    version: () => configurationVersion(database),
    read: () => database.transaction((session) => readWhole(session, records)),
    addMerchant: (merchant, at) =>
      change((session) => session.query(statements.addMerchant, addedMerchants.values({ ...merchant, createdAt: at }))),
    setMerchant: (merchant) =>
      change((session) =>
        session.query(statements.setMerchant, [merchant.merchantId, ...settingsOfMerchants.values(merchant)]),
      ),
    addEndpoint: (endpoint, at) =>
      change(async (session) => {
        await session.query(statements.addPathId, [endpoint.endpointId, endpoint.merchantId, 'endpoint']);
        await session.query(statements.addEndpoint, addedEndpoints.values({ ...endpoint, createdAt: at }));
      }),
    setEndpoint: (endpoint) =>
      change((session) =>
        session.query(statements.setEndpoint, [
          ...ownEndpoint.values(endpoint),
          ...settingsOfEndpoints.values(endpoint),
        ]),
      ),
    addGroup: ({ endpointIds, ...group }) =>
      change(async (session) => {
        await session.query(statements.addPathId, [group.groupId, group.merchantId, 'group']);
        for (const endpointId of endpointIds) {
          await session.query(statements.addGroup, groupMembers.values({ ...group, endpointId }));
        }
      }),
    addKey: (key, at) =>
      change((session) =>
        session.query(
          statements.addKey,
          addedKeys.values({ sealed: undefined, publicKey: undefined, ...key, createdAt: at }),
        ),
      ),
    setKey: (key) =>
      change((session) => session.query(statements.setKey, [key.merchantId, key.keyId, ...settingsOfKeys.values(key)])),
    retireKey: (merchantId, keyId, at) =>
      change((session) => session.query(statements.retireKey, [merchantId, keyId, new Date(at)])),
    addAll: ({ merchants, endpoints, keys }, at) =>
      change((session) => {
        const added = { createdAt: at };
        const keyRows = keys.map((one) => ({ sealed: undefined, publicKey: undefined, ...one, ...added }));
        const merchantRows = merchants.map((one) => ({ ...one, ...added }));
        const endpointRows = endpoints.map((one) => ({ ...one, ...added }));
        return session.flight([
          { statement: statements.addMerchants, values: columnValues(MERCHANT_ROWS, merchantRows) },
          { statement: statements.addPathIds, values: columnValues(PATH_ROWS, endpoints) },
          { statement: statements.addEndpoints, values: columnValues(ENDPOINT_ROWS, endpointRows) },
          { statement: statements.addKeys, values: columnValues(KEY_ROWS, keyRows) },
        ]);
      }),
  };
}

/** How often a reading is begun again because somebody has changed the configuration meanwhile. */
const MAX_READINGS = 20;

/** A change in the middle of a reading would look like rows that are missing, so the version stays the same for all. */
async function readWhole(session: Session, records: Records): Promise<Configuration> {
  for (let readings = 1; ; readings++) {
    const all = await read(session, records);
    if (all) return all;
    if (readings === MAX_READINGS) throw new Error('the configuration is changed faster than it can be read');
  }
}

/** All in one flight; undefined when it was changed meanwhile. */
async function read(session: Session, records: Records): Promise<Configuration | undefined> {
  const [
    before,
    macs,
    sets,
    merchantRows,
    groupRows,
    endpointRows,
    keys,
    looks,
    limits,
    blocks,
    terminals,
    networks,
    after,
  ] = await session.flight([
    plainStep(selectVersion),
    ...markSteps,
    plainStep(statements.merchants),
    plainStep(statements.groups),
    plainStep(statements.endpoints),
    plainStep(statements.keys),
    plainStep(selectLooks),
    plainStep(selectAllLimits),
    plainStep(selectAllBlocks),
    plainStep(selectTerminals),
    plainStep(selectCardNetworks),
    plainStep(selectVersion),
  ]);
  const version = present(before[0]).version;
  if (after[0]?.version !== version) return undefined;
  const marks = records.marksFrom([macs, sets]);
  const merchants = marks.keepSigned('merchants', merchantRows);
  const known = new Set(merchants.map(({ merchantId }) => merchantId));
  // What belongs to a merchant that is left out is of no use to anybody.
  const ofKnown = <R extends { readonly merchantId: number }>(rows: readonly R[]) =>
    rows.filter(({ merchantId }) => known.has(merchantId));
  const groups = marks.keepSigned('endpoint_groups', groupRows);
  return {
    version,
    merchants,
    shards: [...new Set(merchantRows.map(({ merchantId }) => shardOf(merchantId)))],
    endpoints: ofKnown(marks.keepSigned('endpoints', endpointRows)),
    groups: groupsFrom(ofKnown(groups)),
    // Its kind says which of a key's columns are set; the compiler sees columns.
    keys: ofKnown(marks.keepSigned('merchant_keys', keys) as StoredKey[]),
    looks: looksFrom(looks),
    screening: {
      limits: marks.keepSigned('velocity_limits', limits),
      blocks: marks.keepSigned('blocks', blocks),
    },
    terminals: marks.keepSigned('terminals', terminals),
    networks: marks.keepSigned('card_networks', networks),
    tampered: marks.tampered,
    broken: marks.broken,
    counters: marks.counters,
  };
}

function groupsFrom(rows: readonly RowOf<typeof groupMembers.parts>[]): EndpointGroup[] {
  return [...grouped(rows, ({ groupId }) => groupId).values()].map(([first, ...rest]) => {
    // Every group has a member.
    const { groupId, merchantId, endpointId } = first!;
    return { groupId, merchantId, endpointIds: [endpointId, ...rest.map((one) => one.endpointId)] };
  });
}
