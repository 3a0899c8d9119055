// What nodes tell each other about strangers: how many requests without a right signature came from which address range
// in the present minute, and which addresses are known for right ones.

import type { Database } from '../database.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';
import { columnValues, unnest } from '../wire/columns.ts';

const counts = table('stranger_counts', ['minute', 'block'], {
  minute: column.moment('minute'),
  block: column.text('block'),
  asked: column.int('asked'),
});

const recognised = table('recognised_addresses', ['address'], {
  address: column.text('address'),
  seenAt: column.moment('seen_at'),
});

export type StrangerCount = RowOf<typeof counts.parts>;
export type RecognisedAddress = RowOf<typeof recognised.parts>;

/** What a node tells and wants to know. */
export type StrangerNews = {
  /** What was asked here since the last time, each address range once. */
  readonly counted: readonly StrangerCount[];
  /** Addresses that were recognised here, each once. */
  readonly recognised: readonly RecognisedAddress[];
  /** Counts of this minute that are as large as this are wanted, and addresses seen since. */
  readonly minute: number;
  readonly atLeast: number;
  readonly since: number;
  /** The most that is wanted of either. */
  readonly limit: number;
};

export type StrangerStore = {
  exchange(news: StrangerNews): Promise<{
    readonly counts: readonly StrangerCount[];
    readonly recognised: readonly RecognisedAddress[];
  }>;
  /** Removes counts of minutes before the one, addresses not seen since the other, and the oldest that are too many. */
  forget(before: { readonly minute: number; readonly seenAt: number; readonly most: number }): Promise<void>;
};

const COUNT = counts.batchOfRows();
const ADDRESS = recognised.batchOfRows();

// In the order of the key, so that nodes that meet over several rows wait for each other and never in a circle.
const add = statement('strangers-add')`
    insert into stranger_counts (${counts.names()})
    select * from ${unnest('n', COUNT)} order by minute, block collate "C"
    on conflict (${counts.key.names()}) do update set asked = stranger_counts.asked + excluded.asked`;

const see = statement('strangers-see')`
    insert into recognised_addresses (${recognised.names()})
    select * from ${unnest('n', ADDRESS)} order by address collate "C"
    on conflict (${recognised.key.names()}) do update
    set seen_at = greatest(recognised_addresses.seen_at, excluded.seen_at)`;

const most = statement('strangers-most', counts)`
    select ${COLUMNS} from stranger_counts where minute = $1 and asked >= $2 order by asked desc limit $3`;

const seen = statement('strangers-seen', recognised)`
    select ${COLUMNS} from recognised_addresses where seen_at >= $1 order by seen_at desc limit $2`;

const forgetCounts = statement('strangers-forget-counts')`delete from stranger_counts where minute < $1`;

const forgetAddresses = statement('strangers-forget-addresses')`
    delete from recognised_addresses where seen_at < $1 or address in (
      select address from recognised_addresses order by seen_at desc offset $2)`;

export function strangerStore(database: Database): StrangerStore {
  return {
    async exchange({ counted, recognised: fresh, minute, atLeast, since, limit }) {
      if (counted.length > 0) await database.query(add, columnValues(COUNT, counted));
      if (fresh.length > 0) await database.query(see, columnValues(ADDRESS, fresh));
      return {
        counts: await database.query(most, [new Date(minute), atLeast, limit]),
        recognised: await database.query(seen, [new Date(since), limit]),
      };
    },

    async forget({ minute, seenAt, most }) {
      await database.query(forgetCounts, [new Date(minute)]);
      await database.query(forgetAddresses, [new Date(seenAt), most]);
    },
  };
}
