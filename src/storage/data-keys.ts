// The vault's wrapped keys, and everything sealed under them: card numbers, waiting security codes, bank accounts, control
// keys, proofs of authentication.

import { accountPlace, cardPlace, controlKeyPlace, cvvPlace, proofPlace } from '../vault/places.ts';
import type { KeyStore, SealAgain, Walk, WrappedKey } from '../vault/vault.ts';
import type { Database, Row, Statement, Step } from './database.ts';
import type { Sealed } from './store.ts';

const sql = (name: string, text: string): Statement => ({ name: `data-keys-${name}`, text });

const statements = {
  list: sql('list', 'select data_key_id, purpose, wrapped, kek_id from data_keys order by data_key_id'),
  // Counted as a change of the configuration, so that every node soon seals under the new key.
  add: sql(
    'add',
    `with added as (
       insert into data_keys (data_key_id, purpose, wrapped, kek_id, created_at) values ($1, $2, $3, $4, now())
       on conflict do nothing returning data_key_id
     ), told as (
       update configuration_version set version = version + 1 where exists (select from added)
     )
     select data_key_id from added`,
  ),
  rewrap: sql('rewrap', 'update data_keys set wrapped = $2, kek_id = $3 where data_key_id = $1'),
  remove: sql(
    'remove',
    `delete from data_keys where data_key_id = $1
       and not exists (select from cards where data_key_id = $1)
       and not exists (select from transactions where sealed_cvv is not null and cvv_data_key_id = $1)
       and not exists (select from orders where sealed_target is not null and target_data_key_id = $1)
       and not exists (select from authentications where sealed_proof is not null and proof_data_key_id = $1)
       and not exists (select from merchant_keys where data_key_id = $1)
     returning data_key_id`,
  ),
  count: sql(
    'count',
    `with counted as (
       select data_key_id, count(*) as sealed from cards group by 1
       union all
       select cvv_data_key_id, count(*) from transactions where sealed_cvv is not null group by 1
       union all
       select target_data_key_id, count(*) from orders where sealed_target is not null group by 1
       union all
       select proof_data_key_id, count(*) from authentications where sealed_proof is not null group by 1
       union all
       select data_key_id, count(*) from merchant_keys where kind = 'control' group by 1
     )
     select data_key_id, kek_id, coalesce(sum(sealed), 0) as sealed
     from data_keys left join counted using (data_key_id)
     where purpose = 'seal' group by 1, 2 order by 1`,
  ),
};

/** A column of sealed values: how to find old ones, where each belongs, and how to write the new one over the old. */
type SealedColumn = {
  readonly find: Statement;
  readonly place: (row: Row) => string;
  readonly key: (row: Row) => unknown[];
  readonly replace: Statement;
};

// A value is replaced only if it is still the one that was read: an answer may have cleared it meanwhile.

/** The only column that grows without end, so it is gone through in the order of its key. */
const cards: SealedColumn = {
  find: sql(
    'find-cards',
    `select merchant_id, card_id, sealed, data_key_id from cards
     where data_key_id <> $1 and (merchant_id, card_id) > ($3, $4) order by merchant_id, card_id limit $2`,
  ),
  place: (row) => cardPlace(Number(row.merchant_id), Number(row.card_id)),
  key: (row) => [row.merchant_id, row.card_id],
  replace: sql(
    'replace-card',
    'update cards set sealed = $1, data_key_id = $2 where sealed = $3 and merchant_id = $4 and card_id = $5',
  ),
};

