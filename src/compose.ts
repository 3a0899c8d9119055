// Puts the parts together: the only file that knows everybody. A gateway is opened, runs, and is closed in order,
// so that whatever was promised is finished or left to its lease.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type Bank,
  type BookEntry,
  bankFaults,
  type CutOff,
  clearBank,
  type Faults,
  openAcquirer,
  openBank,
  type RunningBank,
  readBooks,
  readFaults,
  readSettlement,
  type SimulatorSettings,
  settlementFile,
  startBank,
  writeEntry,
} from './acquirers/index.ts';
import { type Clock, systemClock } from './domain/clock.ts';
import { type Endpoint, isValidAt } from './domain/merchant.ts';
import { startAdminDoor } from './http/admin-door.ts';
import { Pipe } from './http/pipe.ts';
import { type Page, startServer } from './http/server.ts';
import { finalRedirectFields } from './notifications/build.ts';
import { CallbackClient, type Resolve, TIMEOUTS } from './notifications/client.ts';
import { Deliveries } from './notifications/deliveries.ts';
import { signingKeys } from './notifications/message.ts';
import { openApiDocument } from './openapi/document.ts';
import { operations } from './operations/index.ts';
import type { AnyOperation } from './operations/operation.ts';
import type { BankOffice } from './processing/administration/bank.ts';
import type { PayoutOffice } from './processing/administration/payouts.ts';
import { type AdministrationParts, type AdministrationStores, administration } from './processing/administration.ts';
import { Checkout } from './processing/checkout.ts';
import { ControlReadings } from './processing/control-readings.ts';
import { demo, ensureDemo } from './processing/demo.ts';
import { Directory } from './processing/directory.ts';
import { Door } from './processing/door.ts';
import { FormCards } from './processing/form-cards.ts';
import { Gateway } from './processing/gateway.ts';
import { Journal } from './processing/journal.ts';
import { KeyRotation } from './processing/key-rotation.ts';
import { MaterialsStore } from './processing/materials.ts';
import { type LimitMode, NetworkLimits } from './processing/network-limits.ts';
import { NodeLease } from './processing/node-lease.ts';
import { Nonces } from './processing/nonces.ts';
import { PayerLinks } from './processing/payer-links.ts';
import { payerPages } from './processing/payer-pages.ts';
import { RecurringWork } from './processing/recurring.ts';
import { Screening } from './processing/screening.ts';
import { Authentications } from './processing/three-d-secure/authentications.ts';
import { CardRangeBook } from './processing/three-d-secure/card-range-book.ts';
import { PayerAuthentication } from './processing/three-d-secure/payer-authentication.ts';
import { Work } from './processing/work.ts';
import { auditStore } from './storage/audit.ts';
import { authenticationStore } from './storage/authentications.ts';
import { callbackStore } from './storage/callbacks.ts';
import { cardAttemptStore } from './storage/card-attempts.ts';
import { cardReferenceStore } from './storage/card-references.ts';
import { configurationStore } from './storage/configuration.ts';
import { controlMemory } from './storage/control-readings.ts';
import { dataKeyUse, keyStore } from './storage/data-keys.ts';
import type { Database } from './storage/database.ts';
import { databasePlace } from './storage/database-place.ts';
import { formStore } from './storage/forms.ts';
import { instructionStore } from './storage/instructions.ts';
import { journalStore } from './storage/journal.ts';
import { takeLock } from './storage/lock-file.ts';
import { lookStore } from './storage/looks.ts';
import { startMaintenance } from './storage/maintenance.ts';
import { migrate } from './storage/migrate.ts';
import { nodeStore } from './storage/nodes.ts';
import { nonceStore } from './storage/oauth-nonces.ts';
import { openDatabase } from './storage/open-database.ts';
import { orderStore } from './storage/orders.ts';
import { PACKAGE_ROOT } from './storage/package-root.ts';
import { recurringStore } from './storage/recurring.ts';
import { screeningStore } from './storage/screening.ts';
import { screeningRuleStore } from './storage/screening-rules.ts';
import { sessionDatabase } from './storage/session-database.ts';
import { type UnfinishedStore, unfinishedStore } from './storage/unfinished.ts';
import { verificationStore } from './storage/verification.ts';
import type { Log } from './telemetry/log.ts';
import { Metrics } from './telemetry/metrics.ts';
import { httpDirectory, startNetworks } from './threeds/index.ts';
import { KeyFileError, openKeyFile } from './vault/key-file.ts';
import { Vault } from './vault/vault.ts';
import { checkoutRoute } from './web/checkout/checkout.ts';
import { demoShopRoute } from './web/demo/demo-shop.ts';
import { assetRoute, readAssets } from './web/design/assets.ts';
import type { WebRoute } from './web/route.ts';
import { threeDSecureRoute } from './web/three-d-secure/route.ts';

