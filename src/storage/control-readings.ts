// What accepted controls stood for: the first reading of a digest stays its only one, on every node.

import { bytes, moments, numbers } from './arrays.ts';
import type { Database, Statement } from './database.ts';
import type { ControlMemory } from './store.ts';

const insert: Statement = {
  name: 'control-readings-insert',
  text: `
    insert into control_readings (merchant_id, digest, reading, at)
    select * from unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::timestamptz[])
    on conflict do nothing`,
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
      const merchants = numbers(readings.map((one) => one.merchantId));
      const digests = bytes(readings.map((one) => one.digest));
      await database.query(insert, [
        merchants,
        digests,
        bytes(readings.map((one) => one.reading)),
        moments(readings.map((one) => one.at)),
      ]);
      const rows = await database.query(select, [merchants, digests]);
      const stood = new Map(rows.map((row) => [mark(row.merchant_id, row.digest as Buffer), row.reading as Buffer]));
      return readings.map((one) => stood.get(mark(one.merchantId, one.digest)) as Buffer);
    },
  };
}

function mark(merchantId: unknown, digest: Buffer): string {
  return `${merchantId} ${digest.toString('hex')}`;
}
