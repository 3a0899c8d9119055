// What a gateway serves: the interface, pages for payers and machines, and the administrator's door.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';
import { Runs } from '../administration/books/runs.ts';
import type { BankOffice } from '../administration/parts.ts';
import { isReachedFromHereOnly } from '../domain/address/public-address.ts';
import type { Clock } from '../domain/clock.ts';
import { type AdminDoorParts, startAdminDoor } from '../http/admin/admin-door.ts';
import { adminNotePath, serverNotePath } from '../http/admin/admin-note.ts';
import { Admission } from '../http/bounds/admission.ts';
import { ConnectionLimits } from '../http/bounds/connection-limits.ts';
import { ShedRequests } from '../http/bounds/shed-requests.ts';
import { addressesIn } from '../http/client-address.ts';
import type { Listening } from '../http/http-server.ts';
import { Pipe } from '../http/pipe.ts';
import { startServer } from '../http/server.ts';
import { finalRedirectFields } from '../notifications/build.ts';
import { signingKeys } from '../notifications/message.ts';
import { administrationDocument } from '../openapi/administration-document.ts';
import { operations } from '../operations/index.ts';
import { Checkout } from '../processing/checkout/checkout.ts';
import { Receipts } from '../processing/checkout/receipts.ts';
import { demo } from '../processing/node/demo.ts';
import { usesOfAll } from '../processing/requests/key-uses.ts';
import { keyMarks } from '../processing/requests/request-marks.ts';
import { partialAtOf } from '../processing/terminals/terminal.ts';
import { PayerAuthentication } from '../processing/three-d-secure/payer-authentication.ts';
import { databasePlace } from '../storage/connection/database-place.ts';
import { PACKAGE_ROOT, PACKAGE_VERSION } from '../storage/connection/package-root.ts';
import { ownIdentity } from '../storage/embedded/process-identity.ts';
import { lookStore } from '../storage/looks.ts';
import { receiptStore } from '../storage/orders/receipts.ts';
import { signedOrderStore } from '../storage/orders/signed-orders.ts';
import { textOfAll } from '../telemetry/summed-figures.ts';
import { PUBLISHED_CARDS } from '../threeds/index.ts';
import { challengeRoute } from '../web/bank/challenge-route.ts';
import { bankNoticeRoute } from '../web/bank/notice-route.ts';
import { checkoutRoute } from '../web/checkout/checkout.ts';
import { receiptRoute } from '../web/checkout/receipt-page.ts';
import { demoShopRoute } from '../web/demo/demo-shop.ts';
import { LANDING_FILES } from '../web/demo/landing-page.ts';
import { type Assets, assetRoute, readAssets, readServedFiles } from '../web/design/assets.ts';
import type { WebRoute } from '../web/route.ts';
import { type IssuerPages, issuersRoute } from '../web/three-d-secure/issuers-route.ts';
import { threeDSecureRoute } from '../web/three-d-secure/route.ts';
import { administrationOf } from './administration.ts';
import { watchAdmission, watchConnections } from './figures.ts';
import { installationOffice } from './installation.ts';
import { adminPagesOf, pagesOf } from './pages.ts';
import type { PartOptions } from './part-options.ts';
import { openPeople } from './people.ts';
import type { ProcessingParts } from './processing-parts.ts';
import { readinessOf } from './readiness.ts';
import { servesDocumentation } from './sandbox/documentation.ts';
import { servesLanding } from './sandbox/landing.ts';
import { openSandboxClock } from './sandbox/open-clock.ts';
import { type NetworkFaultsOffice, sandboxOffice } from './sandbox/sandbox-office.ts';
import { trialOffice } from './sandbox/trial.ts';
import { servedTls } from './served-tls.ts';
import { connectionBoundsOf, mostWaitMsOf } from './settings.ts';
import type { StorageParts } from './storage-parts.ts';

type Served = {
  readonly storage: StorageParts;
  readonly processing: ProcessingParts;
  readonly issuers: IssuerPages | undefined;
  readonly leaving: AbortSignal;
};