export { databasePlace } from './storage/database-place.ts';
export { PACKAGE_ROOT } from './storage/package-root.ts';

/** How long a crashed node's transactions stay its own: longer than the acquirer's time-out and a slow commit. */
const LEASE_MS = 45_000;

/** How long a preauthorisation holds its money. */
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

/** How long old data keys are kept: longer than any node's poll and its longest commit together. */
const KEY_GRACE_MS = 60_000;

/** How long the bank may take to answer a payment. */
const ACQUIRER_TIMEOUT_MS = 30_000;

/** How long a stop waits for what is in flight; the rest is left to leases. */
const DRAIN_MS = 35_000;

/** Commits under way at the same time: a server can overlap them, the embedded database is one session. */
const LANES = { postgres: 1, pglite: 1 } as const;

/** Orders that limits may stop, each a transaction of its own. */
const SCREENING_LANES = { postgres: 4, pglite: 1 } as const;

export type Settings = {
  readonly mode: 'sandbox' | 'production';
  readonly host: string;
  readonly port: number;
  /** The public address of the interface, when a proxy stands in front. */
  readonly baseUrl?: string | undefined;
  readonly dataFolder: string;
  readonly databaseUrl?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The simulated bank's process; without it the bank runs inside this one. */
  readonly bankUrl?: string | undefined;
  /** The 3-D Secure directory server; without it a sandbox runs simulated networks inside this process. */
  readonly networksUrl?: string | undefined;
  /** When the simulated bank ends its day, UTC; `never` leaves it to the command. */
  readonly bankCutOff?: CutOff | undefined;
  /** How the simulated bank inside misbehaves from the start. */
  readonly bankFaults?: Partial<Faults> | undefined;
  /** Whether the card networks' limits on trying a card again are kept; they are unless switched off. */
  readonly networkLimits?: LimitMode | undefined;
  readonly leaseMs?: number | undefined;
  readonly acquirerTimeoutMs?: number | undefined;
  /** How long a merchant may take to answer a callback. */
  readonly callbackTimeoutMs?: number | undefined;
  /** How long old data keys are kept after a rotation. */
  readonly keyGraceMs?: number | undefined;
};

export type Surroundings = {
  readonly log: Log;
  readonly clock?: Clock;
  /** Looks up the names callbacks go to; the system's name servers unless given. */
  readonly resolve?: Resolve;
  /** The embedded database died: the process must end, the next start recovers. */
  readonly onFatal?: (error: Error) => void;
};

export type RunningGateway = {
  readonly baseUrl: string;
  /** Where health, metrics and the OpenAPI document are, without a proxy. */
  readonly localUrl: string;
  readonly port: number;
  readonly store: Store;
  readonly directory: Directory;
  close(): Promise<void>;
};

/** The stores and the vault on one database: what commands need when no gateway runs. */
export type Store = {
  readonly database: Database;
  readonly vault: Vault;
  readonly configuration: ReturnType<typeof configurationStore>;
  close(): Promise<void>;
};

/** A key file for production, which names its own; one that exists is never touched. */
export async function createKeyFile(path: string): Promise<void> {
  if (existsSync(path)) throw new KeyFileError(`${path} exists already; a key file is never overwritten`);
  await openKeyFile(path, { create: true });
}

