// Before the tests that hold databases: what new embedded databases begin from is made once, not by every worker at the
// same time.
import { ensureTemplate } from '../../src/storage/embedded/pglite.ts';

export default async function templates(): Promise<void> {
  for (const begin of ['empty', 'migrated'] as const) await ensureTemplate(begin);
}
