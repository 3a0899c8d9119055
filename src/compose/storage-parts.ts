// What a gateway stores: the database and vault, the live configuration, and the orders with the work due for them.

import { isValidAt } from '../domain/merchant/merchant.ts';
import { withOpenDetails } from '../processing/cards/secret-details.ts';
import { demo } from '../processing/node/demo.ts';
import { LiveConfiguration, type LiveConfigurationParts } from '../processing/node/live-configuration.ts';
import { digestClearMarks } from '../processing/requests/request-marks.ts';
import { hasDayLimit } from '../processing/terminals/day-uses.ts';
import { authenticationStore } from '../storage/authentications.ts';
import { isPlainElsewhere, openStandby } from '../storage/connection/postgres.ts';
import { type ReadingDatabase, readingDatabase } from '../storage/connection/reading-database.ts';
import { makeMonths, presentMonths } from '../storage/history/make-months.ts';
import { callbackStore } from '../storage/orders/callbacks.ts';
import { orderStore } from '../storage/orders/orders.ts';
import { clearMarkStore } from '../storage/requests/clear-marks.ts';
import type { Log } from '../telemetry/log.ts';
import type { PartOptions } from './part-options.ts';
import { WriteWatch } from './readiness.ts';
import { ensureDemoIn } from './sandbox/demo-merchant.ts';
import { openStore, type Store } from './store.ts';

export type StorageParts = Awaited<ReturnType<typeof openStorageParts>>;

export async function openStorageParts(options: PartOptions, callbacksAreDue: () => void) {
  const { settings, surroundings, clock, log, opened } = options;
  const store = await openStore(settings, { ...surroundings, log });
  opened.push(() => store.close());
  const addresses = [settings.databaseUrl, settings.databaseReadUrl].filter((one) => one !== undefined);
  if (settings.mode === 'production' && addresses.some(isPlainElsewhere)) {
    log.warn('the database is reached over a network without TLS; "?sslmode=verify-full" in its address demands it');
  }
  const reading = openReading(options, store);
  const configuration = await openConfiguration(options, store);
  const { database, vault } = store;
  // Before the first rows, so that they need not be moved; the months to come are made once it is served.
  await makeMonths(database, { months: presentMonths(clock.now(), 0) });
  await digestClearMarks(clearMarkStore(database), vault);
  const writes = new WriteWatch(clock);
  const isCounted = (name: string) => configuration.terminals.some((one) => one.name === name && hasDayLimit(one));
  const shards = () => configuration.shards;
  const stores = {
    orders: withOpenDetails(writes.over(orderStore(database, callbacksAreDue, isCounted, shards)), vault),
    callbacks: callbackStore(database, shards),
    authentications: authenticationStore(database, shards),
  };
  // Only this process can have the embedded database open, so the work of an earlier process is taken over at once.
  if (database.kind === 'pglite') for (const one of Object.values(stores)) await one.releaseLeases(clock.now());
  return { store, database, reading, vault, configuration, stores, writes };
}

/** The standby that is read where that may be seconds behind. */
function openReading({ settings, log, opened }: PartOptions, { database }: Store): ReadingDatabase | undefined {
  const { databaseReadUrl: url } = settings;
  if (url === undefined) return undefined;
  const reading = readingDatabase({
    primary: database,
    standby: openStandby({ url }),
    moved: (to) => {
      if (to === 'standby') log.info('lists, figures and verification are read at the standby');
      else log.warn('the standby is away or too far behind: the primary is read in its place');
    },
  });
  opened.push(() => reading.close());
  return reading;
}

async function openConfiguration({ settings, clock, log }: PartOptions, store: Store): Promise<LiveConfiguration> {
  const { mode } = settings;
  if (settings.mode === 'sandbox') await ensureDemoIn(store, settings, clock.now());
  const configuration = new LiveConfiguration({
    ...{ store: store.configuration, vault: store.vault },
    ...{ mode, clock, tellTampered: tellTampered(log) },
  });
  await configuration.refresh();
  if (mode === 'production') refuseDemoKey(configuration, clock.now());
  return configuration;
}

/** More than anybody reads in a log; "tender verify" tells all. */
const MOST_TOLD = 20;

function tellTampered(log: Log): LiveConfigurationParts['tellTampered'] {
  return (tampered) => {
    for (const { place, cause } of tampered.slice(0, MOST_TOLD)) {
      log.error('somebody has written into the database: a record is not used', { detail: `${place} ${cause}` });
    }
    if (tampered.length === 0) log.info('every record is one of the administration again');
    else log.error('records were tampered with; "tender verify" names them', { count: tampered.length });
  };
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