export async function openStore(settings: Settings, { onFatal }: Pick<Surroundings, 'onFatal'> = {}): Promise<Store> {
  const { dataFolder, databaseUrl, keyFile, mode } = settings;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const provider = await openKeyFile(keyFile ?? join(dataFolder, 'key-encryption-keys'), {
    create: mode === 'sandbox',
  });
  const database = await openDatabase({ url: databaseUrl, dataFolder: join(dataFolder, 'database'), onFatal });
  try {
    await migrate(database);
    const vault = await Vault.open(keyStore(database), provider);
    const configuration = configurationStore(database);
    return { database, vault, configuration, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What an administrator can do with a store; `changed` makes a running gateway use it. */
export function administrationOf(
  store: Store,
  {
    mode,
    keyGraceMs = KEY_GRACE_MS,
    leaseMs = LEASE_MS,
    bank,
    copyDatabase,
    payouts,
    clock,
    changed,
  }: AdministrationOptions,
) {
  const { database, vault } = store;
  const rotation = new KeyRotation({ clock, vault, graceMs: keyGraceMs });
  const storesOn = (on: Database) => administrationStores(on, { clock, leaseMs });
  const asked: AdministrationParts = {
    ...storesOn(database),
    bank,
    clock,
    copyDatabase,
    dataKeyUse: () => dataKeyUse(database),
    instructions: instructionStore(database),
    leaseMs,
    verification: verificationStore(database),
    inTransaction: (work) => database.transaction((session) => work(storesOn(sessionDatabase(database, session)))),
    mode,
    payouts,
    rotation,
    vault,
    vocabulary,
    changed,
  };
  return { administration: administration(asked), rotation };
}

function administrationStores(
  database: Database,
  { clock, leaseMs }: { clock: Clock; leaseMs: number },
): AdministrationStores {
  const orders = orderStore(database);
  return {
    audit: auditStore(database),
    callbacks: callbackStore(database),
    cardReferences: cardReferenceStore(database),
    configuration: configurationStore(database),
    looks: lookStore(database),
    door: new Door({ store: orders, clock, leaseMs, holdMs: HOLD_MS, lanes: 1 }),
    orders,
    recurring: recurringStore(database),
    rules: screeningRuleStore(database),
    unfinished: unfinishedStore(database),
  };
}

type AdministrationOptions = Pick<Settings, 'mode' | 'keyGraceMs' | 'leaseMs'> & {
  /** The bank of a running gateway. */
  readonly bank?: BankOffice;
  /** A copy of a running gateway's embedded database. */
  readonly copyDatabase?: ((name: string) => Promise<void>) | undefined;
  readonly payouts?: PayoutOffice;
  readonly clock: Clock;
  readonly changed: () => Promise<void>;
};

const vocabulary = {
  operations: operations.map((operation) => operation.name),
  fields: optionalFields(operations),
};

function optionalFields(all: readonly AnyOperation[]): string[] {
  const fields = all.flatMap((operation) => Object.values(operation.request.fields));
  return [...new Set(fields.filter((field) => !field.required).map((field) => field.wire))].sort();
}

/** Closes one of the parts that were opened so far. */
type Undo = () => Promise<unknown>;

export async function startGateway(settings: Settings, surroundings: Surroundings): Promise<RunningGateway> {
  const opened: Undo[] = [];
  try {
    return await openGateway(settings, surroundings, opened);
  } catch (error) {
    for (const undo of opened.reverse()) await undo().catch(() => {});
    throw error;
  }
}

async function openGateway(settings: Settings, surroundings: Surroundings, opened: Undo[]): Promise<RunningGateway> {
  const { log, clock = systemClock } = surroundings;
  const { dataFolder, mode, leaseMs = LEASE_MS, acquirerTimeoutMs = ACQUIRER_TIMEOUT_MS } = settings;
  if (leaseMs <= acquirerTimeoutMs) {
    throw new Error(`the lease of ${leaseMs} ms must be longer than the bank's time-out of ${acquirerTimeoutMs} ms`);
  }
  const store = await openStore(settings, surroundings);
  opened.push(() => store.close());
  const { configuration, database, vault } = store;
  if (mode === 'sandbox') {
    const privateKeyPath = join(dataFolder, 'demo-private-key.pem');
    await ensureDemo({ configuration, vault, privateKeyPath, now: clock.now() });
  }
  const directory = new Directory(configuration, vault);
  await directory.refresh();
  if (mode === 'production') refuseDemoKey(directory, clock.now());
  const bank = await openBankOf(settings, clock);
  opened.push(() => bank.close());
  const simulator = bankSettings(settings, bank);
  const acquirer = await openAcquirer({ simulator }, { clock, takeLock });
  opened.push(() => acquirer.close());
  const instance = randomUUID();
  const lease = await NodeLease.take(nodeStore(database), clock, instance);
  opened.push(() => lease.release());

  const callbacks = callbackStore(database);
  const orders = orderStore(database, () => deliveries.wake());
  // Nobody else can have the embedded database open: what an earlier process left is taken over at once.
  if (database.kind === 'pglite') {
    await orders.releaseLeases(clock.now());
    await callbacks.releaseLeases(clock.now());
  }
  const door = new Door({ store: orders, clock, leaseMs, holdMs: HOLD_MS, lanes: LANES[database.kind] });
  const authenticationsStore = authenticationStore(database);
  if (database.kind === 'pglite') await authenticationsStore.releaseLeases(clock.now());
  const materials = new MaterialsStore(orders, vault, directory, authenticationsStore);
  const work = new Work({ acquirer, clock, door, instance, leaseMs, log, materials, store: orders });
  let baseUrl = publicBaseUrl(settings);
  const links = new PayerLinks(vault);
  const networks = await openNetworks(settings, clock);
  opened.push(() => networks.close());
  const authentications = new Authentications({
    baseUrl: () => baseUrl,
    clock,
    directory,
    door,
    leaseMs,
    links,
    log,
    materials,
    networks: networks.server && { server: networks.server, ranges: new CardRangeBook(networks.server, clock) },
    orders,
    store: authenticationsStore,
    vault,
    work,
  });
  const controls = new ControlReadings(controlMemory(database), clock);
  const nonces = new Nonces(nonceStore(database), clock);
  const { ids } = lease;
  const cardReferences = cardReferenceStore(database);
  const screening = new Screening({
    store: screeningStore(database),
    orders,
    clock,
    vault,
    materials,
    lanes: SCREENING_LANES[database.kind],
  });
  const callbackPolicy = (endpoint: Endpoint | undefined) => ({
    loopback: mode === 'sandbox' && endpoint?.sandbox === true,
  });
  const parts = {
    authentications,
    callbackPolicy,
    cardReferences,
    clock,
    controls,
    directory,
    door,
    forms: formStore(database),
    ids,
    instance,
    limits: new NetworkLimits(cardAttemptStore(database), clock, settings.networkLimits),
    materials,
    payerPages: payerPages(links, () => baseUrl),
    recurring: recurringStore(database),
    screening,
    store: orders,
    vault,
    work,
  };
  const gateway = new Gateway(parts);
  const formCards = new FormCards(parts, { lanes: SCREENING_LANES[database.kind] });
  const recurring = new RecurringWork(parts, log);
  const journal = new Journal(journalStore(database), clock, log);
  const metrics = new Metrics();
  const attempts = metrics.counter('tender_callback_attempts_total', 'Tries to call a merchant, by outcome.', [
    'outcome',
  ]);
  const deliveries = new Deliveries({
    callbacks,
    client: callbackClient(settings, surroundings),
    clock,
    directory,
    instance,
    leaseMs,
    log,
    orders,
    policy: callbackPolicy,
    random: Math.random,
    tried: (outcome) => attempts.inc({ outcome }),
  });
  const backlog = () => callbacks.backlog(clock.now()).catch(() => ({ due: Number.NaN, oldest: Number.NaN }));
  metrics.gauge('tender_callbacks_due', 'Callbacks whose time has come.', async () => (await backlog()).due);
  metrics.gauge('tender_callbacks_oldest_due_seconds', 'How long the oldest of them has been due.', async () => {
    const { oldest = clock.now() } = await backlog();
    return (clock.now() - oldest) / 1000;
  });
  metrics.gauge('tender_orders_in_flight', 'Orders this process is working on.', () => work.inFlight);
  metrics.gauge(
    'tender_authentications_in_flight',
    'Authentications this process is working on.',
    () => authentications.inFlight,
  );
  metrics.gauge('tender_commits_waiting', 'Changes waiting for the next commit.', () => door.waiting);
  metrics.gauge(
    'tender_screened_orders_waiting',
    'Orders waiting for their limits to be counted.',
    () => screening.waiting,
  );
  watchUnfinished(metrics, unfinishedStore(database), clock);
  metrics.gauge('tender_journal_lines_dropped', 'Journal lines lost since the start.', () => journal.dropped);

  const stopping = new AbortController();
  const pages = pagesOf({ mode, baseUrl: () => baseUrl, metrics, isReady: () => isReady(database, stopping.signal) });
  const pipe = new Pipe({
    clock,
    directory,
    gateway,
    log,
    mode,
    nonces,
    baseUrl: () => baseUrl,
    amountOf: gateway.amountOf,
  });
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const checkout = new Checkout({
    gateway: parts,
    cards: formCards,
    links,
    redirectFields: (told, merchant) => {
      const [key] = signingKeys(merchant, clock.now());
      return key && finalRedirectFields(told, key);
    },
  });
  const assets = await readAssets(PACKAGE_ROOT);
  const origin = () => new URL(baseUrl).origin;
  const shop = { assets, basePath, baseUrl: () => baseUrl, api: () => localBaseUrl(settings, server.port, basePath) };
  const routes: readonly WebRoute[] = [
    ...(mode === 'sandbox' ? [demoShopRoute({ ...shop, merchant: { login: demo.login, key: demo.controlKey } })] : []),
    threeDSecureRoute(new PayerAuthentication(authentications), () => baseUrl),
    checkoutRoute({ checkout, clock, assets, basePath, origin }),
    assetRoute({ assets, look: (id) => directory.look(id), logo: lookStore(database).logo }),
  ];
  const server = await startServer(
    { clock, journal, log, metrics, operations, pages, basePath, pipe, routes },
    settings,
  );
  opened.push(() => server.close());
  const { port } = server;
  baseUrl = publicBaseUrl({ ...settings, port });
  const changed = () => directory.refresh();
  const copyDatabase = database.copyTo && ((name: string) => database.copyTo!(join(dataFolder, name)));
  const { administration, rotation } = administrationOf(store, {
    ...settings,
    bank: bank.office,
    copyDatabase,
    payouts: gateway.payouts,
    clock,
    changed,
  });
  const adminDoor = await startAdminDoor({
    administration,
    log,
    path: adminNotePath(dataFolder),
    database: databasePlace(settings.databaseUrl),
  });
  const maintenance = startMaintenance({
    database,
    clock,
    onError: (error) => log.warn('maintenance failed', { error }),
  });
  const loops = [
    work.run(stopping.signal),
    authentications.run(stopping.signal),
    recurring.run(stopping.signal),
    deliveries.run(stopping.signal),
    journal.run(stopping.signal),
    lease.run(stopping.signal, log),
    nonces.run(stopping.signal, (error) => log.warn('old nonces could not be removed', { error })),
    screening.run(stopping.signal, (error) => log.warn('old marks of limits could not be removed', { error })),
    directory.follow(clock, stopping.signal, (error) => log.warn('the configuration could not be read', { error })),
    rotation.run(stopping.signal, (error) => log.error('a change of the data key was interrupted', { error })),
  ];

  const close = async () => {
    await within(DRAIN_MS, Promise.all([server.close(), adminDoor.close()]));
    stopping.abort();
    await Promise.all([...loops, maintenance.stop()]);
    await within(DRAIN_MS, authentications.drained());
    await within(DRAIN_MS, work.drained());
    await formCards.drained();
    await door.drained();
    await within(DRAIN_MS, deliveries.drained());
    await journal.flush();
    await lease.release();
    await acquirer.close();
    await networks.close();
    await bank.close();
    await store.close();
  };
  return { baseUrl, localUrl: localUrlOf({ ...settings, port }), port, store, directory, close };
}

function callbackClient({ callbackTimeoutMs: totalMs = TIMEOUTS.totalMs }: Settings, { resolve }: Surroundings) {
  const connectMs = Math.min(TIMEOUTS.connectMs, totalMs);
  return new CallbackClient({ ...(resolve ? { resolve } : {}), timeouts: { ...TIMEOUTS, connectMs, totalMs } });
}

/** A database that is away must not take the other figures with it. */
function watchUnfinished(metrics: Metrics, unfinished: UnfinishedStore, clock: Clock): void {
  const age = async () => {
    const now = clock.now();
    return Math.max(0, now - ((await unfinished.oldestSince(now)) ?? now)) / 1000;
  };
  const orUnknown = (read: () => Promise<number>) => () => read().catch(() => Number.NaN);
  metrics.gauge(
    'tender_oldest_unfinished_seconds',
    'Age of the oldest transaction that has not ended, on any node; 0 when all have.',
    orUnknown(age),
  );
  metrics.gauge(
    'tender_stuck_transactions',
    'Transactions that wait for a person, on any node.',
    orUnknown(() => unfinished.countStuck()),
  );
}

/** Where a command finds the door of the gateway that runs on a data folder. */
export function adminNotePath(dataFolder: string): string {
  return join(dataFolder, 'admin.json');
}

/** The demo merchant's key is printed in the documentation. */
function refuseDemoKey(directory: Directory, now: number): void {
  for (const { enabled, login, controlKeys } of directory.merchants) {
    const known = controlKeys.some((one) => isValidAt(one, now) && one.key.reveal() === demo.controlKey);
    if (!enabled || !known) continue;
    throw new Error(
      `merchant ${login} has the demo key, which everybody knows; "tender merchant disable ${login}" or take a new database`,
    );
  }
}

/** The simulated bank on its own, on the books it would have inside a gateway with this data folder. */
export function startBankAlone(options: BankAloneOptions): Promise<RunningBank> {
  const { dataFolder, bankCutOff: cutOff, ...rest } = options;
  return startBank({ ...rest, cutOff, clock: systemClock, books: { folder: bankFolder(dataFolder), takeLock } });
}

export type BankAloneOptions = Pick<Settings, 'host' | 'port' | 'dataFolder' | 'bankCutOff'> & {
  readonly faults: Partial<Faults>;
};

export function bankFolder(dataFolder: string): string {
  return join(dataFolder, 'bank');
}

/** The bank a gateway pays with: in a process of its own, or here and closed with the gateway. */
type BankOf = {
  readonly place: { readonly url: string } | { readonly bank: Bank };
  readonly office: BankOffice;
  close(): Promise<void>;
};

async function openBankOf(settings: Settings, clock: Clock): Promise<BankOf> {
  const { bankUrl, bankCutOff, bankFaults: faults, dataFolder } = settings;
  if (bankUrl !== undefined) {
    if (faults) throw new Error('--bank-faults is for the bank inside the gateway; give its faults to "tender bank"');
    const office = {
      clear: () => clearBank(bankUrl),
      settlement: (date: string) => readSettlement(bankUrl, date),
      journal: () => journalLines(readBooks(bankUrl)),
      faults: (given?: string) => bankFaults(bankUrl, given),
    };
    return { place: { url: bankUrl }, office, close: async () => {} };
  }
  const bank = await openBank({
    clock,
    cutOff: bankCutOff,
    faults,
    books: { folder: bankFolder(dataFolder), takeLock },
  });
  const office = {
    clear: () => bank.clear(),
    settlement: (date: string) => settlementFile(bank.settlement(date)),
    journal: () => journalLines(bank.entries()),
    faults: async (given?: string) => {
      if (given !== undefined) bank.faults.set(readFaults(given));
      return JSON.stringify(bank.faults.faults);
    },
  };
  return { place: { bank }, office, close: () => bank.close() };
}

/** The card networks' directory server: in a process of its own, or simulated here and closed with the gateway. */
async function openNetworks({ networksUrl, mode }: Settings, clock: Clock) {
  if (networksUrl === undefined && mode === 'production') return { server: undefined, close: async () => {} };
  const simulated = networksUrl === undefined ? await startNetworks({ clock }) : undefined;
  const server = httpDirectory({ url: networksUrl ?? (simulated?.url as string), clock });
  const close = async () => {
    await server.close();
    await simulated?.close();
  };
  return { server, close };
}

async function* journalLines(entries: AsyncIterable<BookEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield writeEntry(entry);
}

/** The journal of the bank inside a gateway that does not run. */
export async function* openJournal(dataFolder: string): AsyncGenerator<BookEntry> {
  const folder = bankFolder(resolve(dataFolder));
  if (!existsSync(folder)) throw new Error(`there are no books of a bank in ${folder}; name its address with --url`);
  // Nothing is cleared by looking.
  const bank = await openBank({ clock: systemClock, cutOff: 'never', books: { folder, takeLock } });
  try {
    yield* bank.entries();
  } finally {
    await bank.close();
  }
}

function bankSettings({ acquirerTimeoutMs }: Settings, { place }: BankOf): SimulatorSettings {
  if (acquirerTimeoutMs === undefined) return place;
  return { ...place, sendTimeoutMs: acquirerTimeoutMs, askTimeoutMs: acquirerTimeoutMs };
}

function publicBaseUrl(settings: Settings): string {
  return (settings.baseUrl ?? `${localUrlOf(settings)}/paynet`).replace(/\/$/, '');
}

/** Where this process itself reaches the interface. */
function localBaseUrl(settings: Settings, port: number, basePath: string): string {
  return localUrlOf({ ...settings, port }) + basePath;
}

function localUrlOf({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  const reachable = ['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host) ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

type PageParts = {
  readonly mode: Settings['mode'];
  readonly baseUrl: () => string;
  readonly metrics: Metrics;
  readonly isReady: () => Promise<boolean>;
};

function pagesOf({ mode, baseUrl, metrics, isReady }: PageParts): Record<string, () => Page | Promise<Page>> {
  const json = (status: number, value: unknown): Page => ({
    contentType: 'application/json',
    status,
    body: `${JSON.stringify(value)}\n`,
  });
  let openApi: Page | undefined;
  // A short address for people; the shop itself is below the base, like everything browsers reach.
  const toShop = (): Page => ({
    contentType: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><title>Demo shop</title><meta http-equiv="refresh" content="0; url=${baseUrl()}/demo"><a href="${baseUrl()}/demo">Demo shop</a></html>\n`,
  });
  return {
    ...(mode === 'sandbox' ? { '/demo': toShop } : {}),
    '/healthz': () => json(200, { status: 'ok' }),
    '/readyz': async () => ((await isReady()) ? json(200, { status: 'ready' }) : json(503, { status: 'not ready' })),
    '/metrics': async () => ({ contentType: metrics.contentType, body: await metrics.text() }),
    '/openapi.json': () => {
      openApi ??= json(200, openApiDocument({ baseUrl: baseUrl() }));
      return openApi;
    },
  };
}

async function isReady(database: Database, stopping: AbortSignal): Promise<boolean> {
  if (stopping.aborted) return false;
  return database.query({ name: 'ready', text: 'select 1' }).then(
    () => true,
    () => false,
  );
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([work, systemClock.sleep(ms, timeout.signal)]);
  timeout.abort();
}
