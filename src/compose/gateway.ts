// Opens, runs and closes a gateway in order, so that whatever was promised is finished or left to its lease.

import { setMaxListeners } from 'node:events';
import type { BankOffice } from '../administration/parts.ts';
import { systemClock } from '../domain/clock.ts';
import type { ShedRequests } from '../http/bounds/shed-requests.ts';
import type { AuditHeads } from '../notifications/heads/audit-heads.ts';
import type { LiveConfiguration } from '../processing/node/live-configuration.ts';
import type { FirstSignIn } from '../processing/people/first-administrator.ts';
import type { SandboxClock } from '../processing/sandbox/clock-mover.ts';
import { startMaintenance } from '../storage/embedded/maintenance.ts';
import { isAnyCodeWaiting } from '../storage/orders/waiting-codes.ts';
import type { Log } from '../telemetry/log.ts';
import { openAuditHeads } from './audit-heads.ts';
import { openOutsideParts } from './outside-parts.ts';
import { type PartOptions, partOptions } from './part-options.ts';
import { adminOriginOf } from './people.ts';
import { openProcessingParts, type ProcessingParts } from './processing-parts.ts';
import { type AdminDoorOpened, openAdminDoor, openServer } from './server-parts.ts';
import { IN_FLIGHT_MS, type Settings, type Surroundings } from './settings.ts';
import { openStorageParts, type StorageParts } from './storage-parts.ts';
import type { Store } from './store.ts';

export type RunningGateway = {
  readonly baseUrl: string;
  /** Where health, metrics and the OpenAPI document are, without a proxy. */
  readonly localUrl: string;
  readonly port: number;
  /** Where people sign in, for browsers, and where whoever watches the gateway is served. */
  readonly adminUrl: string;
  /** Who can sign in. A sandbox whose terminal is seen by a person makes its administrator, with a one-time link. */
  firstSignIn(isSeen: boolean): Promise<FirstSignIn>;
  /** The clock of a sandbox whose parts all go by it: put forward, it lets everything come due in order. */
  readonly sandboxClock: SandboxClock | undefined;
  /** The bank it uses, as operators reach it. */
  readonly bank: BankOffice;
  readonly store: Store;
  readonly configuration: LiveConfiguration;
  close(how?: HowToClose): Promise<void>;
};

/** A worker whose successor already serves leaves without a word: balancers need not look elsewhere. */
export type HowToClose = { readonly isSucceeded?: boolean | undefined };

export async function startGateway(settings: Settings, surroundings: Surroundings): Promise<RunningGateway> {
  const options = partOptions(settings, surroundings);
  try {
    return await openGateway(options);
  } catch (error) {
    for (const undo of options.opened.reverse()) await undo().catch(() => {});
    throw error;
  }
}

async function openGateway(options: PartOptions): Promise<RunningGateway> {
  const storage = await openStorageParts(options, () => processing.deliveries.due.wake());
  const heads = await openAuditHeads(options, storage.database);
  const outside = await openOutsideParts(options, storage);
  const processing = await openProcessingParts(options, storage, outside);
  const leaving = new AbortController();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // one listener per part that runs
  const { issuers } = outside;
  const server = await openServer(options, { storage, processing, issuers, leaving: leaving.signal });
  processing.terminals.begin();
  const { bankOffice, networkFaults } = outside;
  const admin = isLead(options)
    ? await openAdminDoor(options, { storage, processing, bankOffice, networkFaults, pages: server.pages })
    : undefined;
  if (!admin) options.addresses.adminListensOn(options.settings.adminPort ?? 0);
  const { shed } = server;
  const stopped = run(options, { storage, processing, heads, admin, shed, stopping: stopping.signal });

  const close = async ({ isSucceeded = false }: HowToClose = {}) => {
    if (!isSucceeded) {
      leaving.abort();
      await systemClock.sleep(options.settings.drainMs ?? 0);
    }
    await within(IN_FLIGHT_MS, Promise.all([server.close(), admin?.door.close()]));
    server.cut();
    stopping.abort();
    await admin?.runs.close();
    await stopped();
    await drain(processing);
    await processing.ids.close();
    await processing.codes.end({ codesWait: await isAnyCodeWaiting(storage.database) });
    await processing.presence.end();
    await processing.terminals.close();
    await outside.close();
    await options.spans?.close();
    await storage.store.close();
  };
  const { base, local, adminPort } = options.addresses;
  return {
    baseUrl: base,
    localUrl: local,
    port: server.port,
    adminUrl: adminOriginOf(options.settings, adminPort),
    firstSignIn: admin?.people.access.firstSignIn ?? (async () => ({ step: 'others', link: undefined })),
    sandboxClock: admin?.sandboxClock,
    bank: outside.bankOffice,
    store: storage.store,
    configuration: storage.configuration,
    close,
  };
}

