// Before the tests that hold databases: what new embedded databases begin from is made once, not by every worker at the
// same time; after them, what the gateways of scenarios began from is taken away.
import { ensureTemplate } from '../../src/storage/embedded/pglite.ts';
import { dropDatabase, provideTemplate } from '../contracts/databases.ts';
import { seededDatabase } from '../seeded.ts';

export default async function templates(): Promise<() => Promise<void>> {
  for (const begin of ['empty', 'migrated'] as const) await ensureTemplate(begin);
  const template = await provideTemplate();
  return async () => {
    const name = await seededDatabase();
    if (name !== undefined) await dropDatabase(name);
    await template?.drop();
  };
}