/** Starts to answer merchants; `leaving` makes load balancers stop sending requests. */
export async function openServer(
  options: PartOptions,
  { storage, processing, issuers, leaving }: Served,
): Promise<Listening & { readonly shed: ShedRequests; readonly pages: AdminDoorParts['figures'] }> {
  const { settings, clock, log, addresses, opened } = options;
  const { mode } = settings;
  const { database, configuration, vault } = storage;
  const { gateway, journal, keyUses, metrics, nonces, presence, strangers } = processing;
  const baseUrl = () => addresses.base;
  const ask = () => database.query({ name: 'ready', text: 'select 1' });
  const whyNotReady = readinessOf({ ...storage, clock, stopping: leaving, ask, write: () => presence.say() });
  const hasTampered = () => configuration.tampered.length > 0;
  const assets = await readAssets(PACKAGE_ROOT);
  const own = mode === 'sandbox' ? await readServedFiles(PACKAGE_ROOT, LANDING_FILES) : undefined;
  const page = own && servesLanding(options, { assets: { ...assets, ...own }, configuration, whyNotReady });
  const landing = page && { basePath: addresses.basePath, page };
  const documentation = servesDocumentation(options, configuration);
  const { crew } = options.surroundings;
  crew?.answers('figures', () => metrics.figures());
  crew?.answers('keyUses', () => keyUses.told());
  const figures = async () => (crew ? textOfAll(await crew.ask('figures')) : metrics.text());
  const { contentType } = metrics;
  const pageParts = {
    ...{ mode, baseUrl, whyNotReady, hasTampered, landing, documentation },
    figures: async () => ({ contentType, body: await figures() }),
  };
  const pages = pagesOf(pageParts);
  const signedOrders = signedOrderStore(database);
  const keyMark = keyMarks(vault);
  const announced = () => addresses.announced;
  const publishedCards = settings.mode === 'sandbox' ? PUBLISHED_CARDS : new Set<string>();
  const signing = { nonces, baseUrl: announced, signedOrders, publishedCards };
  const admission = new Admission(mostWaitMsOf(settings));
  watchAdmission(metrics, admission);
  const shed = new ShedRequests({ clock, tell: (told) => log.warn('requests were refused in overload', told) });
  const pipe = new Pipe({ admission, shed, clock, configuration, gateway, keyMark, keyUses, log, ...signing });
  const files = new Map([...assets.files, ...(own?.files ?? [])]);
  const routes = [
    ...browserRoutes(options, { storage, processing, issuers }, { ...assets, files }),
    ...(documentation ? [documentation.route] : []),
  ];
  const proxies = settings.trustedProxies && addressesIn(settings.trustedProxies);
  const tls = await servedTls(options, 'interface', metrics);
  const connections = new ConnectionLimits(connectionBoundsOf(settings), proxies);
  watchConnections(metrics, connections);
  const server = await startServer(
    {
      connections,
      clock,
      journal,
      log,
      metrics,
      operations,
      pages,
      basePath: addresses.basePath,
      pipe,
      routes,
      proxies,
      strangers,
      tells: settings.requestLog ? (fields) => log.info('request', fields) : undefined,
      tracing: options.surroundings.tracing,
      tls,
      watches: options.watches,
      errorPages: mode === 'sandbox' && documentation ? '/docs/reference/errors/' : undefined,
      answering: addresses.followsCallers ? (origin, work) => addresses.answering(origin, work) : undefined,
    },
    { host: settings.host, port: settings.port, isShared: true },
  );
  opened.push(() => server.close());
  addresses.listensOn(server.port);
  if (mode === 'sandbox' && !isReachedFromHereOnly(settings.host)) {
    log.warn('others reach this sandbox: they may use its demo merchant, whose keys everybody knows', {
      address: settings.host,
    });
  }
  return { ...server, shed, pages: adminPagesOf(pageParts) };
}

function browserRoutes(
  { settings, clock, log, addresses }: PartOptions,
  { storage: { database, configuration }, processing, issuers }: Omit<Served, 'leaving'>,
  assets: Assets,
): readonly WebRoute[] {
  const { basePath } = addresses;
  const baseUrl = () => addresses.base;
  const origin = () => new URL(addresses.base).origin;
  const merchant = { login: demo.login, key: demo.controlKey };
  const asReached = (url: string) => addresses.asReached(url);
  const shop = {
    assets,
    basePath,
    baseUrl,
    api: () => addresses.localBase,
    asReached,
    merchant,
    now: () => clock.now(),
  };
  const checkout = checkoutOf(processing);
  const payers = new PayerAuthentication(processing.authentications);
  const unheard = seldom(clock, (detail: string) =>
    log.warn('a result of 3-D Secure was refused: --results-subject does not name who sent it', { detail }),
  );
  const { resultsSubject: resultsFrom } = settings;
  return [
    ...(settings.mode === 'sandbox' ? [demoShopRoute(shop)] : []),
    ...(issuers ? [issuersRoute(issuers)] : []),
    threeDSecureRoute({ payers, checkout, assets, basePath, baseUrl, resultsFrom, unheard }),
    challengeRoute({ checkout, questions: processing.questions, assets, basePath }),
    bankNoticeRoute(processing.bankNotices),
    checkoutRoute({ checkout, clock, assets, basePath, origin }),
    receiptRoute({ receipts: new Receipts({ ...processing, receipts: receiptStore(database) }), assets, basePath }),
    assetRoute({ assets, look: (id) => configuration.look(id), logo: lookStore(database).logo }),
  ];
}

