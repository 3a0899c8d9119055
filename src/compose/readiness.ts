// Whether a gateway can take requests, and if not, why. Load balancers get an answer soon, whatever the database does.

import type { Clock } from '../domain/clock.ts';
import { NoAnswer, patiently } from '../domain/patience.ts';
import type { LiveConfiguration } from '../processing/node/live-configuration.ts';
import type { Vault } from '../vault/vault.ts';
import type { WriteWatch } from './write-watch.ts';

const ANSWER_LIMIT_MS = 2_000;

/** Configuration and keys are read every second, so this is several missed reads. */
const STALE_MS = 5_000;

export type ReadinessParts = {
  readonly clock: Clock;
  readonly configuration: Pick<LiveConfiguration, 'readAt'>;
  readonly vault: Pick<Vault, 'readAt'>;
  readonly writes: WriteWatch;
  readonly stopping: AbortSignal;
  /** Any question to the database. */
  readonly ask: () => Promise<unknown>;
  /** A small write of this node's own. */
  readonly write: () => Promise<unknown>;
};

/** Resolves with the reason, or with undefined when the gateway is ready. */
export type WhyNotReady = () => Promise<string | undefined>;

export function readinessOf(parts: ReadinessParts): WhyNotReady {
  const look = patiently(() => whyNotReady(parts), ANSWER_LIMIT_MS);
  return () =>
    look().catch((error) =>
      error instanceof NoAnswer ? 'the database does not answer' : 'the database cannot be reached',
    );
}

async function whyNotReady({ clock, configuration, vault, writes, stopping, ask, write }: ReadinessParts) {
  if (stopping.aborted) return 'it is stopping';
  await ask();
  const isOld = (readAt: number) => clock.now() - readAt > STALE_MS;
  if (isOld(vault.readAt)) return "the vault's keys cannot be read";
  if (isOld(configuration.readAt)) return 'the configuration cannot be read';
  return (await writes.succeed(write)) ? undefined : 'the database takes no writes';
}
