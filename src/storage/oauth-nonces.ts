// Nonces of accepted OAuth signatures: whoever writes one first has it, on every node.

import type { Database, Statement } from './database.ts';
import { moments, numbers, texts } from './wire/arrays.ts';

/** A nonce of one merchant, at the time its request says. */
export type Nonce = { readonly merchantId: number; readonly saidAt: number; readonly nonce: string };

export type NonceStore = {
  /** For each nonce whether it was free; of equal ones in the list the first has it. */
  take(nonces: readonly Nonce[]): Promise<boolean[]>;
  /** Removes at most `limit` nonces said before the time, and tells how many. */
  forget(before: number, limit: number): Promise<number>;
};

// In the order of the key, so that nodes that meet over several nonces wait for each other and never in a circle.
const take: Statement = {
  name: 'oauth-nonces-take',
  text: `
    insert into oauth_nonces (said_at, merchant_id, nonce)
    select * from unnest($1::timestamptz[], $2::bigint[], $3::text[]) as n(said_at, merchant_id, nonce)
    order by said_at, merchant_id, nonce collate "C"
    on conflict do nothing
    returning said_at, merchant_id, nonce`,
};

const forget: Statement = {
  name: 'oauth-nonces-forget',
  text: `
    delete from oauth_nonces where ctid = any(array(
      select ctid from oauth_nonces where said_at < $1 order by said_at limit $2 for update skip locked))
    returning 1`,
};

export function nonceStore(database: Database): NonceStore {
  return {
    async take(nonces) {
      const rows = await database.query(take, [
        moments(nonces.map((one) => one.saidAt)),
        numbers(nonces.map((one) => one.merchantId)),
        texts(nonces.map((one) => one.nonce)),
      ]);
      const free = new Set(rows.map((row) => mark((row.said_at as Date).getTime(), row.merchant_id, row.nonce)));
      return nonces.map((one) => free.delete(mark(one.saidAt, one.merchantId, one.nonce)));
    },
    async forget(before, limit) {
      return (await database.query(forget, [new Date(before), limit])).length;
    },
  };
}

function mark(saidAt: number, merchantId: unknown, nonce: unknown): string {
  return `${saidAt} ${merchantId} ${nonce}`;
}
