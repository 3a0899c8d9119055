// Changes that may be asked for again, as rows: of the key and of what was asked only digests, of the answer what the
// vault has sealed.

import { sealedColumns } from '../cards/card-rows.ts';
import type { Database } from '../database.ts';
import type { Sealed } from '../store.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';

export const repeatableChanges = table('repeatable_changes', ['asker', 'key'], {
  /** The name of a person; empty of the local command line. */
  asker: column.text('asker'),
  key: column.hex('key_digest'),
  verb: column.text('verb'),
  body: column.bytea('body_digest'),
  answer: sealedColumns('sealed', 'data_key_id').optional(),
  at: column.moment('at'),
});

export type RepeatKey = RowOf<typeof repeatableChanges.key.parts>;
export type StoredRepeat = RowOf<typeof repeatableChanges.parts>;

const answer = repeatableChanges.pick('answer');

const statements = {
  find: statement('repeats-find', repeatableChanges)`
    select ${COLUMNS} from repeatable_changes where ${repeatableChanges.key.equal()} and at > $3`,
  // What is older than is kept may not have been removed yet.
  begin: statement('repeats-begin')`
    ${repeatableChanges.insert()}
    on conflict (asker, key_digest) do update set verb = excluded.verb, body_digest = excluded.body_digest,
      sealed = excluded.sealed, data_key_id = excluded.data_key_id, at = excluded.at
    where repeatable_changes.at <= $8 returning 1`,
  end: statement('repeats-end')`
    update repeatable_changes set ${answer.equal(3, ', ')} where ${repeatableChanges.key.equal()}`,
  remove: statement('repeats-remove')`delete from repeatable_changes where ${repeatableChanges.key.equal()}`,
  forget: statement('repeats-forget')`
    delete from repeatable_changes where ctid = any(array(
      select ctid from repeatable_changes where at < $1 order by at limit $2 for update skip locked))
    returning 1`,
};

export type RepeatStore = ReturnType<typeof repeatStore>;

export function repeatStore(database: Database) {
  const keyOf = (key: RepeatKey) => repeatableChanges.key.values(key);
  return {
    find: async (key: RepeatKey, since: number) =>
      (await database.query(statements.find, [...keyOf(key), new Date(since)]))[0],
    /** False when there is one already that is younger than `since`. */
    begin: async (change: StoredRepeat, since: number) =>
      (await database.query(statements.begin, [...repeatableChanges.values(change), new Date(since)])).length > 0,
    end: async (key: RepeatKey, sealed: Sealed) => {
      await database.query(statements.end, [...keyOf(key), ...answer.values({ answer: sealed })]);
    },
    remove: async (key: RepeatKey) => {
      await database.query(statements.remove, keyOf(key));
    },
    forget: async (before: number, limit: number) =>
      (await database.query(statements.forget, [new Date(before), limit])).length,
  };
}
