// Nonces of accepted OAuth signatures: whoever writes one first has it, on every node.

import { FIRST_SHARD, forgetByShard, type ListShards } from '../claims.ts';
import { insertedStep, insertion } from '../cluster/insertion.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, statement, table } from '../tables/index.ts';

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
const taken = insertion('oauth-nonces-take', {
  into: 'oauth_nonces',
  names: nonces.names(),
  batch: NONCE,
  values: nonces.names('r.'),
  merchants: '$2',
  conflict: 'on conflict do nothing',
  answers: nonces,
});
const take = statement('oauth-nonces-take', nonces)`
    ${taken.text()} order by said_at, merchant_id, nonce collate "C"
    on conflict do nothing
    returning ${COLUMNS}`;

const inOrder = (one: Nonce, other: Nonce) =>
  one.saidAt - other.saidAt || one.merchantId - other.merchantId || (one.nonce < other.nonce ? -1 : 1);

const forget = statement('oauth-nonces-forget')`
    delete from oauth_nonces where shard = $3 and ctid = any(array(
      select ctid from oauth_nonces where shard = $3 and said_at < $1 order by said_at limit $2 for update skip locked))
    returning 1`;

export function nonceStore(database: Database, shards: ListShards = FIRST_SHARD): NonceStore {
  return {
    async take(given) {
      const step = insertedStep(take, taken, given.toSorted(inOrder));
      const [rows] = await database.flight([step]);
      const free = new Set(rows.map(mark));
      return given.map((one) => free.delete(mark(one)));
    },
    forget: (before, limit) =>
      forgetByShard(shards, limit, (shard, most) => database.query(forget, [new Date(before), most, shard])),
  };
}

function mark({ saidAt, merchantId, nonce }: Nonce): string {
  return `${saidAt} ${merchantId} ${nonce}`;
}
