// Node numbers: each running gateway holds one of 64 numbers, by lease, for the ids it makes.
// A number is given again only after its lease, and ids under it go on above the old holder's high-water mark.

import type { Database } from './database.ts';
import { COLUMNS, column, statement, table } from './tables/index.ts';

export const NODE_NUMBERS = 64;

const nodes = table('nodes', ['number'], {
  number: column.int('node_number'),
  instance: column.uuid('instance'),
  leaseUntil: column.moment('lease_until'),
  highWater: column.moment('high_water'),
});

const register = statement('nodes-register', nodes.pick('number', 'highWater'))`
    insert into nodes (${nodes.names()})
    select free.number, $1, $2, $3 from (
      select number from generate_series(0, $4::int - 1) as number
      where not exists (select from nodes n where n.node_number = number and n.lease_until > $3)
      order by number limit 1
    ) as free
    on conflict (${nodes.key.names()}) do update set instance = excluded.instance, lease_until = excluded.lease_until
      where nodes.lease_until <= $3
    returning ${COLUMNS}`;

const renew = statement('nodes-renew')`
  update nodes set lease_until = $2, high_water = greatest(high_water, $2) where instance = $1 and node_number = $3
    returning node_number`;

const release = statement('nodes-release')`update nodes set lease_until = $2 where instance = $1`;

export type NodeNumber = {
  readonly number: number;
  /** Ids made by this node must be later than this moment. */
  readonly after: number;
};

export type NodeStore = {
  /** Undefined when all numbers are taken, or another node was faster: try again. */
  register(instance: string, now: number, leaseUntil: number): Promise<NodeNumber | undefined>;
  /** False when the lease of this number was lost to another node. */
  renew(instance: string, number: number, leaseUntil: number): Promise<boolean>;
  release(instance: string, now: number): Promise<void>;
};

export function nodeStore(database: Database): NodeStore {
  return {
    register: (instance, now, leaseUntil) =>
      database.transaction(async (session) => {
        const values = [instance, new Date(leaseUntil), new Date(now), NODE_NUMBERS];
        const [row] = await session.query(register, values);
        if (!row) return undefined;
        await session.query(renew, [instance, new Date(leaseUntil), row.number]);
        return { number: row.number, after: row.highWater };
      }),
    renew: async (instance, number, leaseUntil) =>
      (await database.query(renew, [instance, new Date(leaseUntil), number])).length === 1,
    async release(instance, now) {
      await database.query(release, [instance, new Date(now)]);
    },
  };
}
