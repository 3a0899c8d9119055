// What has to be done so that every table lies on a cluster as it should, and what stands against it. Rows that have a
// shard are spread by it, all of them alike, so that what belongs to a shard is on one server; every other table is
// whole on each server.

import type { Cluster, ClusterTable } from './cluster.ts';

const OLDEST_VERSION = 13;

export type DistributionStep = {
  readonly table: string;
  readonly becomes: 'reference' | 'distributed';
  /** Lies as this one does; undefined for the first of its kind. */
  readonly alike: string | undefined;
};

/** In the order they are to be done: what is referred to comes first. Nothing where all is as it should be. */
export function missingSteps({ tables }: Pick<Cluster, 'tables'>): DistributionStep[] {
  const everyones = tables
    .filter(({ isSharded, lies }) => !isSharded && lies !== 'reference')
    .map(({ name }): DistributionStep => ({ table: name, becomes: 'reference', alike: undefined }));
  const sharded = tables.filter(({ isSharded }) => isSharded);
  const first = (sharded.find(({ lies }) => lies === 'distributed') ?? sharded[0])?.name;
  const spread = sharded
    .filter(({ lies }) => lies !== 'distributed')
    .map(({ name }): DistributionStep => {
      return { table: name, becomes: 'distributed', alike: name === first ? undefined : first };
    });
  return [...everyones, ...spread];
}

/** Why the tables of this cluster cannot be distributed, each in words. */
export function clusterFaults({ version, servers }: Cluster): string[] {
  const here = servers.find(({ isHere }) => isHere);
  const coordinator = servers.find(({ isCoordinator }) => isCoordinator);
  return [
    ...(Number.parseInt(version, 10) < OLDEST_VERSION
      ? [`Citus ${OLDEST_VERSION} or newer is needed, this is ${version}`]
      : []),
    ...(coordinator === undefined
      ? ['the coordinator has no address yet: "select citus_set_coordinator_host(\'host\', port)" gives it one']
      : []),
    ...(here && coordinator && !here.isCoordinator
      ? [`this server is no coordinator: name ${coordinator.place} in the database URL`]
      : []),
    ...(servers.length > 0 && !servers.some(({ holdsRows }) => holdsRows)
      ? ['no server may hold rows: "select citus_add_node(\'host\', port)" adds one']
      : []),
    ...servers.filter(({ isActive }) => !isActive).map(({ place }) => `the server ${place} is not active`),
    ...servers
      .filter(({ isActive, isSynced }) => isActive && !isSynced)
      .map(({ place }) => `the server ${place} does not know the tables of the cluster`),
  ];
}

/** What is not as it should be after all was done. */
export function distributionFaults({ tables }: Pick<Cluster, 'tables'>): string[] {
  const group = tables.find(({ lies }) => lies === 'distributed')?.group;
  return tables.flatMap((table) => [...lyingFaults(table, group), ...restFaults(table)]);
}

function lyingFaults({ name, isSharded, lies, spreadBy, group }: ClusterTable, groupOfAll: number | undefined) {
  const wanted = isSharded ? 'distributed' : 'reference';
  if (lies !== wanted) return [`${name} is ${lies} where it should be ${wanted}`];
  if (!isSharded) return [];
  if (spreadBy !== 'shard') return [`${name} is spread by ${spreadBy} instead of its shard`];
  return group === groupOfAll ? [] : [`${name} does not lie beside the others of its shard`];
}

function restFaults({ rests }: ClusterTable) {
  return rests.map((name) => `${name} still has the rows that were copied to the cluster`);
}
