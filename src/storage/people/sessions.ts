// Sessions of people as rows. Of a cookie only its digest is kept, so who reads the database cannot use it.

import type { Person, SignInWay } from '../../domain/people/person.ts';
import type { Database } from '../database.ts';
import type { Records } from '../records/records.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';
import { personIn, signedPeople } from './people.ts';

const sessions = table('person_sessions', ['digest'], {
  digest: column.bytea('digest'),
  person: column.text('person'),
  way: column.text<SignInWay>('way'),
  address: column.text('address'),
  browser: column.text('browser'),
  signedInAt: column.moment('signed_in_at'),
  seenAt: column.moment('seen_at'),
});

export type StoredSession = RowOf<typeof sessions.parts>;

const statements = {
  add: statement('sessions-add')`${sessions.insert()}`,
  find: statement('sessions-find', sessions)`select ${COLUMNS} from person_sessions where digest = $1`,
  list: statement('sessions-list', sessions)`
    select ${COLUMNS} from person_sessions where person = $1 order by signed_in_at desc`,
  seen: statement('sessions-seen')`update person_sessions set seen_at = $2 where digest = $1`,
  end: statement('sessions-end')`delete from person_sessions where digest = $1`,
  endAll: statement('sessions-end-all')`
    delete from person_sessions where person = $1 and ($2::bytea is null or digest <> $2) returning 1`,
  forget: statement('sessions-forget')`
    delete from person_sessions where ctid = any(array(
      select ctid from person_sessions where seen_at < $1 order by seen_at limit $2 for update skip locked))
    returning 1`,
};

export type SessionStore = ReturnType<typeof sessionStore>;

export function sessionStore(database: Database, records: Records) {
  return {
    add: async (session: StoredSession) => {
      await database.query(statements.add, sessions.values(session));
    },
    /** With the person as they are now, who may have been disabled since. */
    find: async (digest: Buffer): Promise<{ session: StoredSession; person: Person } | undefined> => {
      const [session] = await database.query(statements.find, [digest]);
      const found = session && (await signedPeople(database, records)).find(({ name }) => name === session.person);
      if (!found) return undefined;
      return { session, person: personIn(found) };
    },
    list: (person: string) => database.query(statements.list, [person]),
    seen: async (digest: Buffer, at: number) => {
      await database.query(statements.seen, [digest, new Date(at)]);
    },
    end: async (digest: Buffer) => {
      await database.query(statements.end, [digest]);
    },
    /** Ends every session of a person, or all but one; tells how many. */
    endAll: async (person: string, except?: Buffer) =>
      (await database.query(statements.endAll, [person, except ?? null])).length,
    forget: async (before: number, limit: number) =>
      (await database.query(statements.forget, [new Date(before), limit])).length,
  };
}
