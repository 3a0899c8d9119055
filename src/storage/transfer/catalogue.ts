// The tables of the schema as the database itself lists them, so that whatever walks through all of them needs no list
// of its own that a later migration could leave behind.

import { grouped } from '../../domain/grouped.ts';
import type { Session } from '../database.ts';
import { statement } from '../tables/index.ts';

export type Table = {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
};

const COLUMNS = statement<{ table: string; name: string; type: string }>('catalogue-columns')`
  select c.relname::text as "table", a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname, a.attnum`;

const REFERENCES = statement<{ child: string; parent: string }>('catalogue-references')`
  select child.relname::text as child, parent.relname::text as parent
    from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and child.relnamespace = current_schema()::regnamespace and child.oid <> parent.oid`;

/** Every table, each after those it refers to. */
export async function listTables(session: Session): Promise<Table[]> {
  const byName = grouped(await session.query(COLUMNS), ({ table }) => table);
  const references = await session.query(REFERENCES);
  return parentsFirst([...byName.keys()], references).map((name) => ({ name, columns: byName.get(name) ?? [] }));
}

export function parentsFirst(
  names: readonly string[],
  references: readonly { readonly child: string; readonly parent: string }[],
): string[] {
  const sorted: string[] = [];
  const waiting = new Set(names);
  while (waiting.size > 0) {
    const ready = [...waiting].filter(
      (name) => !references.some(({ child, parent }) => child === name && waiting.has(parent)),
    );
    if (ready.length === 0) throw new Error(`the tables ${[...waiting].join(', ')} refer to each other in a circle`);
    for (const name of ready) waiting.delete(name);
    sorted.push(...ready);
  }
  return sorted;
}

/** A name as SQL takes it, whatever is in it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
