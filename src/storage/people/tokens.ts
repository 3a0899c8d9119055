// Personal tokens as rows: digests only, and the beginning by which their owner knows them.

import type { Person } from '../../domain/people/person.ts';
import type { PersonRole } from '../../domain/people/roles.ts';
import type { Database, Session } from '../database.ts';
import { changeRecords, type Records } from '../records/records.ts';
import { recordColumns } from '../records/signed-tables.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';
import { personIn, signedPeople } from './people.ts';

const tokens = table('person_tokens', ['tokenId'], {
  tokenId: column.text('token_id'),
  digest: column.bytea('digest'),
  person: column.text('person'),
  label: column.text('label'),
  role: column.text<PersonRole>('role').optional(),
  verbs: column.texts('verbs').optional(),
  createdAt: column.moment('created_at'),
  endsAt: column.moment('ends_at'),
  usedAt: column.moment('used_at').optional(),
  revokedAt: column.moment('revoked_at').optional(),
});

export type StoredToken = RowOf<typeof tokens.parts>;

const statements = {
  add: statement('tokens-add')`${tokens.insert()}`,
  find: statement('tokens-find', tokens.pick('tokenId'))`select ${COLUMNS} from person_tokens where digest = $1`,
  signed: statement('tokens-signed', tokens.with({ record: recordColumns('person_tokens') }))`
    select ${COLUMNS} from person_tokens x`,
  list: statement('tokens-list', tokens)`
    select ${COLUMNS} from person_tokens where $1::text is null or person = $1 order by person, created_at, token_id`,
  used: statement('tokens-used')`update person_tokens set used_at = $2 where token_id = $1`,
  revoke: statement('tokens-revoke', tokens)`
    update person_tokens set revoked_at = $3
    where token_id = $1 and ($2::text is null or person = $2) and revoked_at is null returning ${COLUMNS}`,
  revokeAll: statement('tokens-revoke-all')`
    update person_tokens set revoked_at = $2 where person = $1 and revoked_at is null`,
};

export type TokenStore = ReturnType<typeof tokenStore>;

export function tokenStore(database: Database, records: Records) {
  const change = <T>(work: (session: Session) => Promise<T>) => changeRecords(database, records, work);
  return {
    add: (token: StoredToken) =>
      change(async (session) => {
        await session.query(statements.add, tokens.values(token));
      }),
    /** With its owner as they are now; not if somebody else has written one of the two. */
    find: async (digest: Buffer): Promise<{ token: StoredToken; person: Person } | undefined> => {
      // Strangers' guesses cost one look.
      const [known] = await database.query(statements.find, [digest]);
      if (!known) return undefined;
      const { good } = await records.readSigned(database, 'person_tokens', statements.signed);
      const found = good.find(({ tokenId }) => tokenId === known.tokenId);
      const owner = found && (await signedPeople(database, records)).find(({ name }) => name === found.person);
      if (!owner) return undefined;
      const { record: _, ...token } = found;
      return { token, person: personIn(owner) };
    },
    list: (person?: string) => database.query(statements.list, [person ?? null]),
    used: async (tokenId: string, at: number) => {
      await database.query(statements.used, [tokenId, new Date(at)]);
    },
    /** Of anybody unless a person is named; undefined when there is no such token, or it was revoked before. */
    revoke: (tokenId: string, at: number, person?: string) =>
      change(async (session) => (await session.query(statements.revoke, [tokenId, person ?? null, new Date(at)]))[0]),
    revokeAll: (person: string, at: number) =>
      change(async (session) => {
        await session.query(statements.revokeAll, [person, new Date(at)]);
      }),
  };
}