// Of the others only those that were not met in vain before: what cannot be opened stays under its old key.
const shortLists: readonly SealedColumn[] = [
  {
    find: sql(
      'find-cvvs',
      `select merchant_id, order_id, seq, sealed_cvv as sealed, cvv_data_key_id as data_key_id
       from transactions where sealed_cvv is not null and cvv_data_key_id <> $1 and sealed_cvv <> all($3::bytea[])
       limit $2`,
    ),
    place: (row) => cvvPlace(Number(row.merchant_id), Number(row.order_id)),
    key: (row) => [row.merchant_id, row.order_id, row.seq],
    replace: sql(
      'replace-cvv',
      `update transactions set sealed_cvv = $1, cvv_data_key_id = $2
       where sealed_cvv = $3 and merchant_id = $4 and order_id = $5 and seq = $6`,
    ),
  },
  {
    find: sql(
      'find-accounts',
      `select merchant_id, order_id, sealed_target as sealed, target_data_key_id as data_key_id
       from orders where sealed_target is not null and target_data_key_id <> $1 and sealed_target <> all($3::bytea[])
       limit $2`,
    ),
    place: (row) => accountPlace(Number(row.merchant_id), Number(row.order_id)),
    key: (row) => [row.merchant_id, row.order_id],
    replace: sql(
      'replace-account',
      `update orders set sealed_target = $1, target_data_key_id = $2
       where sealed_target = $3 and merchant_id = $4 and order_id = $5`,
    ),
  },
  {
    find: sql(
      'find-proofs',
      `select merchant_id, order_id, seq, sealed_proof as sealed, proof_data_key_id as data_key_id
       from authentications where sealed_proof is not null and proof_data_key_id <> $1 and sealed_proof <> all($3::bytea[])
       limit $2`,
    ),
    place: (row) => proofPlace(Number(row.merchant_id), Number(row.order_id), Number(row.seq)),
    key: (row) => [row.merchant_id, row.order_id, row.seq],
    replace: sql(
      'replace-proof',
      `update authentications set sealed_proof = $1, proof_data_key_id = $2
       where sealed_proof = $3 and merchant_id = $4 and order_id = $5 and seq = $6`,
    ),
  },
  {
    find: sql(
      'find-control-keys',
      `select merchant_id, key_id, sealed, data_key_id
       from merchant_keys where kind = 'control' and data_key_id <> $1 and sealed <> all($3::bytea[])
       limit $2`,
    ),
    place: (row) => controlKeyPlace(Number(row.merchant_id), row.key_id as string),
    key: (row) => [row.merchant_id, row.key_id],
    replace: sql(
      'replace-control-key',
      'update merchant_keys set sealed = $1, data_key_id = $2 where sealed = $3 and merchant_id = $4 and key_id = $5',
    ),
  },
];

/** The merchant and the number before the first card. */
const BEFORE_ALL = [0, 0] as const;

export type DataKeyUse = { readonly dataKeyId: number; readonly kekId: string; readonly values: number };

/** The keys values are sealed under, and how many are under each. Reads every card's row. */
export async function dataKeyUse(database: Database): Promise<DataKeyUse[]> {
  const rows = await database.query(statements.count);
  return rows.map((row) => ({
    dataKeyId: Number(row.data_key_id),
    kekId: row.kek_id as string,
    values: Number(row.sealed),
  }));
}

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
      return (await database.query(statements.remove, [dataKeyId])).length === 1;
    },
    walk: (current, again) => walkOver(database, current, again),
  };
}

function walkOver(database: Database, current: number, again: SealAgain): Walk {
  const metInVain: Buffer[] = [];
  let after: readonly unknown[] = BEFORE_ALL;
  const walkOn = async (limit: number): Promise<number> => {
    const rows = await database.query(cards.find, [current, limit, ...after]);
    const steps = await Promise.all(rows.map((row) => replacement(cards, row, again)));
    await database.flight(steps.filter((step) => step !== undefined));
    after = rows.length > 0 ? cards.key(rows.at(-1) as Row) : after;
    return rows.length;
  };
  return async (limit) => {
    const met = await walkShortLists(database, { current, limit, metInVain }, again);
    return met > 0 ? met : walkOn(limit);
  };
}

type ShortWalk = { readonly current: number; readonly limit: number; readonly metInVain: Buffer[] };

/** One value at a time, because these rows belong to orders under way. */
async function walkShortLists(
  database: Database,
  { current, limit, metInVain }: ShortWalk,
  again: SealAgain,
): Promise<number> {
  let met = 0;
  for (const column of shortLists) {
    for (const row of await database.query(column.find, [current, limit - met, metInVain])) {
      const step = await replacement(column, row, again);
      if (step) await database.query(step.statement, step.values);
      else metInVain.push(row.sealed as Buffer);
      met += 1;
    }
  }
  return met;
}

async function replacement(column: SealedColumn, row: Row, again: SealAgain): Promise<Step | undefined> {
  const old = { bytes: row.sealed as Buffer, dataKeyId: Number(row.data_key_id) } satisfies Sealed;
  const fresh = await again(old, column.place(row));
  return fresh && { statement: column.replace, values: [fresh.bytes, fresh.dataKeyId, old.bytes, ...column.key(row)] };
}
