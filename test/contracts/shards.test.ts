// The schema and the statements keep to shards, on both databases: every table is known to be a merchant's or not,
// every unique key of a merchant's table holds the shard, and statements name one for each such table they are about.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shardedTables, TABLE_OWNERS } from '../../src/storage/tables/owners.ts';
import { knownStatements } from '../../src/storage/tables/statement.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';
import { isOverAll, OVER_ALL_SHARDS, readAllStatements } from './over-all-shards.ts';

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the schema on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    const query = (text: string) => opened.database.query({ name: `shards ${text.length}`, text });

    beforeAll(async () => {
      opened = await kind.openMigrated();
    });

    afterAll(() => opened?.drop());

    it('has the tables that are listed by their owners', async () => {
      const tables = await query(
        `select relname::text as name from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
      );
      expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLE_OWNERS).sort());
    });

    it('has the shard in every unique key of what belongs to a merchant, and nowhere else', async () => {
      const keys = await query(`
        select coalesce((select inhparent::regclass::text from pg_inherits where inhrelid = t.oid), t.relname::text) as table,
          i.indexrelid::regclass::text as index, exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'shard'
            and a.attnum = any(i.indkey::int2[])) as holds
        from pg_index i join pg_class t on t.oid = i.indrelid
        where i.indisunique and t.relnamespace = 'public'::regnamespace`);
      for (const { table, index, holds } of keys) {
        expect([index, holds]).toEqual([index, (shardedTables as readonly unknown[]).includes(table)]);
      }
    });

    it('refuses rows under another shard than that of their merchant', async () => {
      await expect(
        opened.database.script(`insert into accounts (merchant_id, account, currency, balance, shard)
          values (${3 * 2 ** 32 + 1}, 'merchant', 'USD', 1, 0)`),
      ).rejects.toThrow('accounts_shard');
    });
  });
}

const NAMED = /\b(from|join|update|delete from)\s+(only\s+)?(\w+)(?:\s+(?:as\s+)?(\w+))?/gi;
const KEYWORDS = new Set(['where', 'set', 'on', 'join', 'left', 'cross', 'order', 'group', 'limit', 'for', 'union']);

/** The tables a statement is about without saying of which shard. */
function withoutShard(text: string): string[] {
  const missing: string[] = [];
  for (const [, , , table = '', alias = ''] of text.matchAll(NAMED)) {
    if (!(shardedTables as readonly string[]).includes(table)) continue;
    const name = alias === '' || KEYWORDS.has(alias.toLowerCase()) ? table : alias;
    const said = name === table ? [`${table}.shard = `, ' shard = ', '(shard = '] : [`${name}.shard = `];
    if (!said.some((one) => text.includes(one))) missing.push(`${table} ${name}`);
  }
  for (const [, table = '', columns = ''] of text.matchAll(/insert into (\w+)(?: as \w+)? \(([^)]*)\)/g)) {
    if ((shardedTables as readonly string[]).includes(table) && !columns.startsWith('shard,')) {
      missing.push(`into ${table}`);
    }
  }
  return missing;
}

describe('statements', () => {
  beforeAll(readAllStatements);

  const allStatements = () => knownStatements().map(({ statement }) => statement);

  it('name the shard of every table of merchants they are about', () => {
    const named = allStatements().filter(({ name }) => !isOverAll(name));
    const about = (text: string) => shardedTables.some((table) => new RegExp(`\\b${table}\\b`).test(text));
    expect(named.filter(({ text }) => about(text)).length).toBeGreaterThan(50);
    const faults = named.flatMap(({ name, text }) => withoutShard(text).map((fault) => `${name}: ${fault}`));
    expect(faults).toEqual([]);
  });

  it('that go over all shards are listed, and none that does not', () => {
    const names = allStatements().map(({ name }) => name);
    for (const [what, list] of Object.entries(OVER_ALL_SHARDS)) {
      expect(
        names.some((name) => list.test(name)),
        what,
      ).toBe(true);
    }
    for (const hot of ['orders-insert-new', 'orders-move', 'orders-update', 'orders-load', 'transactions-claim']) {
      expect([names.includes(hot), isOverAll(hot)]).toEqual([true, false]);
    }
  });

  it.each([
    ['select 1 from orders where merchant_id = $1', ['orders orders']],
    ['select 1 from orders o where o.shard = $1', []],
    ['select 1 from orders o join transactions t on t.order_id = o.order_id where o.shard = 1', ['transactions t']],
    ['insert into cards (merchant_id) values (1)', ['into cards']],
    ['update accounts set balance = 0 where shard = $1', []],
    ['delete from merchants', []],
  ])('are judged by their text: %s', (text, faults) => {
    expect(withoutShard(text)).toEqual(faults);
  });
});