/** Of several workers one serves administrators, and does what one in a gateway must do. */
function isLead({ surroundings: { crew } }: PartOptions): boolean {
  return crew?.isLead ?? true;
}

type Running = {
  readonly storage: StorageParts;
  readonly processing: ProcessingParts;
  readonly heads: AuditHeads;
  /** Of the lead. */
  readonly admin: AdminDoorOpened | undefined;
  readonly shed: ShedRequests;
  readonly stopping: AbortSignal;
};

/** Starts everything that runs until the gateway stops; the returned function waits for its end. */
function run(
  { settings, clock, log, databaseWorked, spans }: PartOptions,
  { storage, processing, heads, admin, shed, stopping }: Running,
): () => Promise<unknown> {
  const {
    authentications,
    bankNotices,
    bins,
    breakers,
    cardTesting,
    codes,
    days,
    deliveries,
    figureCounting,
    historyMonths,
    journal,
    nonces,
    oldRecords,
    presence,
    receiptMails,
    recurringWork,
    screening,
    strangers,
    terminals,
    work,
  } = processing;
  const { database, configuration } = storage;
  const warn = (message: string) => (error: unknown) => log.warn(message, { error });
  const maintenance = startMaintenance({ database, clock, onError: warn('maintenance failed') });
  // Who listens for callbacks in a sandbox, or holds them back, asked the lead for it.
  const calls = admin || settings.mode === 'production' ? [deliveries] : [];
  const loops = [
    ...[work, authentications, recurringWork, ...calls].map(({ due }) => due.run(stopping)),
    ...(admin ? leadLoops(admin, { heads, log, stopping }) : []),
    admin && historyMonths.run(stopping, warn('the months of the journal could not be looked after')),
    receiptMails?.due.run(stopping),
    spans?.run(stopping),
    shed.run(stopping),
    journal.run(stopping),
    journal.forgetOld(stopping, warn('old requests could not be removed')),
    journal.forgetStrangers(stopping, warn('old requests of strangers could not be removed')),
    oldRecords.run(stopping, warn('old records could not be removed')),
    strangers.run(stopping, warn('what is known of strangers could not be told to other nodes')),
    presence.run(stopping, warn('this node could not say that it lives')),
    codes.run(stopping, warn('the keys of security codes could not be renewed')),
    nonces.run(stopping, warn('old nonces could not be removed')),
    screening.run(stopping, warn('old marks of limits could not be removed')),
    cardTesting.run(stopping, warn('what is known of card testing could not be read')),
    bankNotices.run(stopping, warn('old notices of banks could not be removed')),
    configuration.follow(stopping, {
      worked: databaseWorked,
      failed: warn('the configuration could not be read'),
    }),
    bins.follow(stopping, warn('the table of issuers could not be read')),
    breakers.run(stopping, terminals, warn('what is known of terminals could not be read')),
    admin && figureCounting.run(stopping, warn('orders could not be counted for the overview')),
    days.run(stopping, warn('what terminals took today could not be read')),
  ];
  return () => Promise.all([...loops, maintenance.stop()]);
}

function leadLoops(
  { people, rotations: { rotation, digestRotation } }: AdminDoorOpened,
  { heads, log, stopping }: Pick<Running, 'heads' | 'stopping'> & { readonly log: Log },
): Promise<unknown>[] {
  return [
    heads.run(stopping, (error) => log.warn('the head of the audit chain could not be read', { error })),
    people.access.sessions.run(stopping, (error) => log.warn('old sessions could not be removed', { error })),
    rotation.run(stopping, (error) => log.error('a change of the data key was interrupted', { error })),
    digestRotation.run(stopping, (error) => log.error('a change of a key for digests was interrupted', { error })),
  ];
}

/** Waits for the work in flight: parts that create work for other parts come first. */
async function drain(processing: ProcessingParts): Promise<void> {
  const { authentications, bankNotices, cardTesting, deliveries, door, journal, questions, recurringWork, work } =
    processing;
  await questions.close();
  await within(IN_FLIGHT_MS, bankNotices.drained());
  for (const { due } of [recurringWork, authentications, work]) await within(IN_FLIGHT_MS, due.drained());
  await door.drained();
  await within(IN_FLIGHT_MS, cardTesting.drained());
  await within(IN_FLIGHT_MS, deliveries.drained());
  if (processing.receiptMails) await within(IN_FLIGHT_MS, processing.receiptMails.due.drained());
  await journal.close();
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([work, systemClock.sleep(ms, timeout.signal)]);
  timeout.abort();
}
