// Personal tokens as rows: digests only, and the beginning by which their owner knows them.

import type { Person } from '../../domain/people/person.ts';
import type { PersonRole } from '../../domain/people/roles.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';

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

const withOwner = tokens.of('t').with({
  ownRole: column.text<PersonRole>('p.role'),
  enabled: column.boolean('p.enabled'),
});

const statements = {
  add: statement('tokens-add')`${tokens.insert()}`,
  find: statement('tokens-find', withOwner)`
    select ${COLUMNS} from person_tokens t join people p on p.name = t.person where t.digest = $1`,
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

export function tokenStore(database: Database) {
  return {
    add: async (token: StoredToken) => {
      await database.query(statements.add, tokens.values(token));
    },
    /** With its owner as they are now. */
    find: async (digest: Buffer): Promise<{ token: StoredToken; person: Person } | undefined> => {
      const [row] = await database.query(statements.find, [digest]);
      if (!row) return undefined;
      const { ownRole, enabled, ...token } = row;
      return { token, person: { name: token.person, role: ownRole, enabled } };
    },
    list: (person?: string) => database.query(statements.list, [person ?? null]),
    used: async (tokenId: string, at: number) => {
      await database.query(statements.used, [tokenId, new Date(at)]);
    },
    /** Of anybody unless a person is named; undefined when there is no such token, or it was revoked before. */
    revoke: async (tokenId: string, at: number, person?: string) =>
      (await database.query(statements.revoke, [tokenId, person ?? null, new Date(at)]))[0],
    revokeAll: async (person: string, at: number) => {
      await database.query(statements.revokeAll, [person, new Date(at)]);
    },
  };
}
