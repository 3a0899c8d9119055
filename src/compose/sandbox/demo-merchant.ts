// The demo merchant of a sandbox in its database, made by whoever opens that first.

import { join } from 'node:path';
import { type DemoParts, ensureDemo } from '../../processing/node/demo.ts';
import { configurationStore } from '../../storage/configuration.ts';
import { lockConfiguration } from '../../storage/configuration-version.ts';
import { sessionDatabase } from '../../storage/connection/transaction.ts';
import type { Settings } from '../settings.ts';
import type { Store } from '../store.ts';

export async function ensureDemoIn(
  { database, records, vault }: Store,
  { dataFolder }: Settings,
  now: number,
): Promise<void> {
  const inTransaction: DemoParts['inTransaction'] = (work) =>
    database.transaction(async (session) => {
      // Another node may be starting on the same database.
      await lockConfiguration(session);
      return work(configurationStore(sessionDatabase(database, session), records));
    });
  await ensureDemo({ inTransaction, vault, privateKeyPath: join(dataFolder, 'demo-private-key.pem'), now });
}
