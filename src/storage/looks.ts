// How the hosted pages of endpoints look: read with the configuration, logos apart, which only browsers ask for.

import type { LogoType, Look } from '../domain/merchant/look.ts';
import type { Database, Session, Statement } from './database.ts';

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

const selectLooks: Statement = {
  name: 'looks-read',
  text: 'select endpoint_id, look, logo_type, logo_digest from endpoint_looks',
};

const selectLogo: Statement = {
  name: 'looks-logo',
  text: 'select logo, logo_type from endpoint_looks where endpoint_id = $1 and logo_digest = $2',
};

const setLook: Statement = {
  name: 'looks-set',
  text: `
    insert into endpoint_looks (endpoint_id, merchant_id, look) values ($1, $2, $3)
    on conflict (endpoint_id) do update set look = excluded.look`,
};

const setLogo: Statement = {
  name: 'looks-set-logo',
  text: 'update endpoint_looks set logo = $2, logo_type = $3, logo_digest = $4 where endpoint_id = $1',
};

const bump: Statement = {
  name: 'looks-bump',
  text: 'update configuration_version set version = version + 1',
};

export function lookStore(database: Database): LookStore {
  return {
    set: ({ endpointId, merchantId }, look, logo) =>
      database.transaction(async (session) => {
        // First, as every change of the configuration does.
        await session.query(bump);
        await session.query(setLook, [endpointId, merchantId, JSON.stringify(look)]);
        if (logo === 'same') return;
        const values = logo === 'none' ? [null, null, null] : [logo.bytes, logo.type, logo.digest];
        await session.query(setLogo, [endpointId, ...values]);
      }),
    async logo(endpointId, digest) {
      const [row] = await database.query(selectLogo, [endpointId, digest]);
      return row && { type: row.logo_type as LogoType, digest, bytes: row.logo as Buffer };
    },
  };
}

export async function readLooks(session: Session): Promise<ReadonlyMap<number, Look>> {
  const rows = await session.query(selectLooks);
  return new Map(
    rows.map((row) => {
      const look = row.look as Look;
      const logo =
        row.logo_digest === null
          ? {}
          : { logo: { type: row.logo_type as LogoType, digest: row.logo_digest as string } };
      return [Number(row.endpoint_id), { ...look, ...logo }];
    }),
  );
}
