// How the hosted pages of endpoints look: read with the configuration, logos apart, which only browsers ask for.

import type { LogoType, Look } from '../domain/merchant/look.ts';
import type { Endpoint } from '../domain/merchant/merchant.ts';
import { changeConfiguration } from './configuration-version.ts';
import type { Database } from './database.ts';
import { COLUMNS, Columns, column, type RowOf, statement, table } from './tables/index.ts';

const logoColumns = new Columns({ type: column.text<LogoType>('logo_type'), digest: column.text('logo_digest') });
const wholeLogo = logoColumns.with({ bytes: column.bytea('logo') });

export type Logo = RowOf<typeof wholeLogo.parts>;

const looks = table('endpoint_looks', ['endpointId'], {
  endpointId: column.id('endpoint_id'),
  merchantId: column.id('merchant_id'),
  look: column.jsonb<Omit<Look, 'logo'>>('look'),
});

const seen = looks.pick('endpointId', 'look').with({ logo: logoColumns.optional() });

export const selectLooks = statement('looks-read', seen)`
  select ${COLUMNS} from endpoint_looks`;

const selectLogo = statement('looks-logo', wholeLogo)`
  select ${COLUMNS} from endpoint_looks where endpoint_id = $1 and logo_digest = $2`;

const setLook = statement('looks-set')`${looks.insert()} on conflict (endpoint_id) do update set look = excluded.look`;

const setLogo = statement('looks-set-logo')`
  update endpoint_looks set logo = $2, logo_type = $3, logo_digest = $4 where endpoint_id = $1`;

export type LookStore = ReturnType<typeof lookStore>;

export function lookStore(database: Database) {
  return {
    /** `logo`: a new one, none any more, or the one it has. */
    set: (
      { endpointId, merchantId }: Pick<Endpoint, 'endpointId' | 'merchantId'>,
      look: Omit<Look, 'logo'>,
      logo: Logo | 'none' | 'same',
    ) =>
      changeConfiguration(database, async (session) => {
        await session.query(setLook, looks.values({ endpointId, merchantId, look }));
        if (logo === 'same') return;
        const values = logo === 'none' ? [null, null, null] : [logo.bytes, logo.type, logo.digest];
        await session.query(setLogo, [endpointId, ...values]);
      }),
    logo: async (endpointId: number, digest: string) => (await database.query(selectLogo, [endpointId, digest]))[0],
  };
}

/** By endpoint. */
export function looksFrom(rows: readonly RowOf<typeof seen.parts>[]): ReadonlyMap<number, Look> {
  return new Map(rows.map(({ endpointId, look, logo }) => [endpointId, { ...look, ...(logo && { logo }) }]));
}
