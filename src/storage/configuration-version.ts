// The version of the configuration: every change counts it up, and nodes that see another than theirs read again.

import { present } from '../domain/present.ts';
import type { Database, Session } from './database.ts';
import { COLUMNS, column, statement } from './tables/index.ts';

/** Answers with the version, in a flight with what must be read at the same version. */
export const selectVersion = statement('configuration-version', { version: column.text('version') })`
  select ${COLUMNS} from configuration_version`;
const lock = statement('configuration-lock')`select version from configuration_version for update`;
const bump = statement('configuration-bump')`update configuration_version set version = version + 1`;

export async function configurationVersion(session: Session): Promise<string> {
  const [row] = await session.query(selectVersion);
  // The table has one row, made by a migration.
  return present(row).version;
}

/** For whoever changes what they have read: nobody else changes the configuration until the transaction is over. */
export async function lockConfiguration(session: Session): Promise<void> {
  await session.query(lock);
}

export function changeConfiguration<T>(database: Database, work: (session: Session) => Promise<T>): Promise<T> {
  return database.transaction(async (session) => {
    // First, so that two administrators queue here and the version never tells of half a change.
    await session.query(bump);
    return work(session);
  });
}
