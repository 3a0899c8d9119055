// Tables on several servers: distributed, checked, changed by later migrations, and moved, on a small schema that has
// what ours has: tables that refer to each other, some with a shard and some without.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCluster } from '../../src/storage/cluster/cluster.ts';
import { distribute } from '../../src/storage/cluster/distribute.ts';
import { clusterFaults, distributionFaults } from '../../src/storage/cluster/distribution.ts';
import { moveFaults, moveShard } from '../../src/storage/cluster/move.ts';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import { type ClusterDatabase, newClusterDatabase, rowsAt } from './citus.ts';

const FIRST = `
create table houses (house_id bigint primary key, name text not null unique);
create table doors (house_id bigint not null references houses, door int, primary key (house_id, door));
create table bookings (
  house_id bigint not null, booking_id bigint not null, shard smallint not null default 0, amount bigint not null,
  primary key (house_id, booking_id, shard));
create table locks (
  house_id bigint not null references houses, bucket int, shard smallint not null default 0,
  primary key (house_id, bucket, shard));
insert into houses values (1, 'one'), (2, 'two');
insert into doors values (1, 1), (1, 2);
insert into bookings select 1, n, n % 5, n from generate_series(1, 100) n;
insert into locks values (1, 7, 3);`;

const SECOND = `
alter table bookings add column paid boolean not null default false;
alter table houses add column closed boolean not null default false;
create index bookings_paid on bookings (house_id, paid);
update bookings set paid = true where amount > 50;
create table guests (
  house_id bigint not null references houses, guest_id bigint, shard smallint not null default 0,
  primary key (house_id, guest_id, shard));
create table streets (name text primary key);
insert into streets values ('Main Street');`;

describe('a database on several servers', () => {
  let folder: string;
  let cluster: ClusterDatabase;
  let database: Database;
  const look = async () => (await database.transaction(readCluster))!;
  const lies = async () => Object.fromEntries((await look()).tables.map(({ name, lies }) => [name, lies]));
  const everywhere = (sql: string) => Promise.all(cluster.urls.map((url) => rowsAt(url, sql)));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-migrations-'));
    await writeFile(join(folder, '0001-first.sql'), FIRST);
    cluster = await newClusterDatabase();
    database = await openDatabase({ url: cluster.urls[0], poolSize: 2 });
    await migrate(database, folder);
  });
  afterAll(async () => {
    await database?.close();
    await cluster?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has every table in one place before, and says so', async () => {
    expect(clusterFaults(await look())).toEqual([]);
    expect(distributionFaults(await look())).toContain('bookings is alone where it should be distributed');
    expect(moveFaults(await look(), { to: 'nowhere:1' })).toHaveLength(2);
  });

  it('refuses to be distributed by way of another server than the coordinator', async () => {
    const other = await openDatabase({ url: cluster.urls[1], poolSize: 1 });
    const coordinator = new URL(cluster.urls[0]!);
    try {
      const faults = clusterFaults((await other.transaction(readCluster))!);
      expect(faults).toContain(`this server is no coordinator: name ${coordinator.host} in the database URL`);
    } finally {
      await other.close();
    }
  });

  it('is distributed with its rows, which every server shows and none has twice', async () => {
    const told: string[] = [];
    const steps = await distribute(database, { parts: 4, tell: (table) => told.push(table) });
    expect(told).toEqual(steps.map(({ table }) => table));
    expect(await lies()).toEqual({
      bookings: 'distributed',
      doors: 'reference',
      houses: 'reference',
      locks: 'distributed',
      schema_migration: 'reference',
    });
    const [sharded] = (await look()).tables.filter(({ name }) => name === 'bookings');
    expect(sharded!.parts.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    expect(sharded!.parts.length).toBeGreaterThan(1);
    for (const rows of await everywhere('select count(*)::int as n, sum(amount)::int as sum from bookings')) {
      expect(rows).toEqual([{ n: 100, sum: 5050 }]);
    }
    expect(await everywhere('select bucket, shard from locks join houses using (house_id)')).toEqual(
      cluster.urls.map(() => [{ bucket: 7, shard: 3 }]),
    );
    expect((await look()).tables.flatMap(({ rests }) => rests)).toEqual([]);
  });

  it('is left alone when it is distributed again', async () => {
    expect(await distribute(database)).toEqual([]);
  });

  it('is migrated on every server, with new tables where they belong', async () => {
    await writeFile(join(folder, '0002-second.sql'), SECOND);
    expect(await migrate(database, folder)).toEqual(['0002-second']);
    expect(await lies()).toMatchObject({ guests: 'distributed', streets: 'reference' });
    expect(distributionFaults(await look())).toEqual([]);
    for (const rows of await everywhere('select count(*)::int as n from bookings where paid')) {
      expect(rows).toEqual([{ n: 50 }]);
    }
    expect(await everywhere('select name from streets')).toEqual(cluster.urls.map(() => [{ name: 'Main Street' }]));
  });

  it('is changed by way of the coordinator only, and looked at by way of every server', async () => {
    const other = await openDatabase({ url: cluster.urls[2], poolSize: 1 });
    try {
      expect(await migrate(other, folder)).toEqual([]);
      await writeFile(join(folder, '0003-third.sql'), 'alter table streets add column length int;');
      await expect(migrate(other, folder)).rejects.toThrow('only the coordinator of the cluster changes it');
    } finally {
      await other.close();
    }
  });

  it('has a shard moved from server to server while it is written to', async () => {
    const places = (await look()).servers.map(({ place }) => place);
    const now = await moveShard(database, await look(), { shard: 3, to: places[0]! });
    const written: number[] = [];
    let isOver = false;
    const writing = (async () => {
      for (let id = 1000; !isOver; id++) {
        await rowsAt(cluster.urls[1]!, `insert into bookings values (1, ${id}, 3, 1)`);
        written.push(id);
      }
    })();
    try {
      for (const to of [places[1]!, places[2]!, now]) {
        await moveShard(database, await look(), { shard: 3, to });
        const [place] = await rowsAt(
          cluster.urls[0]!,
          `select nodename || ':' || nodeport as at from citus_shards where table_name = 'locks'::regclass
           and shardid = get_shard_id_for_distribution_column('locks', 3)`,
        );
        expect(place).toEqual({ at: to });
      }
    } finally {
      isOver = true;
    }
    await writing;
    expect(written.length).toBeGreaterThan(0);
    expect(await everywhere('select count(*)::int as n from bookings where booking_id >= 1000')).toEqual(
      cluster.urls.map(() => [{ n: written.length }]),
    );
  });
});
