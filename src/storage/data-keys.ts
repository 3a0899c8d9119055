// The vault's wrapped keys, and everything sealed under them: card numbers, waiting security codes, bank accounts, control keys.

import { accountPlace, cardPlace, controlKeyPlace, cvvPlace } from '../vault/places.ts';
import type { KeyStore, WrappedKey } from '../vault/vault.ts';
import type { Database, Row, Statement } from './database.ts';
import type { Sealed } from './store.ts';

const sql = (name: string, text: string): Statement => ({ name: `data-keys-${name}`, text });

const statements = {
  list: sql('list', 'select data_key_id, purpose, wrapped, kek_id from data_keys order by data_key_id'),
  add: sql(
    'add',
    `insert into data_keys (data_key_id, purpose, wrapped, kek_id, created_at) values ($1, $2, $3, $4, now())
     on conflict do nothing returning data_key_id`,
  ),
  rewrap: sql('rewrap', 'update data_keys set wrapped = $2, kek_id = $3 where data_key_id = $1'),
  remove: sql('remove', 'delete from data_keys where data_key_id = $1'),
};

/** A column of sealed values: how to find old ones, where each belongs, and how to write the new one over the old. */
type SealedColumn = { readonly find: Statement; readonly place: (row: Row) => string; readonly replace: Statement };

// A value is replaced only if it is still the one that was read: an answer may have cleared it meanwhile.
const columns: readonly SealedColumn[] = [
  {
    find: sql(
      'find-cards',
      `select merchant_id, card_id, '' as detail, sealed, data_key_id from cards where data_key_id <> $1 limit $2`,
    ),
    place: (row) => cardPlace(Number(row.merchant_id), Number(row.card_id)),
    replace: sql(
      'replace-card',
      `update cards set sealed = $4, data_key_id = $5
       where merchant_id = $1 and card_id = $2 and $3 = '' and sealed = $6 returning 1`,
    ),
  },
  {
    find: sql(
      'find-cvvs',
      `select merchant_id, order_id as card_id, seq::text as detail, sealed_cvv as sealed, cvv_data_key_id as data_key_id
       from transactions where sealed_cvv is not null and cvv_data_key_id <> $1 limit $2`,
    ),
    place: (row) => cvvPlace(Number(row.merchant_id), Number(row.card_id)),
    replace: sql(
      'replace-cvv',
      `update transactions set sealed_cvv = $4, cvv_data_key_id = $5
       where merchant_id = $1 and order_id = $2 and seq = $3::int and sealed_cvv = $6 returning 1`,
    ),
  },
  {
    find: sql(
      'find-accounts',
      `select merchant_id, order_id as card_id, '' as detail, sealed_target as sealed, target_data_key_id as data_key_id
       from orders where sealed_target is not null and target_data_key_id <> $1 limit $2`,
    ),
    place: (row) => accountPlace(Number(row.merchant_id), Number(row.card_id)),
    replace: sql(
      'replace-account',
      `update orders set sealed_target = $4, target_data_key_id = $5
       where merchant_id = $1 and order_id = $2 and $3 = '' and sealed_target = $6 returning 1`,
    ),
  },
  {
    find: sql(
      'find-control-keys',
      `select merchant_id, 0 as card_id, key_id as detail, sealed, data_key_id
       from merchant_keys where kind = 'control' and data_key_id <> $1 limit $2`,
    ),
    place: (row) => controlKeyPlace(Number(row.merchant_id), row.detail as string),
    replace: sql(
      'replace-control-key',
      `update merchant_keys set sealed = $4, data_key_id = $5
       where merchant_id = $1 and $2 = 0 and key_id = $3 and sealed = $6 returning 1`,
    ),
  },
];

export function keyStore(database: Database): KeyStore {
  return {
    async list() {
      const rows = await database.query(statements.list);
      return rows.map(
        (row): WrappedKey => ({
          dataKeyId: Number(row.data_key_id),
          purpose: row.purpose as WrappedKey['purpose'],
          wrapped: row.wrapped as Buffer,
          kekId: row.kek_id as string,
        }),
      );
    },
    async add({ dataKeyId, purpose, wrapped, kekId }) {
      return (await database.query(statements.add, [dataKeyId, purpose, wrapped, kekId])).length === 1;
    },
    async rewrap({ dataKeyId, wrapped, kekId }) {
      await database.query(statements.rewrap, [dataKeyId, wrapped, kekId]);
    },
    async remove(dataKeyId) {
      await database.query(statements.remove, [dataKeyId]);
    },
    async reseal(current, limit, again) {
      let changed = 0;
      for (const column of columns) {
        if (changed >= limit) break;
        for (const row of await database.query(column.find, [current, limit - changed])) {
          const old = { bytes: row.sealed as Buffer, dataKeyId: Number(row.data_key_id) } satisfies Sealed;
          const { bytes, dataKeyId } = await again(old, column.place(row));
          const key = [row.merchant_id, row.card_id, row.detail];
          await database.query(column.replace, [...key, bytes, dataKeyId, old.bytes]);
          changed += 1;
        }
      }
      return changed;
    },
  };
}
