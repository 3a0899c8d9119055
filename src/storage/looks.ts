// How the hosted pages of endpoints look: read with the configuration, logos apart, which only browsers ask for.

import type { LogoType, Look } from '../domain/merchant/look.ts';
import type { Database, Session } from './database.ts';
import { column } from './tables/column.ts';
import { Columns } from './tables/columns.ts';
import { COLUMNS, statement } from './tables/statement.ts';
import { table } from './tables/table.ts';

export type Logo = { readonly type: LogoType; readonly digest: string; readonly bytes: Buffer };

export type LookStore = {
  /** `logo`: a new one, none any more, or the one it has. */
  set(
    endpoint: { readonly endpointId: number; readonly merchantId: number },
    look: Omit<Look, 'logo'>,
    logo: Logo | 'none' | 'same',
  ): Promise<void>;
  logo(endpointId: number, digest: string): Promise<Logo | undefined>;
};

const logoColumns = new Columns({
  type: column.text<LogoType>('logo_type'),
  digest: column.text('logo_digest'),
}).optional();

const looks = table('endpoint_looks', ['endpointId'], {
  endpointId: column.id('endpoint_id'),
  merchantId: column.id('merchant_id'),
  look: column.jsonb<Omit<Look, 'logo'>>('look'),
});

const selectLooks = statement('looks-read', looks.pick('endpointId', 'look').with({ logo: logoColumns }))`
  select ${COLUMNS} from endpoint_looks`;

const selectLogo = statement('looks-logo', {
  type: column.text<LogoType>('logo_type'),
  digest: column.text('logo_digest'),
  bytes: column.bytea('logo'),
})`
  select ${COLUMNS} from endpoint_looks where endpoint_id = $1 and logo_digest = $2`;

const setLook = statement('looks-set')`${looks.insert()} on conflict (endpoint_id) do update set look = excluded.look`;

const setLogo = statement('looks-set-logo')`
  update endpoint_looks set logo = $2, logo_type = $3, logo_digest = $4 where endpoint_id = $1`;

const bump = statement('looks-bump')`update configuration_version set version = version + 1`;

export function lookStore(database: Database): LookStore {
  return {
    set: ({ endpointId, merchantId }, look, logo) =>
      database.transaction(async (session) => {
        // First, as every change of the configuration does.
        await session.query(bump);
        await session.query(setLook, looks.values({ endpointId, merchantId, look }));
        if (logo === 'same') return;
        const values = logo === 'none' ? [null, null, null] : [logo.bytes, logo.type, logo.digest];
        await session.query(setLogo, [endpointId, ...values]);
      }),
    async logo(endpointId, digest) {
      const [row] = await database.query(selectLogo, [endpointId, digest]);
      return row;
    },
  };
}

export async function readLooks(session: Session): Promise<ReadonlyMap<number, Look>> {
  const rows = await session.query(selectLooks);
  return new Map(rows.map(({ endpointId, look, logo }) => [endpointId, { ...look, ...(logo && { logo }) }]));
}
