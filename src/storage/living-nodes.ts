// Which nodes live: each says so again and again. Verification calls work overdue only while somebody is there to do
// it.

import type { Database } from './database.ts';
import { COLUMNS, column, type RowOf, statement, table } from './tables/index.ts';

const nodes = table('nodes', ['instance'], {
  instance: column.uuid('instance'),
  livesUntil: column.moment('lives_until'),
  /** Of nodes that were older than these columns nothing is known. */
  version: column.text('version').optional(),
  beganAt: column.moment('began_at').optional(),
});

export type LivingNode = RowOf<typeof nodes.parts>;

const statements = {
  seen: statement('nodes-seen')`
    ${nodes.insert()} on conflict (${nodes.key.names()}) do update
      set lives_until = excluded.lives_until`,
  remove: statement('nodes-remove')`delete from nodes where instance = $1`,
  removeDead: statement('nodes-remove-dead')`delete from nodes where lives_until < $1`,
  any: statement('nodes-any', { isServed: column.boolean('exists (select from nodes where lives_until > $1)') })`
    select ${COLUMNS}`,
  list: statement('nodes-list', nodes)`select ${COLUMNS} from nodes order by began_at nulls first, instance`,
};

export type LivingNodes = {
  seen(node: LivingNode): Promise<unknown>;
  remove(instance: string): Promise<unknown>;
  removeDead(before: number): Promise<unknown>;
  list(): Promise<LivingNode[]>;
};

export function livingNodes(database: Database): LivingNodes {
  return {
    seen: (node) => database.query(statements.seen, nodes.values(node)),
    remove: (instance) => database.query(statements.remove, [instance]),
    removeDead: (before) => database.query(statements.removeDead, [new Date(before)]),
    list: () => database.query(statements.list),
  };
}

export async function isAnyNodeAlive(database: Database, now: number): Promise<boolean> {
  return (await database.query(statements.any, [new Date(now)]))[0]?.isServed === true;
}
