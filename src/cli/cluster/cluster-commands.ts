// `tender database distribute`, `show` and `move`: the tables on several servers, which are a cluster of Citus.

import { type Command, Option } from 'commander';
import { counted, properties, textTable } from '../../administration/verb/table.ts';
import type { Cluster, ClusterTable } from '../../storage/cluster/cluster.ts';
import { PARTS } from '../../storage/cluster/distribute.ts';
import { clusterFaults, type DistributionStep, missingSteps } from '../../storage/cluster/distribution.ts';
import { moveFaults, type ShardMove } from '../../storage/cluster/move.ts';
import type { Database } from '../../storage/database.ts';
import { describedCommand, withExample } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { partCountOf, serverPlaceOf, shardNumberOf } from '../option-values.ts';
import { withProgress } from '../progress-line.ts';
import { databaseUrlOf, settingOption } from '../setting-options.ts';
import { say } from '../terminal.ts';

type PlaceValues = { readonly databaseUrl?: string };
type DistributeValues = PlaceValues & { readonly parts: number; readonly dryRun?: true };
type MoveValues = PlaceValues & ShardMove;

const OWN_COPIES = { reference: 'whole on every server', distributed: 'spread by its shard' } as const;

export function addClusterCommands(noun: Command): void {
  const distributes = onServer(
    noun,
    'distribute',
    'spread the tables over the servers of a Citus cluster',
    'Spreads what belongs to merchants over the servers of a cluster, by the shard a merchant lives in, and keeps all other tables whole on every server. Give it the coordinator, as a role that owns the schema, while no gateway runs. What is as it should be is left alone, so it can be run again, also after an interruption. There is no way back but an export and an import: try it on a copy first.',
  )
    .addOption(
      new Option('--parts <number>', 'how many parts shards are divided into, the first time')
        .default(PARTS)
        .argParser(partCountOf),
    )
    .option('--dry-run', 'say what would be done, and do nothing')
    .action(runDistribute);
  withExample(distributes, 'tender database distribute --database-url postgresql://tender_migrate@coordinator/tender');

  const shows = onServer(
    noun,
    'show',
    'show how the tables lie on the servers of the database',
    'Shows the servers of a cluster, and of each table whether it is whole on every server or spread, and where.',
  ).action(runShow);
  withExample(shows, 'tender database show --database-url postgresql://tender@coordinator/tender');

  const moves = onServer(
    noun,
    'move',
    'move a shard to another server of the cluster while gateways run',
    'Moves a shard, with others that lie in the same part, to another server of the cluster. Gateways go on meanwhile; writes to it wait for a moment. Every server needs wal_level = logical.',
  )
    .addOption(new Option('--shard <number>', 'which').argParser(shardNumberOf).makeOptionMandatory())
    .addOption(new Option('--to <host:port>', 'the server').argParser(serverPlaceOf).makeOptionMandatory())
    .action(runMove);
  withExample(moves, 'tender database move --shard 3 --to db2:5432 --database-url postgresql://postgres@db1/tender');
}

function onServer(noun: Command, name: string, summary: string, description: string): Command {
  const command = describedCommand(noun, name, summary, description);
  return command.addOption(settingOption('databaseUrl').helpGroup('Which gateway:'));
}

async function runDistribute({ parts, dryRun, ...values }: DistributeValues): Promise<void> {
  await withDatabase(values, async (database) => {
    const cluster = await clusterAt(database);
    const faults = [...clusterFaults(cluster), ...(await unreadiness(database, cluster))];
    if (faults.length > 0) throw new Complaint(`the tables cannot be distributed: ${faults.join('; ')}`);
    if (dryRun) return say(plannedText(missingSteps(cluster)));
    const { distribute } = await import('../../storage/cluster/distribute.ts');
    const done = await withProgress((progress) =>
      distribute(database, {
        parts,
        tell: (at, done, total) => progress.show({ doing: 'Distributing', done, total, unit: 'tables', at }),
      }),
    );
    const what = done.length === 0 ? 'Nothing was left to do' : `Distributed ${counted(done.length, 'table')}`;
    say(
      `${what}; ${counted(cluster.tables.length, 'table')} checked, on ${counted(cluster.servers.length, 'server')}.`,
    );
  });
}

