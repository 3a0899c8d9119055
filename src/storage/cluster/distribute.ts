// Spreads the tables over the servers of a cluster, and goes on to do so with tables that later migrations make.

import type { Session } from '../database.ts';
import { quoted } from '../transfer/catalogue.ts';
import { type Cluster, isDistributed, isElsewhere, readCluster, readExtension, SHARD_COLUMN } from './cluster.ts';
import { type DistributionStep, distributionFaults, missingSteps } from './distribution.ts';
import { splitScript } from './split-script.ts';

/** Into how many parts all shards are divided at first: more than there will ever be servers. */
export const PARTS = 32;

/** Asked of a server that changes no table. */
export class NotCoordinator extends Error {
  override readonly name = 'NotCoordinator';

  constructor() {
    super(
      'the schema is not up to date, and only the coordinator of the cluster changes it: name that in the database URL',
    );
  }
}

/** Called before each table: its name, and how many of those that are missing are done. */
export type TellsTable = (table: string, done: number, total: number) => void;

type DistributeOptions = { readonly parts?: number | undefined; readonly tell?: TellsTable | undefined };

/**
 * Does what is missing and gives the steps this call has done; throws with whatever is not as it should be then. Given
 * a database, each table is a transaction of its own: what was interrupted is gone on with by doing it again.
 */
export async function distribute(
  session: Session,
  { parts = PARTS, tell = () => {} }: DistributeOptions = {},
): Promise<DistributionStep[]> {
  const steps = missingSteps(await clusterOf(session));
  for (const [index, step] of steps.entries()) {
    tell(step.table, index, steps.length);
    await session.script(scriptOf(step, parts));
  }
  await removeRests(session);
  const faults = distributionFaults(await clusterOf(session));
  if (faults.length > 0) throw new Error(`the tables do not lie as they should: ${faults.join('; ')}`);
  return steps;
}

/** Whether this is a database whose tables are distributed, so that new ones have to be. */
export async function isSpread(session: Session): Promise<boolean> {
  const { version } = await readExtension(session);
  if (version === undefined) return false;
  return isDistributed(await clusterOf(session));
}

/**
 * Changes the schema of such a database. One server after the other is asked, because a transaction that changes tables
 * on all of them at once may touch no second table that refers to the first.
 */
export async function changeSpread(session: Session, script: string): Promise<void> {
  if (isElsewhere(await clusterOf(session))) throw new NotCoordinator();
  await session.script("set local citus.multi_shard_modify_mode to 'sequential'");
  for (const text of splitScript(script)) await session.script(text);
  await distribute(session);
}

/** Runs a script that changes the schema, or who may do what with it, on a cluster or on one server. */
export async function changeSchema(session: Session, script: string): Promise<void> {
  await ((await isSpread(session)) ? changeSpread(session, script) : session.script(script));
}

async function clusterOf(session: Session): Promise<Cluster> {
  const cluster = await readCluster(session);
  if (cluster === undefined) throw new Error('the database has no Citus');
  return cluster;
}

function scriptOf({ table, becomes, alike }: DistributionStep, parts: number): string {
  const name = literal(quoted(table));
  if (becomes === 'reference') return `select create_reference_table(${name})`;
  const place = alike === undefined ? `'none', shard_count => ${parts}` : literal(quoted(alike));
  return `select create_distributed_table(${name}, '${SHARD_COLUMN}', colocate_with => ${place})`;
}

/** Citus leaves the rows it copied where they were; nobody sees them, and they would stay for ever. */
async function removeRests(session: Session): Promise<void> {
  const { tables } = await clusterOf(session);
  const left = tables.flatMap(({ rests }) => rests).reverse();
  for (const name of left) {
    await session.script(`select truncate_local_data_after_distributing_table(${literal(quoted(name))})`);
  }
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
