// What people need to come in: their stores, the vault, the metrics, and the pages at the administrators' address.

import type { Administration } from '../administration/administration.ts';
import { consolePages } from '../console/console.ts';
import { CONSOLE_FILES } from '../console/frame.ts';
import { addressesIn } from '../http/client-address.ts';
import { type PeopleAccess, peopleAccess } from '../processing/people/access.ts';
import type { SignInOutcome } from '../processing/people/people-parts.ts';
import { auditStore } from '../storage/audit.ts';
import { lockConfiguration } from '../storage/configuration-version.ts';
import { PACKAGE_ROOT } from '../storage/connection/package-root.ts';
import { sessionDatabase } from '../storage/connection/transaction.ts';
import { peopleStores } from '../storage/people/stores.ts';
import { Records } from '../storage/records/records.ts';
import { readServedFiles } from '../web/design/assets.ts';
import type { SignedInPages } from '../web/people/account-forms.ts';
import { isPeoplePath, peopleRoute } from '../web/people/people-route.ts';
import type { PartOptions } from './part-options.ts';
import type { ProcessingParts } from './processing-parts.ts';
import { type Settings, servesDocs } from './settings.ts';
import type { StorageParts } from './storage-parts.ts';

export type PeopleDoor = {
  readonly access: PeopleAccess;
  readonly origin: () => string;
  readonly pages: {
    readonly route: ReturnType<typeof peopleRoute>;
    readonly has: (path: string) => boolean;
    readonly proxies: ReturnType<typeof addressesIn>;
  };
};

type PeopleDoorParts = Pick<StorageParts['store'], 'database' | 'records' | 'vault'> & Pick<ProcessingParts, 'metrics'>;

export async function openPeople(
  { settings, surroundings, clock, log, addresses }: PartOptions,
  { database, records, vault, metrics }: PeopleDoorParts,
  port: () => number,
  administration: () => Administration,
): Promise<PeopleDoor> {
  const { mode, trustedProxies } = settings;
  const origin = () => adminOriginOf(settings, port());
  const tries = metrics.counter('tender_sign_ins_total', 'Tries of people to sign in, by outcome.', ['outcome']);
  const access = peopleAccess({
    clock,
    mode,
    log,
    passwordCost: surroundings.passwordCost,
    vault,
    // It remembers what was committed, so that nobody is let in by an older state that was put back.
    stores: peopleStores(database, new Records(vault, new Map())),
    inTransaction: async (work) => {
      // Another node may have changed the key of records, and the embedded database cannot be asked during the work.
      await vault.refresh();
      return database.transaction(async (session) => {
        // The lock comes first, as it does for administrators: so nobody waits in a circle.
        await lockConfiguration(session);
        const inside = sessionDatabase(database, session);
        return work(peopleStores(inside, records), auditStore(inside));
      });
    },
    count: (outcome: SignInOutcome) => tries.inc({ outcome }),
    origin,
  });
  const assets = await readServedFiles(PACKAGE_ROOT, CONSOLE_FILES);
  const places = {
    landing: () => `${addresses.local}/`,
    shop: () => `${addresses.base}/demo`,
    openApi: () => `${addresses.local}/openapi.json`,
    documentation: () => (servesDocs(settings) ? new URL('/docs/', addresses.base).href : undefined),
  };
  const console: SignedInPages = (...asked) =>
    consolePages({
      administration: administration(),
      assets,
      clock,
      mode,
      documentation: places.documentation(),
    })(...asked);
  const route = peopleRoute({
    access,
    assets,
    clock,
    origin,
    console,
    places: mode === 'sandbox' ? places : undefined,
  });
  const proxies = trustedProxies && addressesIn(trustedProxies);
  return { access, origin, pages: { route, has: isPeoplePath, proxies } };
}

const EVERYWHERE = ['127.0.0.1', '0.0.0.0', '::1', '::', 'localhost'];

/** The address browsers of people use: passkeys and cookies belong to it. */
export function adminOriginOf(
  { adminUrl, adminHost = '127.0.0.1', adminTlsCertificate }: Settings,
  port: number,
): string {
  if (adminUrl !== undefined) return new URL(adminUrl).origin;
  const host = EVERYWHERE.includes(adminHost) ? 'localhost' : adminHost;
  const scheme = adminTlsCertificate === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
