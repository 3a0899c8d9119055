// Nonces of accepted OAuth signatures: whoever writes one first has it, on every node.

import type { Database } from '../database.ts';
import { COLUMNS, column, statement, table } from '../tables/index.ts';
import { columnValues, unnest } from '../wire/columns.ts';

/** A nonce of one merchant, at the time its request says. */
export type Nonce = { readonly merchantId: number; readonly saidAt: number; readonly nonce: string };

export type NonceStore = {
  /** For each nonce whether it was free; of equal ones in the list the first has it. */
  take(nonces: readonly Nonce[]): Promise<boolean[]>;
  /** Removes at most `limit` nonces said before the time, and tells how many. */
  forget(before: number, limit: number): Promise<number>;
};

const nonces = table('oauth_nonces', ['saidAt', 'merchantId', 'nonce'], {
  saidAt: column.moment('said_at'),
  merchantId: column.id('merchant_id'),
  nonce: column.text('nonce'),
});

const NONCE = nonces.batchOfRows();

// In the order of the key, so that nodes that meet over several nonces wait for each other and never in a circle.
const take = statement('oauth-nonces-take', nonces)`
    insert into oauth_nonces (${COLUMNS})
    select ${COLUMNS} from ${unnest('n', NONCE)} order by said_at, merchant_id, nonce collate "C"
    on conflict do nothing
    returning ${COLUMNS}`;

const forget = statement('oauth-nonces-forget')`
    delete from oauth_nonces where ctid = any(array(
      select ctid from oauth_nonces where said_at < $1 order by said_at limit $2 for update skip locked))
    returning 1`;

export function nonceStore(database: Database): NonceStore {
  return {
    async take(given) {
      const free = new Set((await database.query(take, columnValues(NONCE, given))).map(mark));
      return given.map((one) => free.delete(mark(one)));
    },
    forget: async (before, limit) => (await database.query(forget, [new Date(before), limit])).length,
  };
}

function mark({ saidAt, merchantId, nonce }: Nonce): string {
  return `${saidAt} ${merchantId} ${nonce}`;
}