const SELDOM_MS = 60_000;

/** Strangers must not fill the log: of all within a minute, the first is told. */
function seldom<T>(clock: Clock, tell: (about: T) => void): (about: T) => void {
  let nextAt = 0;
  return (about) => {
    const now = clock.now();
    if (now < nextAt) return;
    nextAt = now + SELDOM_MS;
    tell(about);
  };
}

function checkoutOf(processing: ProcessingParts): Checkout {
  return new Checkout({
    gateway: processing,
    links: processing.links,
    planReceipt: processing.receiptMails?.plan,
    redirectFields: (told, merchant) => {
      const [key] = signingKeys(merchant, processing.clock.now());
      return key && finalRedirectFields(told, key, partialAtOf(processing.terminals));
    },
  });
}

/** A snapshot of this process's memory, for its own user only; never over a file that is there. */
async function writeMemory(path: string): Promise<void> {
  await writeFile(path, '', { mode: 0o600, flag: 'wx' });
  writeHeapSnapshot(path);
}

type AdminDoorAround = {
  readonly storage: StorageParts;
  readonly processing: ProcessingParts;
  readonly bankOffice: BankOffice;
  readonly networkFaults: NetworkFaultsOffice;
  readonly pages: AdminDoorParts['figures'];
};

export type AdminDoorOpened = Awaited<ReturnType<typeof openAdminDoor>>;

/** Opens the administrators' door, with the pages of people and the changes of keys that are ordered through it. */
export async function openAdminDoor(options: PartOptions, around: AdminDoorAround) {
  const { storage, processing, bankOffice, networkFaults, pages } = around;
  const { settings, surroundings, clock, log } = options;
  const { dataFolder, databaseUrl } = settings;
  const { crew } = surroundings;
  const { store, database, reading, configuration } = storage;
  let port = settings.adminPort ?? 0;
  const peopleParts = { ...store, metrics: processing.metrics };
  const people = await openPeople(
    options,
    peopleParts,
    () => port,
    () => administration,
  );
  const failed = (error: unknown) => log.error('work in the background failed', { error });
  const runs = new Runs({ clock, failed });
  const sandboxClock = openSandboxClock(options, { storage, processing });
  const { administration, ...rotations } = administrationOf(store, {
    ...settings,
    adminOrigin: people.origin,
    bank: bankOffice,
    reading,
    installation: installationOffice(settings, database, options.addresses),
    copyDatabase: database.copyTo && ((name: string) => database.copyTo!(join(dataFolder, name))),
    writeHeap: (name: string) => writeMemory(join(dataFolder, name)),
    money: processing.gateway.money,
    runs,
    sandbox: sandboxOffice(options, { ...processing, configuration, networkFaults, sandboxClock }),
    keyUses: async () => usesOfAll(crew ? await crew.ask('keyUses') : [processing.keyUses.told()]),
    routeOffice: processing.routing,
    terminalOffice: processing.terminals,
    trial: trialOffice(options, storage, processing),
    connectors: surroundings.connectors,
    clock,
    log,
    changed: () => configuration.refresh(),
  });
  const path = adminNotePath(dataFolder);
  const place = databasePlace(databaseUrl);
  if (databaseUrl !== undefined) await writeFile(serverNotePath(dataFolder), `${place}\n`, { mode: 0o600 });
  const identity = await ownIdentity();
  const door = await startAdminDoor({
    administration,
    document: administrationDocument({ version: PACKAGE_VERSION }),
    log,
    path,
    database: place,
    identity,
    token: crew?.adminToken,
    at: { host: settings.adminHost, port: settings.adminPort, isShared: true },
    tls: await servedTls(options, 'administrators', processing.metrics),
    figures: pages,
    people,
  });
  port = door.port;
  options.addresses.adminListensOn(port);
  return { door, rotations, people, runs, sandboxClock };
}
