// Puts the parts together: the only file that knows everybody. A gateway is opened, runs, and is closed in order,
// so that whatever was promised is finished or left to its lease.

import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openAcquirer, type SimulatorSettings } from './acquirers/index.ts';
import { type Clock, systemClock } from './domain/clock.ts';
import { Pipe } from './http/pipe.ts';
import { type Page, type RunningServer, startServer } from './http/server.ts';
import { openApiDocument } from './openapi/document.ts';
import { operations } from './operations/index.ts';
import { ControlReadings } from './processing/control-readings.ts';
import { ensureDemo } from './processing/demo.ts';
import { Directory } from './processing/directory.ts';
import { Door } from './processing/door.ts';
import { Gateway } from './processing/gateway.ts';
import { OrderIds } from './processing/identifiers.ts';
import { Journal } from './processing/journal.ts';
import { MaterialsStore } from './processing/materials.ts';
import { type LimitMode, NetworkLimits } from './processing/network-limits.ts';
import { NodeLease } from './processing/node-lease.ts';
import { Nonces } from './processing/nonces.ts';
import { RecurringWork } from './processing/recurring.ts';
import { Screening } from './processing/screening.ts';
import { Work } from './processing/work.ts';
import { cardAttemptStore } from './storage/card-attempts.ts';
import { cardReferenceStore } from './storage/card-references.ts';
import { configurationStore } from './storage/configuration.ts';
import { controlMemory } from './storage/control-readings.ts';
import { keyStore } from './storage/data-keys.ts';
import type { Database } from './storage/database.ts';
import { journalStore } from './storage/journal.ts';
import { takeLock } from './storage/lock-file.ts';
import { migrate } from './storage/migrate.ts';
import { nodeStore } from './storage/nodes.ts';
import { nonceStore } from './storage/oauth-nonces.ts';
import { openDatabase } from './storage/open-database.ts';
import { orderStore } from './storage/orders.ts';
import { recurringStore } from './storage/recurring.ts';
import { screeningStore } from './storage/screening.ts';
import type { Log } from './telemetry/log.ts';
import { Metrics } from './telemetry/metrics.ts';
import { openKeyFile } from './vault/key-file.ts';
import { Vault } from './vault/vault.ts';

/** How long a crashed node's transactions stay its own: longer than the acquirer's time-out and a slow commit. */
const LEASE_MS = 45_000;

/** How long a preauthorisation holds its money. */
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

/** How long a stop waits for what is in flight; the rest is left to leases. */
const DRAIN_MS = 35_000;

/** Commits under way at the same time: a server can overlap them, the embedded database is one session. */
const LANES = { postgres: 2, pglite: 1 } as const;

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
  /** Whether the card networks' limits on trying a card again are kept; they are unless switched off. */
  readonly networkLimits?: LimitMode | undefined;
  readonly leaseMs?: number | undefined;
  readonly acquirerTimeoutMs?: number | undefined;
};

export type Surroundings = {
  readonly log: Log;
  readonly clock?: Clock;
  /** The embedded database died: the process must end, the next start recovers. */
  readonly onFatal?: (error: Error) => void;
};

