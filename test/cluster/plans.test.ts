// Every statement of a payment is one task of one server of the cluster, as the plans of Citus say. What goes over all
// shards on purpose is listed in one place for this and for the rule about texts.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofShard } from '../../src/storage/cluster/over-shards.ts';
import { shardedTables } from '../../src/storage/tables/owners.ts';
import { knownStatements } from '../../src/storage/tables/statement.ts';
import { isOverAll, readAllStatements } from '../contracts/over-all-shards.ts';
import { newMigratedCluster, newUpgradedCluster } from './migrated.ts';

/** Stores ask them by way of `overShards` (src/storage/cluster/over-shards.ts), or along an index as lists do. */
const ASKED_OF_EACH =
  /^((orders|journal|callbacks)-by-|figures-(earliest|latest|count|oldest|page)|verification-(orders|undone-callbacks)$|unfinished-find$)/;

/** Of tables that are whole on each server, out of a list that a made-up value is none of. */
const OF_SUMS = /^figures-write/;

/** Are about rows at a place with a text of their own: no other server has both, and a plan needs a true place. */
const BY_PLACE = /^clear-marks-replace-/;

/** A gateway on a cluster does these apart (src/storage/cluster/apart.ts). */
const DONE_APART = [
  /^orders-(insert-new|insert|update|move)$/,
  /^(ledger-book|callbacks-insert|callbacks-settle|terminal-days-count)$/,
  /^(recurring-insert|recurring-refuse-taken|velocity-mark|card-tries-write|forms-card)$/,
  /^(journal-insert-new|journal-insert|answered-requests-insert|oauth-nonces-take|control-readings-insert)$/,
];
/** Rows for whoever tries the gateway, not on a cluster; and what is written when an operator sets a limit. */
const NOT_OF_PAYMENTS = /^(orders-seed|screening-rules-add-locks)$/;

const VALUES: Readonly<Record<string, string>> = {
  bigint: '1',
  'bigint[]': "'{1,2}'",
  smallint: '0',
  integer: '1',
  'integer[]': "'{1,2}'",
  text: "'x'",
  'text[]': `'{"{1}","{2}"}'`,
  uuid: "'00000000-0000-4000-8000-000000000000'",
  'uuid[]': "'{00000000-0000-4000-8000-000000000000}'",
  'timestamp with time zone': "'2026-01-01'",
  'timestamp with time zone[]': "'{2026-01-01}'",
  bytea: "'\\x00'",
  'bytea[]': `'{"\\\\x00"}'`,
  boolean: 'true',
  'boolean[]': "'{true}'",
  json: "'{}'",
  jsonb: "'{}'",
  'json[]': `'{"{}"}'`,
  'jsonb[]': `'{"{}"}'`,
  real: '1',
  'real[]': "'{1}'",
};

describe.each([
  ['a cluster', () => newMigratedCluster()],
  ['a cluster that was distributed before there were months', () => newUpgradedCluster()],
] as const)('the plans of %s', (_, newCluster) => {
  let cluster: { readonly url: string; drop(): Promise<void> };
  let client: pg.Client;

  beforeAll(async () => {
    await readAllStatements();
    cluster = await newCluster();
    client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await cluster?.drop();
  });

  /** Executes what was prepared, with values of its types. */
  async function callOf(): Promise<string> {
    const [row] = (
      await client.query("select parameter_types::text[] as types from pg_prepared_statements where name = 'planned'")
    ).rows;
    const values = (row.types as string[]).map((type) => VALUES[type] ?? `no value is a ${type}`);
    return `execute planned${values.length === 0 ? '' : `(${values.join(', ')})`}`;
  }

  /** How many tasks each distributed part of the plan has. */
  async function tasksOf(text: string): Promise<string[]> {
    try {
      await client.query(`prepare planned as ${text}`);
      const lines = (await client.query({ text: `explain (costs off) ${await callOf()}`, rowMode: 'array' })).rows;
      const plan = lines.join('\n');
      if (/pull to coordinator/.test(plan)) return ['pulled'];
      return [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count = '']) => count);
    } catch (error) {
      return [(error as Error).message];
    } finally {
      await client.query('deallocate all');
    }
  }

  /** Why it does not run, in a transaction that leaves nothing behind: not all that is planned does. */
  async function refusalOf(text: string): Promise<string | undefined> {
    await client.query('begin');
    try {
      await client.query(`prepare planned as ${text}`);
      await client.query(await callOf());
      return undefined;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.query('rollback');
      await client.query('deallocate all');
    }
  }

  it('have one task for every statement about what belongs to a merchant', async () => {
    const isApart = (name: string) => DONE_APART.some((names) => names.test(name));
    const about = (text: string) => shardedTables.some((table) => new RegExp(`\\b${table}\\b`).test(text));
    const sought = knownStatements()
      .map(({ statement }) => statement)
      .filter(({ name, text }) => about(text) && !isOverAll(name) && !isApart(name) && !NOT_OF_PAYMENTS.test(name));
    expect(sought.length).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const { name, text } of sought) {
      const tasks = await tasksOf(text);
      if (tasks.join() !== '1') wrong.push(`${name}: ${tasks.join(', ')}`);
    }
    expect(wrong).toEqual([]);
  });

  it('have one task a shard for what is asked of each shard where the cluster refuses it of all', async () => {
    const refused: string[] = [];
    const wrong: string[] = [];
    for (const { statement } of knownStatements()) {
      if (!isOverAll(statement.name) || BY_PLACE.test(statement.name) || OF_SUMS.test(statement.name)) continue;
      const tasks = await tasksOf(statement.text);
      if (tasks.every((one) => /^(\d+|pulled)$/.test(one))) {
        const refusal = ASKED_OF_EACH.test(statement.name) ? undefined : await refusalOf(statement.text);
        if (refusal !== undefined) wrong.push(`${statement.name}: ${refusal}`);
        continue;
      }
      refused.push(statement.name);
      const apart = await tasksOf(ofShard(statement, 0).text);
      const isWritten = /^\s*insert/.test(statement.text) && apart.join() === 'pulled';
      if (apart.length === 0 || (apart.some((one) => one !== '1') && !isWritten))
        wrong.push(`${statement.name}: ${apart.join(', ')}`);
    }
    expect(wrong).toEqual([]);
    expect(refused.filter((name) => !ASKED_OF_EACH.test(name))).toEqual([]);
  });

  it('have a task for whatever writes: a plan without one does nothing, and says nothing of it', async () => {
    const idle: string[] = [];
    for (const { statement } of knownStatements()) {
      if (!/^\s*(with|insert|update|delete)\b/i.test(statement.text)) continue;
      if ((await tasksOf(statement.text)).includes('0')) idle.push(statement.name);
    }
    expect(idle).toEqual([]);
  });

  it('are refused or pulled together for what is done apart: otherwise it need not be', async () => {
    for (const { statement } of knownStatements()) {
      if (!DONE_APART.some((names) => names.test(statement.name))) continue;
      expect([statement.name, await tasksOf(statement.text)]).not.toEqual([statement.name, ['1']]);
    }
  });
});
