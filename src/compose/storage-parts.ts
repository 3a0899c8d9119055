// What a gateway stores: the database and vault, the live configuration, and the orders with the work due for them.

import { join } from 'node:path';
import { isValidAt } from '../domain/merchant/merchant.ts';
import { type DemoParts, demo, ensureDemo } from '../processing/node/demo.ts';
import { LiveConfiguration } from '../processing/node/live-configuration.ts';
import { hasDayLimit } from '../processing/terminals/day-uses.ts';
import { authenticationStore } from '../storage/authentications.ts';
import { configurationStore } from '../storage/configuration.ts';
import { lockConfiguration } from '../storage/configuration-version.ts';
import { sessionDatabase } from '../storage/connection/transaction.ts';
import { callbackStore } from '../storage/orders/callbacks.ts';
import { orderStore } from '../storage/orders/orders.ts';
import type { PartOptions } from './part-options.ts';
import { WriteWatch } from './readiness.ts';
import { openStore, type Store } from './store.ts';

export type StorageParts = Awaited<ReturnType<typeof openStorageParts>>;

export async function openStorageParts(options: PartOptions, callbacksAreDue: () => void) {
  const { settings, surroundings, clock, opened } = options;
  const store = await openStore(settings, surroundings);
  opened.push(() => store.close());
  const configuration = await openConfiguration(options, store);
  const { database, vault } = store;
  const writes = new WriteWatch(clock);
  const isCounted = (name: string) => configuration.terminals.some((one) => one.name === name && hasDayLimit(one));
  const stores = {
    orders: writes.over(orderStore(database, callbacksAreDue, isCounted)),
    callbacks: callbackStore(database),
    authentications: authenticationStore(database),
  };
  // Only this process can have the embedded database open, so the work of an earlier process is taken over at once.
  if (database.kind === 'pglite') for (const one of Object.values(stores)) await one.releaseLeases(clock.now());
  return { store, database, vault, configuration, stores, writes };
}

async function openConfiguration(
  { settings, clock }: PartOptions,
  { configuration: store, database, vault }: Store,
): Promise<LiveConfiguration> {
  const { dataFolder, mode } = settings;
  if (mode === 'sandbox') {
    const privateKeyPath = join(dataFolder, 'demo-private-key.pem');
    const inTransaction: DemoParts['inTransaction'] = (work) =>
      database.transaction(async (session) => {
        // Another node may be starting on the same database.
        await lockConfiguration(session);
        return work(configurationStore(sessionDatabase(database, session)));
      });
    await ensureDemo({ inTransaction, vault, privateKeyPath, now: clock.now() });
  }
  const configuration = new LiveConfiguration({ store, vault, mode, clock });
  await configuration.refresh();
  if (mode === 'production') refuseDemoKey(configuration, clock.now());
  return configuration;
}

/** Everybody knows the demo merchant's key, because the documentation shows it. */
function refuseDemoKey(configuration: LiveConfiguration, now: number): void {
  for (const { enabled, login, controlKeys } of configuration.merchants) {
    const known = controlKeys.some((one) => isValidAt(one, now) && one.key.reveal() === demo.controlKey);
    if (!enabled || !known) continue;
    throw new Error(
      `merchant ${login} has the demo key, which everybody knows; "tender merchant disable ${login}" or take a new database`,
    );
  }
}
