// A process that writes numbered rows into an embedded database and says each number once it is committed. Its parent
// kills it in the middle.

import { openDatabase } from '../../src/storage/connection/open-database.ts';

const PARALLEL = 4;
const PAD = 'x'.repeat(2_000);

const [dataFolder, start] = process.argv.slice(2);
const database = await openDatabase({ dataFolder });
await database.script('CREATE TABLE IF NOT EXISTS written (id bigint PRIMARY KEY, pad text, pair bigint)');

const insert = { name: 'insert-written', text: 'INSERT INTO written VALUES ($1, $2, $3)' };
let next = Number(start);

async function write(): Promise<never> {
  for (;;) {
    const id = next;
    next += 2;
    await database.flight([
      { statement: insert, values: [id, PAD, id + 1] },
      { statement: insert, values: [id + 1, PAD, id] },
    ]);
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all(Array.from({ length: PARALLEL }, write));
