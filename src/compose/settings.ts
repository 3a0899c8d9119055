// What an installation is told, what it finds around it, and how long things last in it.

import type { CutOff, Faults } from '../acquirers/index.ts';
import type { Clock } from '../domain/clock.ts';
import type { Resolve } from '../notifications/client.ts';
import type { LimitMode } from '../processing/cards/network-limits.ts';
import type { Log } from '../telemetry/log.ts';

export type Settings = {
  readonly mode: 'sandbox' | 'production';
  readonly host: string;
  readonly port: number;
  /** The public address of the interface, when a proxy stands in front. */
  readonly baseUrl?: string | undefined;
  /** Addresses of proxies that stand in front: they say where a request comes from. */
  readonly trustedProxies?: readonly string[] | undefined;
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
  /** How many days the journal keeps requests. */
  readonly keepRequests?: number | 'forever' | undefined;
  readonly leaseMs?: number | undefined;
  readonly acquirerTimeoutMs?: number | undefined;
  /** How long a merchant may take to answer a callback. */
  readonly callbackTimeoutMs?: number | undefined;
  /** How long a stop goes on taking requests while it says that it is not ready; not at all unless given. */
  readonly drainMs?: number | undefined;
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

/** How long a crashed node's transactions stay its own: longer than the acquirer's time-out and a slow commit. */
export const LEASE_MS = 45_000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a preauthorisation holds its money. */
export const HOLD_MS = 7 * DAY_MS;

/** How many days the journal keeps requests: the year PCI DSS asks for, and a month to look back at it. */
const KEEP_REQUESTS_DAYS = 400;

/** How long the journal keeps requests; undefined for ever. */
export function keptMsOf({ keepRequests = KEEP_REQUESTS_DAYS }: Settings): number | undefined {
  return keepRequests === 'forever' ? undefined : keepRequests * DAY_MS;
}

/** How long old data keys are kept: longer than any node's poll and its longest commit together. */
export const KEY_GRACE_MS = 90_000;

/** How long the bank may take to answer a payment. */
export const ACQUIRER_TIMEOUT_MS = 30_000;

/** How long a stop waits for what is in flight; the rest is left to leases. */
export const IN_FLIGHT_MS = 35_000;

/** Commits under way at the same time: a server can overlap them, the embedded database is one session. */
export const LANES = { postgres: 1, pglite: 1 } as const;

/** Writes with conditions, each a transaction of its own. */
export const CONDITIONAL_LANES = { postgres: 4, pglite: 1 } as const;
