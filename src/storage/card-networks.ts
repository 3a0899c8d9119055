// The directory servers of card brands: read with the configuration, written by administration. The private key of our
// certificate is sealed.

import type { KnownBrand } from '../domain/card/card.ts';
import { type CardNetwork, networkSettings } from '../domain/three-d-secure/card-network.ts';
import { sealedColumns } from './cards/card-rows.ts';
import type { Database } from './database.ts';
import { changeRecords, type Records } from './records/records.ts';
import { recordColumns } from './records/signed-tables.ts';
import { settingColumns } from './setting-columns.ts';
import type { Sealed } from './store.ts';
import { COLUMNS, column, statement, table } from './tables/index.ts';

export type StoredNetwork = Omit<CardNetwork, 'privateKey'> & { readonly sealedKey: Sealed | undefined };

export const cardNetworks = table('card_networks', ['brand'], {
  brand: column.text<KnownBrand>('brand'),
  address: column.text('address'),
  ca: column.text('ca').optional(),
  certificate: column.text('certificate').optional(),
  sealedKey: sealedColumns('sealed_key', 'data_key_id').optional(),
  ...settingColumns(networkSettings),
});
const updated = cardNetworks.with({ updatedAt: column.moment('updated_at') });
const changed = updated.without('brand');

const statements = {
  read: statement('card-networks-read', cardNetworks.with({ record: recordColumns('card_networks') }))`
    select ${COLUMNS} from card_networks x order by brand`,
  set: statement('card-networks-set')`
    ${cardNetworks.insert(updated)}
    on conflict (brand) do update set (${changed.names()}) = row(${changed.names('excluded.')})`,
  remove: statement('card-networks-remove')`delete from card_networks where ${cardNetworks.key.equal()} returning 1`,
};

export type CardNetworkStore = ReturnType<typeof cardNetworkStore>;

export function cardNetworkStore(database: Database, records: Records) {
  return {
    /** In the place of what there was of the brand. */
    set: (network: StoredNetwork, at: number) =>
      changeRecords(database, records, async (session) => {
        await session.query(statements.set, updated.values({ ...network, updatedAt: at }));
      }),
    /** False when the brand had none. */
    remove: (brand: KnownBrand) =>
      changeRecords(
        database,
        records,
        async (session) => (await session.query(statements.remove, [brand])).length === 1,
      ),
  };
}

/** All of them, with what their records are judged by. */
export const { read: selectCardNetworks } = statements;
