// The passkeys of people as rows, and the challenges that were answered.

import type { Database } from '../database.ts';
import { changeRecords, type Records } from '../records/records.ts';
import { recordColumns } from '../records/signed-tables.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';

const passkeys = table('passkeys', ['credentialId'], {
  /** In base64url, as browsers write it. */
  credentialId: column.text('credential_id'),
  person: column.text('person'),
  publicKey: column.bytea('public_key'),
  counter: column.id('counter'),
  transports: column.texts('transports'),
  label: column.text('label'),
  createdAt: column.moment('created_at'),
  usedAt: column.moment('used_at').optional(),
});

export type StoredPasskey = RowOf<typeof passkeys.parts>;

const statements = {
  add: statement('passkeys-add')`${passkeys.insert()}`,
  signed: statement('passkeys-signed', passkeys.with({ record: recordColumns('passkeys') }))`
    select ${COLUMNS} from passkeys x`,
  list: statement('passkeys-list', passkeys)`
    select ${COLUMNS} from passkeys where person = $1 order by created_at, credential_id`,
  used: statement('passkeys-used')`
    update passkeys set counter = $2, used_at = $3
    where credential_id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`,
  remove: statement('passkeys-remove')`delete from passkeys where person = $1 and credential_id = $2 returning 1`,
  removeAll: statement('passkeys-remove-all')`delete from passkeys where person = $1`,
  takeChallenge: statement('passkeys-take-challenge')`
    insert into used_challenges (digest, ends_at) values ($1, $2) on conflict do nothing returning 1`,
  forget: statement('passkeys-forget-challenges')`
    delete from used_challenges where ctid = any(array(
      select ctid from used_challenges where ends_at < $1 order by ends_at limit $2 for update skip locked))
    returning 1`,
};

export type PasskeyStore = ReturnType<typeof passkeyStore>;

export function passkeyStore(database: Database, records: Records) {
  const signed = () => records.readSigned(database, 'passkeys', statements.signed);
  return {
    add: (passkey: StoredPasskey) =>
      changeRecords(database, records, async (session) => {
        await session.query(statements.add, passkeys.values(passkey));
      }),
    /** Not if somebody else has written the row. */
    find: async (credentialId: string): Promise<StoredPasskey | undefined> => {
      const found = (await signed()).good.find((one) => one.credentialId === credentialId);
      if (!found) return undefined;
      const { record: _, ...passkey } = found;
      return passkey;
    },
    /** Also one whose row somebody else has written: that must not make a password enough. */
    hasAny: async (person: string) => (await signed()).all.some((one) => one.person === person),
    list: (person: string) => database.query(statements.list, [person]),
    /** False when its counter does not go on: it was copied, or the answer was sent twice. */
    used: async ({ credentialId, counter }: Pick<StoredPasskey, 'credentialId' | 'counter'>, at: number) =>
      (await database.query(statements.used, [credentialId, counter, new Date(at)])).length > 0,
    remove: (person: string, credentialId: string) =>
      changeRecords(
        database,
        records,
        async (session) => (await session.query(statements.remove, [person, credentialId])).length > 0,
      ),
    removeAll: (person: string) =>
      changeRecords(database, records, async (session) => {
        await session.query(statements.removeAll, [person]);
      }),
    /** False when it was answered before. */
    takeChallenge: async (digest: Buffer, endsAt: number) =>
      (await database.query(statements.takeChallenge, [digest, new Date(endsAt)])).length > 0,
    forgetChallenges: async (before: number, limit: number) =>
      (await database.query(statements.forget, [new Date(before), limit])).length,
  };
}
