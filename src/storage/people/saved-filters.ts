// Searches that people keep under names of their own.

import type { Database } from '../database.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';

const filters = table('saved_filters', ['person', 'name'], {
  person: column.text('person'),
  name: column.text('name'),
  /** As the address of the search has it. */
  query: column.text('query'),
  createdAt: column.moment('created_at'),
});

export type SavedFilter = RowOf<typeof filters.parts>;

const statements = {
  list: statement('filters-list', filters)`select ${COLUMNS} from saved_filters where person = $1 order by name`,
  save: statement('filters-save')`
    ${filters.insert()} on conflict (person, name) do update set query = excluded.query`,
  remove: statement('filters-remove', filters.pick('name'))`
    delete from saved_filters where ${filters.key.equal()} returning ${COLUMNS}`,
};

export type SavedFilterStore = ReturnType<typeof savedFilterStore>;

export function savedFilterStore(database: Database) {
  return {
    list: (person: string): Promise<SavedFilter[]> => database.query(statements.list, [person]),
    /** In the place of one with the same name. */
    save: async (filter: SavedFilter): Promise<void> => {
      await database.query(statements.save, filters.values(filter));
    },
    /** Tells whether it was there. */
    remove: async (person: string, name: string): Promise<boolean> =>
      (await database.query(statements.remove, [person, name])).length > 0,
  };
}