export type RunningGateway = {
  readonly baseUrl: string;
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

export async function startGateway(settings: Settings, surroundings: Surroundings): Promise<RunningGateway> {
  const { log, clock = systemClock } = surroundings;
  const { dataFolder, mode, leaseMs = LEASE_MS } = settings;
  const store = await openStore(settings, surroundings);
  const { configuration, database, vault } = store;
  if (mode === 'sandbox') {
    const privateKeyPath = join(dataFolder, 'demo-private-key.pem');
    await ensureDemo({ configuration, vault, privateKeyPath, now: clock.now() });
  }
  const directory = new Directory(configuration, vault);
  await directory.refresh();
  const acquirer = await openAcquirer({ simulator: bankSettings(settings) }, { clock, takeLock });
  const instance = randomUUID();
  const lease = await NodeLease.take(nodeStore(database), clock, instance);

  const orders = orderStore(database);
  // Nobody else can have the embedded database open: what an earlier process left is taken over at once.
  if (database.kind === 'pglite') await orders.releaseLeases(clock.now());
  const door = new Door({ store: orders, clock, leaseMs, holdMs: HOLD_MS, lanes: LANES[database.kind] });
  const materials = new MaterialsStore(orders, vault, directory);
  const work = new Work({ acquirer, clock, door, instance, leaseMs, log, materials, store: orders });
  const controls = new ControlReadings(controlMemory(database), clock);
  const nonces = new Nonces(nonceStore(database), clock);
  const ids = new OrderIds(lease.node);
  const cardReferences = cardReferenceStore(database);
  const screening = new Screening({
    store: screeningStore(database),
    orders,
    clock,
    vault,
    materials,
    lanes: SCREENING_LANES[database.kind],
  });
  const parts = {
    cardReferences,
    clock,
    controls,
    directory,
    door,
    ids,
    instance,
    limits: new NetworkLimits(cardAttemptStore(database), clock, settings.networkLimits),
    materials,
    recurring: recurringStore(database),
    screening,
    store: orders,
    vault,
    work,
  };
  const gateway = new Gateway(parts);
  const recurring = new RecurringWork(parts, log);
  const journal = new Journal(journalStore(database), clock, log);
  const metrics = new Metrics();
  metrics.gauge('tender_orders_in_flight', 'Orders this process is working on.', () => work.inFlight);
  metrics.gauge('tender_commits_waiting', 'Changes waiting for the next commit.', () => door.waiting);
  metrics.gauge(
    'tender_screened_orders_waiting',
    'Orders waiting for their limits to be counted.',
    () => screening.waiting,
  );
  metrics.gauge('tender_journal_lines_dropped', 'Journal lines lost since the start.', () => journal.dropped);

  const baseUrl = publicBaseUrl(settings);
  const stopping = new AbortController();
  const pages = pagesOf({ baseUrl, metrics, isReady: () => isReady(database, stopping.signal) });
  let publicUrl = baseUrl;
  const pipe = new Pipe({
    clock,
    directory,
    gateway,
    log,
    mode,
    nonces,
    baseUrl: () => publicUrl,
    amountOf: gateway.amountOf,
  });
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const server = await startServer({ clock, journal, metrics, operations, pages, basePath, pipe }, settings);
  publicUrl = withPort(baseUrl, settings, server);
  const loops = [
    work.run(stopping.signal),
    recurring.run(stopping.signal),
    journal.run(stopping.signal),
    lease.run(stopping.signal, log),
    nonces.run(stopping.signal, (error) => log.warn('old nonces could not be removed', { error })),
    screening.run(stopping.signal, (error) => log.warn('old marks of limits could not be removed', { error })),
    directory.follow(clock, stopping.signal, (error) => log.warn('the configuration could not be read', { error })),
  ];

  const close = async () => {
    await within(DRAIN_MS, server.close());
    stopping.abort();
    await Promise.all(loops);
    await within(DRAIN_MS, work.drained());
    await door.drained();
    await journal.flush();
    await lease.release();
    await acquirer.close();
    await store.close();
  };
  return { baseUrl: publicUrl, port: server.port, store, directory, close };
}

function bankSettings({ bankUrl, dataFolder, acquirerTimeoutMs }: Settings): SimulatorSettings {
  const place = bankUrl === undefined ? { folder: join(dataFolder, 'bank') } : { url: bankUrl };
  return { ...place, ...(acquirerTimeoutMs === undefined ? {} : { sendTimeoutMs: acquirerTimeoutMs }) };
}

function publicBaseUrl({ baseUrl, port }: Settings): string {
  return (baseUrl ?? `http://localhost:${port}/paynet`).replace(/\/$/, '');
}

/** With port 0 the system chose one. */
function withPort(baseUrl: string, settings: Settings, server: RunningServer): string {
  return settings.baseUrl === undefined ? baseUrl.replace(`:${settings.port}/`, `:${server.port}/`) : baseUrl;
}

type PageParts = { readonly baseUrl: string; readonly metrics: Metrics; readonly isReady: () => Promise<boolean> };

function pagesOf({ baseUrl, metrics, isReady }: PageParts): Record<string, () => Page | Promise<Page>> {
  const json = (status: number, value: unknown): Page => ({
    contentType: 'application/json',
    status,
    body: `${JSON.stringify(value)}\n`,
  });
  const openApi = json(200, openApiDocument({ baseUrl }));
  return {
    '/healthz': () => json(200, { status: 'ok' }),
    '/readyz': async () => ((await isReady()) ? json(200, { status: 'ready' }) : json(503, { status: 'not ready' })),
    '/metrics': async () => ({ contentType: metrics.contentType, body: await metrics.text() }),
    '/openapi.json': () => openApi,
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
