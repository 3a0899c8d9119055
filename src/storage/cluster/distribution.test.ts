import { describe, expect, it } from 'vitest';
import type { Cluster, ClusterServer, ClusterTable } from './cluster.ts';
import { clusterFaults, distributionFaults, missingSteps } from './distribution.ts';
import { moveFaults } from './move.ts';

const server = (place: string, changes: Partial<ClusterServer> = {}): ClusterServer => {
  return { place, isCoordinator: false, isHere: false, isActive: true, isSynced: true, holdsRows: true, ...changes };
};
const table = (name: string, changes: Partial<ClusterTable> = {}): ClusterTable => {
  const lying = { lies: 'alone', spreadBy: undefined, group: undefined } as const;
  return { name, isSharded: false, ...lying, rests: [], parts: [], ...changes };
};
const spread = { isSharded: true, lies: 'distributed', spreadBy: 'shard', group: 2 } as const;

const first = server('db1:5432', { isCoordinator: true, isHere: true });
const good: Cluster = { version: '13.0-1', servers: [first, server('db2:5432')], tables: [table('orders', spread)] };

describe('what is missing', () => {
  it('is told in order: tables of everyone first, then those with a shard, which lie beside the first', () => {
    const tables = [
      table('orders', { isSharded: true }),
      table('merchants'),
      table('cards', { isSharded: true }),
      table('people', { lies: 'local' }),
      table('nodes', { lies: 'reference' }),
    ];
    expect(missingSteps({ tables })).toEqual([
      { table: 'merchants', becomes: 'reference', alike: undefined },
      { table: 'people', becomes: 'reference', alike: undefined },
      { table: 'orders', becomes: 'distributed', alike: undefined },
      { table: 'cards', becomes: 'distributed', alike: 'orders' },
    ]);
  });

  it('lies beside what was distributed before an interruption', () => {
    const tables = [table('cards', { isSharded: true }), table('orders', spread)];
    expect(missingSteps({ tables })).toEqual([{ table: 'cards', becomes: 'distributed', alike: 'orders' }]);
  });
});

const faults: readonly [what: string, changes: Partial<Cluster>, said: readonly RegExp[]][] = [
  ['nothing', {}, []],
  ['an old version', { version: '12.1-1' }, [/Citus 13 or newer is needed, this is 12\.1-1/]],
  ['a coordinator without an address', { servers: [] }, [/citus_set_coordinator_host/]],
  [
    'another server asked',
    { servers: [{ ...first, isHere: false }, server('db2:5432', { isHere: true })] },
    [/name db1:5432 in the database URL/],
  ],
  ['no place for rows', { servers: [{ ...first, holdsRows: false }] }, [/citus_add_node/]],
  [
    'two servers that are not ready',
    { servers: [first, server('db2:5432', { isActive: false }), server('db3:5432', { isSynced: false })] },
    [/db2:5432 is not active/, /db3:5432 does not know/],
  ],
];

it.each(faults)('stands against distributing: %s', (_, changes, said) => {
  const found = clusterFaults({ ...good, ...changes });
  expect(found).toHaveLength(said.length);
  for (const [index, text] of said.entries()) expect(found[index]).toMatch(text);
});

const lyings: readonly [table: ClusterTable, fault: string | undefined][] = [
  [table('orders', spread), undefined],
  [table('merchants', { lies: 'reference' }), undefined],
  [table('merchants'), 'merchants is alone where it should be reference'],
  [table('cards', { isSharded: true, lies: 'reference' }), 'cards is reference where it should be distributed'],
  [table('cards', { ...spread, spreadBy: 'merchant_id' }), 'cards is spread by merchant_id instead of its shard'],
  [table('cards', { ...spread, group: 3 }), 'cards does not lie beside the others of its shard'],
  [table('cards', { ...spread, rests: ['cards'] }), 'cards still has the rows that were copied to the cluster'],
];

it.each(lyings)('%j', (one, fault) => {
  const found = distributionFaults({ tables: [table('accounts', spread), one] });
  expect(found).toEqual(fault === undefined ? [] : [fault]);
});

it('moves a shard only to a server of the cluster that may hold rows', () => {
  expect(moveFaults(good, { to: 'db2:5432' })).toEqual([]);
  expect(moveFaults(good, { to: 'db9:5432' })).toEqual([
    'db9:5432 is no server of the cluster: they are db1:5432, db2:5432',
  ]);
  const servers = [first, server('db2:5432', { holdsRows: false })];
  expect(moveFaults({ ...good, servers }, { to: 'db2:5432' })).toHaveLength(1);
});
