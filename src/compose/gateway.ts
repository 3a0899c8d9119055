// A gateway is opened, runs, and is closed in order, so that whatever was promised is finished or left to its lease.

import { setMaxListeners } from 'node:events';
import { systemClock } from '../domain/clock.ts';
import type { Directory } from '../processing/node/directory.ts';
import type { KeyRotation } from '../processing/node/key-rotation.ts';
import { startMaintenance } from '../storage/embedded/maintenance.ts';
import { openOutsideParts } from './outside-parts.ts';
import { type PartOptions, partOptions } from './part-options.ts';
import { openProcessingParts, type ProcessingParts } from './processing-parts.ts';
import { openAdminDoor, openServer } from './server-parts.ts';
import { IN_FLIGHT_MS, type Settings, type Surroundings } from './settings.ts';
import { openStorageParts, type StorageParts } from './storage-parts.ts';
import type { Store } from './store.ts';

export type RunningGateway = {
  readonly baseUrl: string;
  /** Where health, metrics and the OpenAPI document are, without a proxy. */
  readonly localUrl: string;
  readonly port: number;
  readonly store: Store;
  readonly directory: Directory;
  close(): Promise<void>;
};

export async function startGateway(settings: Settings, surroundings: Surroundings): Promise<RunningGateway> {
  const opening = partOptions(settings, surroundings);
  try {
    return await openGateway(opening);
  } catch (error) {
    for (const undo of opening.opened.reverse()) await undo().catch(() => {});
    throw error;
  }
}

async function openGateway(opening: PartOptions): Promise<RunningGateway> {
  const kept = await openStorageParts(opening, () => working.deliveries.due.wake());
  const lines = await openOutsideParts(opening);
  const working = await openProcessingParts(opening, kept, lines);
  const leaving = new AbortController();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // one listener per part that runs
  const server = await openServer(opening, { kept, working, leaving: leaving.signal });
  const admin = await openAdminDoor(opening, { kept, working, bankOffice: lines.bankOffice });
  const stopped = run(opening, { kept, working, rotation: admin.rotation, stopping: stopping.signal });

  const close = async () => {
    leaving.abort();
    await systemClock.sleep(opening.settings.drainMs ?? 0);
    await within(IN_FLIGHT_MS, Promise.all([server.close(), admin.door.close()]));
    server.cut();
    stopping.abort();
    await stopped();
    await drain(working);
    await working.lease.release();
    await lines.close();
    await kept.store.close();
  };
  const { base, local } = opening.addresses;
  return { baseUrl: base, localUrl: local, port: server.port, store: kept.store, directory: kept.directory, close };
}

type Running = {
  readonly kept: StorageParts;
  readonly working: ProcessingParts;
  readonly rotation: KeyRotation;
  readonly stopping: AbortSignal;
};

/** Starts what runs until the gateway stops, and gives back how to wait for its end. */
function run(
  { clock, log, databaseWorked }: PartOptions,
  { kept, working, rotation, stopping }: Running,
): () => Promise<unknown> {
  const { authentications, deliveries, journal, lease, nonces, recurringWork, screening, work } = working;
  const { database, directory } = kept;
  const warn = (message: string) => (error: unknown) => log.warn(message, { error });
  const maintenance = startMaintenance({ database, clock, onError: warn('maintenance failed') });
  const loops = [
    work.due.run(stopping),
    authentications.due.run(stopping),
    recurringWork.due.run(stopping),
    deliveries.due.run(stopping),
    journal.run(stopping),
    journal.forgetOld(stopping, warn('old requests could not be removed')),
    lease.run(stopping, log),
    nonces.run(stopping, warn('old nonces could not be removed')),
    screening.run(stopping, warn('old marks of limits could not be removed')),
    directory.follow(stopping, {
      worked: databaseWorked,
      failed: warn('the configuration could not be read'),
    }),
    rotation.run(stopping, (error) => log.error('a change of the data key was interrupted', { error })),
  ];
  return () => Promise.all([...loops, maintenance.stop()]);
}

/** Lets what is in flight come to its end, whoever causes it before whoever is caused. */
async function drain(working: ProcessingParts): Promise<void> {
  const { authentications, deliveries, door, journal, recurringWork, work } = working;
  await within(IN_FLIGHT_MS, recurringWork.due.drained());
  await within(IN_FLIGHT_MS, authentications.due.drained());
  await within(IN_FLIGHT_MS, work.due.drained());
  await door.drained();
  await within(IN_FLIGHT_MS, deliveries.drained());
  await journal.flush();
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([work, systemClock.sleep(ms, timeout.signal)]);
  timeout.abort();
}
