// What accepted controls stood for: the first reading of a digest stays its only one, on every node.

import type { Database, Statement } from './database.ts';
import type { ControlMemory } from './store.ts';
import { type Column, columnValues, names, unnest } from './wire/columns.ts';

type Reading = Parameters<ControlMemory['remember']>[0][number];

const READING: readonly Column<Reading>[] = [
  ['merchant_id', 'bigint', ({ merchantId }) => merchantId],
  ['digest', 'bytea', ({ digest }) => digest],
  ['reading', 'bytea', ({ reading }) => reading],
  ['at', 'timestamptz', ({ at }) => at],
];

const insert: Statement = {
  name: 'control-readings-insert',
  text: `insert into control_readings (${names(READING)}) select * from ${unnest('r', READING)} on conflict do nothing`,
};

// The condition is true of every row; it lets the planner expect few of them and look each one up, also in a small table.
const select: Statement = {
  name: 'control-readings-select',
  text: `
    select c.merchant_id, c.digest, c.reading
    from unnest($1::bigint[], $2::bytea[]) as k(merchant_id, digest)
    join control_readings c on c.merchant_id = k.merchant_id and c.digest = k.digest
    where k.merchant_id = k.merchant_id + 0`,
};

export function controlMemory(database: Database): ControlMemory {
  return {
    async remember(readings) {
      const [merchants, digests, ...rest] = columnValues(READING, readings);
      // In one transaction, but each sees what is committed when it begins: a digest another node was faster with too.
      const [, rows = []] = await database.flight([
        { statement: insert, values: [merchants, digests, ...rest] },
        { statement: select, values: [merchants, digests] },
      ]);
      const stood = new Map(rows.map((row) => [mark(row.merchant_id, row.digest as Buffer), row.reading as Buffer]));
      return readings.map((one) => stood.get(mark(one.merchantId, one.digest)) as Buffer);
    },
  };
}

function mark(merchantId: unknown, digest: Buffer): string {
  return `${merchantId} ${digest.toString('hex')}`;
}
