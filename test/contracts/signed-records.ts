// The records of a database that has no vault: signed under a key that only tests have.

import { createHmac } from 'node:crypto';
import type { Database } from '../../src/storage/database.ts';
import { Records } from '../../src/storage/records/records.ts';

export const testRecordKey = (dataKeyId = -1) => ({
  dataKeyId,
  mac: (text: string) => createHmac('sha256', `a key of tests ${dataKeyId}`).update(text).digest(),
});

/** Signs all that is there. */
export async function signedRecords(database: Database): Promise<Records> {
  const records = new Records({ recordKey: testRecordKey() });
  await database.transaction((session) => records.signAll(session, { at: 1 }));
  return records;
}
