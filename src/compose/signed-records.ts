// Brings the schema up to date and sees to it that records are signed. They are signed as they are when the database is
// new, and once when a gateway from before is upgraded; afterwards only administration signs. That there is a key for
// records, and what the audit chain says, keeps anybody from having it done again.

import type { RecordOffice } from '../administration/parts.ts';
import type { Clock } from '../domain/clock.ts';
import { TamperedRecords } from '../domain/records.ts';
import { auditStore } from '../storage/audit.ts';
import { lockConfiguration } from '../storage/configuration-version.ts';
import {
  MIGRATIONS_FOLDER,
  migrate,
  migrateWithin,
  schemaState,
  type TellsMigration,
} from '../storage/connection/migrate.ts';
import { sessionDatabase } from '../storage/connection/transaction.ts';
import type { Database, Session } from '../storage/database.ts';
import { keyStore } from '../storage/keys/data-keys.ts';
import { type LookedAt, Records } from '../storage/records/records.ts';
import { RECORDS_MIGRATION, wasSignedBefore, wasUsed } from '../storage/records/signing-history.ts';
import type { Log } from '../telemetry/log.ts';
import type { Vault } from '../vault/vault.ts';

const SIGN_ACTION = 'signRecords';

/** The number of the migration before the one since which records are signed. */
const LAST_UNSIGNED = Number.parseInt(RECORDS_MIGRATION, 10) - 1;

type NewRecordKey = Awaited<ReturnType<Vault['newRecordKey']>>;

export type SigningOptions = {
  readonly database: Database;
  readonly openVault: () => Promise<Vault>;
  readonly clock: Clock;
  readonly log: Log;
  /** Of an import: whoever has its key file vouches for rows from before records were signed. */
  readonly vouches?: boolean | undefined;
  /** Told of each migration of a database that is not new. */
  readonly tellMigration?: TellsMigration | undefined;
};

/**
 * The migrations since records are signed and the signing are one transaction: whatever ends a process in between, the
 * next one finds either the gateway of before or an upgraded one. The vault opens before, so that a key that is missing
 * is told while nothing is changed yet that the signing is about.
 */
export async function openSigned(options: SigningOptions): Promise<{ vault: Vault; records: Records }> {
  const { database, openVault, log } = options;
  const isFirst = (await schemaState(database)).applied.length === 0;
  const tell = isFirst ? undefined : options.tellMigration;
  await migrate(database, MIGRATIONS_FOLDER, { upTo: LAST_UNSIGNED, tell });
  const { missing } = await schemaState(database);
  const vault = await openVault();
  const records = new Records(vault);
  if (missing.length === 0 && vault.recordKey) return { vault, records };
  const made = vault.recordKey ? undefined : await vault.newRecordKey();
  const signed = await inLockedTransaction(database, (session) =>
    migrateAndSign(options, session, { records, isFirst, made }),
  );
  if (signed !== undefined) {
    log.warn('records were signed as they are at this upgrade; look once whether all of them are yours', {
      count: signed,
    });
  }
  if (made) await vault.refresh();
  if (!vault.recordKey) {
    log.error('no record of this database is signed, so none is used; "tender record sign" signs them as they are');
  }
  return { vault, records };
}

type Signing = {
  readonly records: Records;
  /** The database had no schema at all. */
  readonly isFirst: boolean;
  /** A key for records, where the vault has none yet. */
  readonly made: NewRecordKey | undefined;
};

/** How many records of an earlier gateway were signed; undefined when none were. */
async function migrateAndSign(
  options: SigningOptions,
  session: Session,
  { records, isFirst, made }: Signing,
): Promise<number | undefined> {
  // A migration may change what rows say, so they are judged before it.
  const before = made ? undefined : await records.look(session, { migrating: true });
  const migrated = await migrateWithin(session, isFirst ? undefined : options.tellMigration);
  if (!made) return migrated.length === 0 ? undefined : signAgain(options, session, { records, before });
  const isUpgrade = options.vouches === true || (!isFirst && migrated.includes(RECORDS_MIGRATION));
  return signFirst(options, session, { records, made, isUpgrade });
}

/** After a migration: what was right before is signed as it is now. */
async function signAgain(
  options: SigningOptions,
  session: Session,
  { records, before }: { records: Records; before: ReadonlyMap<string, LookedAt> | undefined },
): Promise<number> {
  const signed = await records.signAll(session, { at: options.clock.now(), before });
  await note(options, session, signed);
  return signed;
}

type FirstSigning = { readonly records: Records; readonly made: NewRecordKey; readonly isUpgrade: boolean };

/** Signs all records unless that is not ours to do. */
async function signFirst(
  options: SigningOptions,
  session: Session,
  { records, made: { key, wrapped }, isUpgrade }: FirstSigning,
): Promise<number | undefined> {
  const keys = keyStore(sessionDatabase(options.database, session));
  // Another node may have been quicker.
  if ((await keys.list()).some(({ purpose }) => purpose === 'records')) return undefined;
  const isNew = !(await wasUsed(session));
  if (!isNew && (!isUpgrade || (await wasSignedBefore(session, SIGN_ACTION)))) return undefined;
  await keys.add(wrapped);
  const signed = await records.signAll(session, { at: options.clock.now(), key });
  if (isNew) return undefined;
  await note(options, session, signed);
  return signed;
}

async function note({ database, clock }: SigningOptions, session: Session, signed: number): Promise<void> {
  const who = 'tender at the upgrade';
  const entry = { who, action: SIGN_ACTION, subject: 'records', details: JSON.stringify({ signed }) };
  await auditStore(sessionDatabase(database, session)).append(entry, clock.now());
}

function inLockedTransaction<T>(database: Database, work: (session: Session) => Promise<T>): Promise<T> {
  return database.transaction(async (session) => {
    await lockConfiguration(session);
    return work(session);
  });
}

/** What an administrator can do about records, on the database or in one transaction on it. */
export function recordOffice(database: Database, { clock, records, vault }: RecordOfficeParts): RecordOffice {
  const keys = keyStore(database);
  return {
    look: () => database.transaction((session) => records.lookForTampering(session)),
    /** Signs all of them as they are, also where nothing was signed before. */
    signAll: () =>
      database.transaction(async (session) => {
        const made = vault.recordKey ? undefined : await vault.newRecordKey();
        if (made) await keys.add(made.wrapped);
        return records.signAll(session, { at: clock.now(), key: made?.key });
      }),
    /** All under a new key, at once: the old key counts for nothing afterwards. Nothing that is wrong may be left. */
    rotateKey: () =>
      database.transaction(async (session) => {
        const [first] = (await records.lookForTampering(session)).tampered;
        if (first)
          throw new TamperedRecords(`${first.place} ${first.cause}; nothing is signed anew until that is settled`);
        const old = (await keys.list()).filter(({ purpose }) => purpose === 'records');
        const { key, wrapped } = await vault.newRecordKey();
        await keys.add(wrapped);
        const signed = await records.signAll(session, { at: clock.now(), key });
        for (const { dataKeyId } of old) await keys.remove(dataKeyId);
        return { dataKeyId: key.dataKeyId, signed };
      }),
  };
}

type RecordOfficeParts = { readonly clock: Clock; readonly records: Records; readonly vault: Vault };
