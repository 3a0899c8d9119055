// Which nodes live: each says so again and again. Verification calls work overdue only while somebody is there to do
// it.

import type { Database } from './database.ts';
import { COLUMNS, column, statement, table } from './tables/index.ts';

const nodes = table('nodes', ['instance'], {
  instance: column.uuid('instance'),
  livesUntil: column.moment('lives_until'),
});

const statements = {
  seen: statement('nodes-seen')`
    ${nodes.insert()} on conflict (${nodes.key.names()}) do update set lives_until = excluded.lives_until`,
  remove: statement('nodes-remove')`delete from nodes where instance = $1`,
  removeDead: statement('nodes-remove-dead')`delete from nodes where lives_until < $1`,
  any: statement('nodes-any', { isServed: column.boolean('exists (select from nodes where lives_until > $1)') })`
    select ${COLUMNS}`,
};

export type LivingNodes = {
  seen(instance: string, livesUntil: number): Promise<unknown>;
  remove(instance: string): Promise<unknown>;
  removeDead(before: number): Promise<unknown>;
};

export function livingNodes(database: Database): LivingNodes {
  return {
    seen: (instance, livesUntil) => database.query(statements.seen, nodes.values({ instance, livesUntil })),
    remove: (instance) => database.query(statements.remove, [instance]),
    removeDead: (before) => database.query(statements.removeDead, [new Date(before)]),
  };
}

export async function isAnyNodeAlive(database: Database, now: number): Promise<boolean> {
  return (await database.query(statements.any, [new Date(now)]))[0]?.isServed === true;
}
