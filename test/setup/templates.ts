// Before the tests that hold databases: what new embedded databases begin from is made once, not by every worker at the same time.
import { openDatabase } from '../../src/storage/connection/open-database.ts';

export default async function templates(): Promise<void> {
  for (const begin of ['empty', 'migrated'] as const) await (await openDatabase({ begin })).close();
}
