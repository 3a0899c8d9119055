// Whether records may be signed as they are: only of a database that nobody uses yet, or that was never signed.

import type { Session } from '../database.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';

/** The migration since which records are signed. */
export const RECORDS_MIGRATION = '0029-record-macs';

const merchantsExist = statement('records-merchants-exist', { found: column.boolean('found') })`
  select ${COLUMNS} from (
    select exists (select from merchants) or exists (select from merchant_keys) as found) x`;

const signingExists = statement('records-signing-exists', { found: column.boolean('found') })`
  select ${COLUMNS} from (select exists (select from audit_log where action = $1) as found) x`;

export async function hasMerchants(session: Session): Promise<boolean> {
  return (await session.query(merchantsExist))[0]?.found === true;
}

/** What the audit chain says. */
export async function wasSignedBefore(session: Session, action: string): Promise<boolean> {
  return (await session.query(signingExists, [action]))[0]?.found === true;
}
