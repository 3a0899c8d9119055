// Two roles of a PostgreSQL server: one that makes and changes the schema, and one that runs the gateway. The latter
// makes no table and no trigger, and can add to what must never change, but neither change nor remove it.

import type { Database } from '../database.ts';
import { historyTables, restPartitionOf } from '../history/history-tables.ts';
import { partitionNames } from '../history/partitions.ts';
import { statement } from '../tables/index.ts';
import { listTables, quoted } from '../transfer/catalogue.ts';

export type Roles = { readonly run: string; readonly migrate: string };

const ALL = ['select', 'insert', 'update', 'delete'] as const;
type Privilege = (typeof ALL)[number];

/** What the role that runs may do with these tables; with all others everything that is no change of the schema. */
const LESS: Readonly<Record<string, readonly Privilege[]>> = {
  audit_log: ['select', 'insert'],
  // Who adds an entry holds the head and moves it.
  audit_head: ['select', 'update'],
  order_events: ['select', 'insert'],
  ledger_entries: ['select', 'insert'],
  accounts: ['select', 'insert', 'update'],
  schema_migration: ['select'],
  // What is missing is excused by them.
  archives: ['select'],
  configuration_version: ['select', 'update'],
  id_counter: ['select', 'update'],
};

const CURRENT = statement<{ database: string; schema: string }>('roles-current')`
  select current_database()::text as database, current_schema()::text as schema`;

/** The statements that make both roles and give each what it needs. They can be run again, and after every upgrade. */
export async function roleStatements(database: Database, { run, migrate }: Roles): Promise<string[]> {
  const [current] = await database.query(CURRENT);
  const tables = await database.transaction(listTables);
  const partitions = await partitionNames(database);
  const [runs, migrates] = [quoted(run), quoted(migrate)];
  const [schema, base] = [quoted(current?.schema ?? ''), quoted(current?.database ?? '')];
  return [
    ...[run, migrate].map(madeOnce),
    `revoke create on schema ${schema} from public`,
    `grant connect on database ${base} to ${runs}, ${migrates}`,
    `grant usage on schema ${schema} to ${runs}`,
    `grant usage, create on schema ${schema} to ${migrates}`,
    ...tables.flatMap(({ name }) => {
      const table = `${schema}.${quoted(name)}`;
      const granted = LESS[name] ?? ALL;
      return [
        `alter table ${table} owner to ${migrates}`,
        `revoke all on ${table} from public, ${runs}`,
        `grant ${granted.join(', ')} on ${table} to ${runs}`,
      ];
    }),
    // Rows of a month are reached by way of the whole table alone, so what may not be done with that cannot be done.
    ...partitions
      .map((name) => `${schema}.${quoted(name)}`)
      .flatMap((partition) => [
        `alter table ${partition} owner to ${migrates}`,
        `revoke all on ${partition} from public, ${runs}`,
      ]),
    // Whether anything lies in no month is asked of these by themselves.
    ...historyTables
      .map(restPartitionOf)
      .filter((rest) => partitions.includes(rest))
      .map((rest) => `grant select on ${schema}.${quoted(rest)} to ${runs}`),
    // Of tables that later migrations make; running this again narrows them.
    `alter default privileges for role ${migrates} in schema ${schema} grant ${ALL.join(', ')} on tables to ${runs}`,
    `grant usage on all sequences in schema ${schema} to ${runs}`,
  ];
}

function madeOnce(role: string): string {
  const name = `'${role.replaceAll("'", "''")}'`;
  return `do $$ begin
  if not exists (select from pg_roles where rolname = ${name}) then create role ${quoted(role)} login; end if;
end $$`;
}
