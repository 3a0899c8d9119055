// The clock of a sandbox as it is moved: with all loops of the gateway that have something to do as time passes. Other
// parts, such as sessions and keys that end, look at the clock when they are used.

import { ClockMover, type SandboxClock } from '../../processing/sandbox/clock-mover.ts';
import { dueMoments } from '../../storage/due-moments.ts';
import type { PartOptions } from '../part-options.ts';
import type { ProcessingParts } from '../processing-parts.ts';
import type { StorageParts } from '../storage-parts.ts';
import { keepAhead } from './sandbox-clock.ts';

type ClockParts = {
  readonly storage: Pick<StorageParts, 'database'>;
  readonly processing: Pick<
    ProcessingParts,
    'authentications' | 'deliveries' | 'door' | 'receiptMails' | 'recurringWork' | 'work'
  >;
};

/** Undefined in production, and where not all parts share one clock. */
export function openSandboxClock(
  { settings, sandboxClock: clock }: PartOptions,
  { storage, processing }: ClockParts,
): SandboxClock | undefined {
  if (!clock) return undefined;
  const { authentications, deliveries, door, receiptMails, recurringWork, work } = processing;
  const loops = [recurringWork, authentications, work, deliveries].map(({ due }) => due);
  return new ClockMover({
    clock,
    keep: (aheadMs) => keepAhead(settings.dataFolder, aheadMs),
    moments: dueMoments(storage.database),
    loops: receiptMails ? [...loops, receiptMails.due] : loops,
    written: () => door.drained().then(() => deliveries.drained()),
    tries: deliveries.tries,
    reopensAfter: (now) => deliveries.reopensAfter(now),
  });
}
