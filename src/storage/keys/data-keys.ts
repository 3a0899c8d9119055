// The vault's wrapped keys, how many values are sealed under each, and the walk that seals old values anew.

import { type KeyStore, lookupKeyMark, type WrappedKey } from '../../vault/vault.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, statement, table } from '../tables/index.ts';
import { sealedPlaces, walkOver } from './sealed-values.ts';

const dataKeys = table('data_keys', ['dataKeyId'], {
  dataKeyId: column.int('data_key_id'),
  purpose: column.text<WrappedKey['purpose']>('purpose'),
  wrapped: column.bytea('wrapped'),
  kekId: column.text('kek_id'),
  inUse: column.boolean('in_use'),
  neededUntil: column.moment('needed_until').optional(),
});

const isUnused = sealedPlaces.map(
  ({ owner, bytes, dataKeyId }) =>
    `not exists (select 1 from ${owner.name} where ${bytes} is not null and ${dataKeyId} = $1)`,
);
const counts = sealedPlaces.map(
  ({ owner, bytes, dataKeyId }) =>
    `select ${dataKeyId} as data_key_id, count(*) as sealed from ${owner.name} where ${bytes} is not null group by 1`,
);

const statements = {
  exist: statement<{ found: boolean }>('data-keys-exist')`select exists (select from data_keys) as found`,
  list: statement('data-keys-list', dataKeys)`select ${COLUMNS} from data_keys order by data_key_id`,
  // Counted as a change of the configuration, so that every node soon seals under the new key.
  add: statement('data-keys-add')`
     with added as (
       insert into data_keys (${dataKeys.names()}, created_at) values (${dataKeys.parameters()}, now())
       on conflict do nothing returning data_key_id
     ), told as (
       update configuration_version set version = version + 1 where exists (select from added)
     )
     select 1 from added`,
  rewrap: statement('data-keys-rewrap')`update data_keys set wrapped = $2, kek_id = $3 where data_key_id = $1`,
  remove: statement('data-keys-remove')`
    delete from data_keys where data_key_id = $1 and ${isUnused.join(' and ')} returning 1`,
  // What cannot be made anew keeps its key: blocks, whose numbers nobody has, and cards that cannot be opened.
  removeDigest: statement('data-keys-remove-digest')`
    delete from data_keys where data_key_id = $1 and (purpose <> 'lookup' or (
      not exists (select 1 from cards where substring(fingerprint from 33) = $2)
      and not exists (
        select 1 from transactions where card_fingerprint is not null and substring(card_fingerprint from 33) = $2)
      and not exists (select 1 from velocity_marks where substring(digest from 33) = $2)
      and not exists (select 1 from blocks where kind = 'card' and substring(value from 65) = encode($2, 'hex'))
    )) returning 1`,
  settle: statement('data-keys-settle')`
    update data_keys set needed_until = $2
    where purpose = (select purpose from data_keys where data_key_id = $1) and data_key_id > $1 and in_use
      and needed_until is null`,
  use: statement('data-keys-use')`
     with used as (
       update data_keys set in_use = true where data_key_id = $1 and not in_use returning purpose
     ), older as (
       update data_keys set needed_until = $2
       where purpose = (select purpose from used) and data_key_id > $1 and needed_until is null
     )
     update configuration_version set version = version + 1 where exists (select from used)`,
  count: statement(
    'data-keys-count',
    dataKeys.pick('dataKeyId', 'purpose', 'kekId', 'inUse', 'neededUntil').with({
      createdAt: column.moment('created_at'),
      values: column.id('coalesce(sum(sealed), 0)'),
    }),
  )`
     with counted as (${counts.join(' union all ')})
     select ${COLUMNS} from data_keys left join counted using (data_key_id)
     group by data_keys.data_key_id order by purpose = 'seal' desc, purpose, abs(data_key_id)`,
};

export type DataKeyUse = Pick<WrappedKey, 'dataKeyId' | 'purpose' | 'kekId' | 'inUse' | 'neededUntil'> & {
  readonly createdAt: number;
  readonly values: number;
};

/** All keys, and how many values are sealed under each. Reads every card's row. */
export function dataKeyUse(database: Database): Promise<DataKeyUse[]> {
  return database.query(statements.count);
}

function added({ inUse = true, neededUntil, ...key }: WrappedKey) {
  return dataKeys.values({ ...key, inUse, neededUntil });
}

/** Of a schema of any age. */
export async function hasDataKeys(database: Database): Promise<boolean> {
  return (await database.query(statements.exist))[0]?.found === true;
}

export function keyStore(database: Database): KeyStore {
  return {
    list: () => database.query(statements.list),
    add: async (key) => (await database.query(statements.add, added(key))).length === 1,
    async rewrap({ dataKeyId, wrapped, kekId }) {
      await database.query(statements.rewrap, [dataKeyId, wrapped, kekId]);
    },
    async remove(dataKeyId) {
      const removed =
        dataKeyId > 0
          ? await database.query(statements.remove, [dataKeyId])
          : await database.query(statements.removeDigest, [dataKeyId, lookupKeyMark(dataKeyId)]);
      return removed.length === 1;
    },
    async settle(dataKeyId, neededUntil) {
      await database.query(statements.settle, [dataKeyId, new Date(neededUntil)]);
    },
    async use(dataKeyId, neededUntil) {
      await database.query(statements.use, [dataKeyId, neededUntil === undefined ? null : new Date(neededUntil)]);
    },
    walk: (current, again) => walkOver(database, current, again),
  };
}
