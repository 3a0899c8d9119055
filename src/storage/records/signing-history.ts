// Whether records may be signed as they are: only of a database that nobody uses yet, or that was never signed.

import type { Session } from '../database.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';

/** The migration since which records are signed. */
export const RECORDS_MIGRATION = '0029-record-macs';

const useExists = statement('records-use-exists', { found: column.boolean('found') })`
  select ${COLUMNS} from (
    select exists (select from merchants) or exists (select from merchant_keys) or exists (select from people)
      or exists (select from audit_log) as found) x`;

const signingExists = statement('records-signing-exists', { found: column.boolean('found') })`
  select ${COLUMNS} from (select exists (select from audit_log where action = $1) as found) x`;

/** Whether anybody has worked with the database: whoever removes its merchants does not make it new. */
export async function wasUsed(session: Session): Promise<boolean> {
  return (await session.query(useExists))[0]?.found === true;
}

/** What the audit chain says. */
export async function wasSignedBefore(session: Session, action: string): Promise<boolean> {
  return (await session.query(signingExists, [action]))[0]?.found === true;
}
