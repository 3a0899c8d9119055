// What accepted controls stood for: the first reading of a digest stays its only one, on every node.

import { insertedStep, insertion } from '../cluster/insertion.ts';
import type { Database } from '../database.ts';
import type { ControlMemory } from '../store.ts';
import { COLUMNS, column, shardOfBatch, statement, table } from '../tables/index.ts';
import { columnValues } from '../wire/columns.ts';

const readings = table('control_readings', ['merchantId', 'digest'], {
  merchantId: column.id('merchant_id'),
  digest: column.bytea('digest'),
  reading: column.bytea('reading'),
  at: column.moment('at'),
});

const READING = readings.batchOfRows();

const added = insertion('control-readings-insert', {
  into: 'control_readings',
  names: readings.names(),
  batch: READING,
  values: readings.names('r.'),
  conflict: 'on conflict do nothing',
});
const insert = statement<never>('control-readings-insert')`${added.text()} on conflict do nothing`;

// The condition is true of every row; it lets the planner expect few of them and look each one up in any table.
const select = statement('control-readings-select', readings.pick('merchantId', 'digest', 'reading').of('c'))`
    select ${COLUMNS}
    from unnest($1::bigint[], $2::bytea[]) as k(${readings.key.names()})
    cross join lateral (
      select * from control_readings c where ${readings.key.among('c', 'k', shardOfBatch())} offset 0) c
    where k.merchant_id = k.merchant_id + 0`;

export function controlMemory(database: Database): ControlMemory {
  return {
    async remember(given) {
      const [merchants, digests] = columnValues(READING, given);
      // In one transaction, but each sees what is committed when it begins: a digest another node was faster with too.
      const [, rows] = await database.flight([
        insertedStep(insert, added, given),
        { statement: select, values: [merchants, digests] },
      ]);
      const stood = new Map(rows.map((row) => [mark(row), row.reading]));
      // Missing only when it was forgotten in this very moment: then this reading is the first.
      return given.map((one) => stood.get(mark(one)) ?? one.reading);
    },
  };
}

function mark({ merchantId, digest }: { readonly merchantId: number; readonly digest: Buffer }): string {
  return `${merchantId} ${digest.toString('hex')}`;
}