function plannedText(steps: readonly DistributionStep[]): string {
  if (steps.length === 0) return 'Nothing is left to do.';
  return textTable(
    ['table', 'becomes'],
    steps.map(({ table, becomes }) => [table, OWN_COPIES[becomes]]),
  );
}

/** What of the gateway stands against it. */
async function unreadiness(database: Database, { tables }: Cluster): Promise<string[]> {
  const { schemaState } = await import('../../storage/connection/migrate.ts');
  const { isAnyNodeAlive } = await import('../../storage/living-nodes.ts');
  const { applied, missing } = await schemaState(database);
  if (applied.length === 0 || missing.length > 0) {
    return ['the schema is not up to date: "tender database migrate" brings it there'];
  }
  if (!tables.some(({ isSharded }) => isSharded)) return ['no table of this version has a shard to be spread by'];
  const runs = await isAnyNodeAlive(database, Date.now());
  return runs ? ['a gateway runs on this database, or ended within the last minute: stop it, and wait that long'] : [];
}

async function runShow(values: PlaceValues): Promise<void> {
  await withDatabase(values, async (database) => {
    const { readCluster } = await import('../../storage/cluster/cluster.ts');
    const cluster = await database.transaction(readCluster);
    if (cluster === undefined) return say('One server, without Citus: every table is whole on it.');
    const servers = cluster.servers.map((server): [string, string] => [server.place, aboutServer(server)]);
    const tables = textTable(['table', 'lies', 'where'], cluster.tables.map(tableCells));
    say(`Citus ${cluster.version}\n\n${servers.length > 0 ? `${properties(servers)}\n\n` : ''}${tables}`);
  });
}

function aboutServer({ isCoordinator, isActive, isSynced, holdsRows }: Cluster['servers'][number]): string {
  return [
    isCoordinator ? 'coordinator' : 'worker',
    ...(isActive ? [] : ['not active']),
    ...(isSynced ? [] : ['cannot be asked']),
    ...(holdsRows ? [] : ['holds no shards']),
  ].join(', ');
}

function tableCells({ name, lies, parts }: ClusterTable): string[] {
  const places = parts.map(({ place, count }) => (lies === 'distributed' ? `${place} ${count}` : place));
  return [name, lies, places.join(', ') || '-'];
}

async function runMove({ shard, to, ...values }: MoveValues): Promise<void> {
  await withDatabase(values, async (database) => {
    const cluster = await clusterAt(database);
    const faults = moveFaults(cluster, { to });
    if (faults.length > 0) throw new Complaint(`shard ${shard} cannot be moved: ${faults.join('; ')}`);
    const { moveShard } = await import('../../storage/cluster/move.ts');
    const from = await withProgress((progress) => {
      progress.show({ doing: `Moving shard ${shard} to ${to}` });
      return moveShard(database, cluster, { shard, to });
    });
    say(from === to ? `Shard ${shard} lies on ${to} already.` : `Moved shard ${shard} from ${from} to ${to}.`);
  });
}

async function withDatabase(values: PlaceValues, work: (database: Database) => Promise<void>): Promise<void> {
  const url = databaseUrlOf(values);
  if (url === undefined) {
    throw new Complaint(
      'only a PostgreSQL server, named with --database-url or DATABASE_URL, has others beside it; an embedded database is one folder',
    );
  }
  const { openDatabase } = await import('../../storage/connection/open-database.ts');
  const database = await openDatabase({ url, poolSize: 1 });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

async function clusterAt(database: Database): Promise<Cluster> {
  const { readCluster, readExtension } = await import('../../storage/cluster/cluster.ts');
  const cluster = await database.transaction(readCluster);
  if (cluster !== undefined) return cluster;
  const { isOffered } = await readExtension(database);
  throw new Complaint(
    isOffered
      ? 'this database has no Citus: "create extension citus" in it, on every server, gives it one'
      : 'this server has no Citus: install the extension of that name for its version of PostgreSQL, add citus to shared_preload_libraries and start it again, on every server',
  );
}
