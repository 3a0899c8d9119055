// People as rows, with what they sign in by: a password's hash, the sealed secret of an authenticator app and a
// one-time code's digest.

import type { Person } from '../../domain/people/person.ts';
import type { PersonRole } from '../../domain/people/roles.ts';
import { sealedColumns } from '../cards/card-rows.ts';
import type { Database, Session } from '../database.ts';
import { changeRecords, type Records } from '../records/records.ts';
import { recordColumns } from '../records/signed-tables.ts';
import type { Sealed } from '../store.ts';
import { COLUMNS, column, statement, table } from '../tables/index.ts';

export type StoredPerson = Person & {
  readonly merchantId: number | undefined;
  readonly createdAt: number;
  /** What a passkey knows its owner by. */
  readonly handle: Buffer;
  readonly password: string | undefined;
  readonly totp: Sealed | undefined;
  /** Since when codes are asked for; undefined until the app has shown its first. */
  readonly totpSince: number | undefined;
  /** The step of the last code that was taken. */
  readonly totpStep: number;
  readonly linkUntil: number | undefined;
};

export const people = table('people', ['name'], {
  name: column.text('name'),
  role: column.text<PersonRole>('role'),
  enabled: column.boolean('enabled'),
  createdAt: column.moment('created_at'),
  handle: column.bytea('handle'),
  password: column.text('password').optional(),
  totp: sealedColumns('totp_sealed', 'totp_key_id').optional(),
  totpSince: column.moment('totp_since').optional(),
  totpStep: column.id('totp_step'),
  linkUntil: column.moment('link_until').optional(),
  merchantId: column.id('merchant_id').optional(),
});

const link = people.pick('linkUntil').with({ linkDigest: column.bytea('link_digest').optional() });
const settings = people.pick('role', 'enabled');
const app = people.pick('totp', 'totpSince', 'totpStep');

const statements = {
  add: statement('people-add')`${people.insert()}`,
  signed: statement('people-signed', people.with({ record: recordColumns('people') }))`
    select ${COLUMNS} from people x`,
  look: statement('people-look', people)`select ${COLUMNS} from people where name = $1`,
  list: statement('people-list', people)`select ${COLUMNS} from people order by name`,
  set: statement('people-set')`update people set ${settings.equal(2, ', ')} where name = $1`,
  setPassword: statement('people-set-password')`update people set password = $2 where name = $1`,
  setApp: statement('people-set-app')`update people set ${app.equal(2, ', ')} where name = $1`,
  // The secret itself is not written again: a change of the vault's key may be sealing it anew meanwhile.
  confirmApp: statement('people-confirm-app')`
    update people set totp_since = $2, totp_step = $3
    where name = $1 and totp_sealed is not null and totp_since is null returning 1`,
  // Two requests may bring the same code at once: the step moves on once.
  takeStep: statement('people-take-step')`
    update people set totp_step = $2 where name = $1 and totp_step < $2 returning 1`,
  setLink: statement('people-set-link')`update people set ${link.equal(2, ', ')} where name = $1`,
  findLink: statement('people-find-link')`
    select 1 from people where link_digest = $1 and link_until > $2 and enabled`,
  takeLink: statement('people-take-link', people)`
    update people set link_digest = null, link_until = null
    where link_digest = $1 and link_until > $2 and enabled returning ${COLUMNS}`,
};

export type PeopleStore = ReturnType<typeof peopleStore>;

/** People whose rows are as administration and they themselves have written them. */
export async function signedPeople(session: Session, records: Records): Promise<StoredPerson[]> {
  const { good } = await records.readSigned(session, 'people', statements.signed);
  return good.map(({ record: _, ...person }) => person);
}

/** What is known of somebody who came in. */
export function personIn({ name, role, enabled, merchantId }: StoredPerson): Person {
  return { name, role, enabled, merchantId };
}

export function peopleStore(database: Database, records: Records) {
  const change = <T>(work: (session: Session) => Promise<T>) => changeRecords(database, records, work);
  return {
    add: (person: StoredPerson) =>
      change(async (session) => {
        await session.query(statements.add, people.values(person));
      }),
    /** Not if somebody else has written the row. */
    find: async (name: string) => (await signedPeople(database, records)).find((one) => one.name === name),
    /** Whoever has written the row: only to look at it. */
    look: async (name: string) => (await database.query(statements.look, [name]))[0],
    list: () => database.query(statements.list),
    set: ({ name, ...changed }: Pick<StoredPerson, 'name' | 'role' | 'enabled'>) =>
      change(async (session) => {
        await session.query(statements.set, [name, ...settings.values(changed)]);
      }),
    setPassword: (name: string, password: string | undefined) =>
      change(async (session) => {
        await session.query(statements.setPassword, [name, password ?? null]);
      }),
    setApp: (name: string, chosen: Pick<StoredPerson, 'totp' | 'totpSince' | 'totpStep'>) =>
      change(async (session) => {
        await session.query(statements.setApp, [name, ...app.values(chosen)]);
      }),
    /** From now on codes are asked for; false when there is no app that waits for it. */
    confirmApp: (name: string, { since, step }: { since: number; step: number }) =>
      change(async (session) => (await session.query(statements.confirmApp, [name, new Date(since), step])).length > 0),
    /** Whether the code of this step is used for the first time. */
    takeStep: async (name: string, step: number) =>
      (await database.query(statements.takeStep, [name, step])).length > 0,
    setLink: (name: string, given: { digest: Buffer; until: number } | undefined) =>
      change(async (session) => {
        const values = link.values({ linkDigest: given?.digest, linkUntil: given?.until });
        await session.query(statements.setLink, [name, ...values]);
      }),
    /** Uses a one-time code up; undefined when there is none of this digest any more. */
    takeLink: async (digest: Buffer, now: number) => {
      const given = [digest, new Date(now)];
      // Strangers who guess change nothing, not even the version of the configuration.
      if ((await database.query(statements.findLink, given)).length === 0) return undefined;
      return change(async (session) => (await session.query(statements.takeLink, given))[0]);
    },
  };
}
