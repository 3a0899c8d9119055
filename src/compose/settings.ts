// The settings of an installation, what it uses from its surroundings, and how long things last.

import type { Connector } from '../acquirers/connector.ts';
import type { CutOff, Faults } from '../acquirers/index.ts';
import type { Clock } from '../domain/clock.ts';
import type { Resolve } from '../notifications/client.ts';
import type { LimitMode } from '../processing/cards/network-limits.ts';
import type { OpenTerminal } from '../processing/terminals/terminal.ts';
import type { Log } from '../telemetry/log.ts';

export type Settings = {
  readonly mode: 'sandbox' | 'production';
  readonly host: string;
  readonly port: number;
  /** Where administrators are served: on this machine only unless given. */
  readonly adminHost?: string | undefined;
  /** The administrators' port; a free one unless given. */
  readonly adminPort?: number | undefined;
  /** The address under which browsers of administrators reach it, when a proxy stands in front. */
  readonly adminUrl?: string | undefined;
  /** The public address of the interface, when a proxy stands in front. */
  readonly baseUrl?: string | undefined;
  /** IP addresses of proxies in front: only these may say where a request comes from. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly dataFolder: string;
  readonly databaseUrl?: string | undefined;
  readonly keyFile?: string | undefined;
  /** A program, with arguments, that wraps and unwraps data keys. */
  readonly keyCommand?: string | undefined;
  /** Where data keys are wrapped when a key file and a key command are named; behind the command unless given. */
  readonly wrapWith?: 'file' | 'command' | undefined;
  /** The address of the simulated bank's process; without it the bank runs inside this process. */
  readonly bankUrl?: string | undefined;
  /**
   * The 3-D Secure directory server of brands that have none of their own; without it a sandbox runs simulated card
   * networks inside this process.
   */
  readonly networksUrl?: string | undefined;
  /**
   * Whose results of 3-D Secure are taken: subjects or fingerprints of client certificates, as a trusted proxy passes
   * them on. Everybody's unless given.
   */
  readonly resultsSubject?: readonly string[] | undefined;
  /** When the simulated bank ends its day, in UTC; with `never` only a command ends it. */
  readonly bankCutOff?: CutOff | undefined;
  /** How the simulated bank inside this process misbehaves from the start. */
  readonly bankFaults?: Partial<Faults> | undefined;
  /** Whether the card networks' limits on trying a card again are applied; unless given, in production only. */
  readonly networkLimits?: LimitMode | undefined;
  /** How many days the journal keeps requests. */
  readonly keepRequests?: number | 'forever' | undefined;
  /** Where ids begin, for whoever moves from another gateway: they never go back. */
  readonly firstId?: number | undefined;
  /** Ids grow by random steps from 1 to this. */
  readonly idStride?: number | undefined;
  readonly leaseMs?: number | undefined;
  readonly acquirerTimeoutMs?: number | undefined;
  /** How long a merchant may take to answer a callback. */
  readonly callbackTimeoutMs?: number | undefined;
  /** How long a stopping gateway still takes requests while it reports that it is not ready; 0 unless given. */
  readonly drainMs?: number | undefined;
  /** How long old data keys are kept after a rotation. */
  readonly keyGraceMs?: number | undefined;
};

export type Surroundings = {
  readonly log: Log;
  readonly clock?: Clock;
  /** Looks up the host names of callbacks; asks the system's name servers unless given. */
  readonly resolve?: Resolve;
  /** Connectors besides those that are listed. */
  readonly connectors?: readonly Connector[] | undefined;
  /** Terminals beside those that are configured; one of the same name takes the other's place. */
  readonly terminals?: readonly OpenTerminal[];
  /** Called when the embedded database died: the process must end, and the next start recovers. */
  readonly onFatal?: (error: Error) => void;
};

/** How long a crashed node keeps its transactions: longer than the acquirer's time-out and a slow commit. */
export const LEASE_MS = 45_000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a preauthorisation holds its money. */
export const HOLD_MS = 7 * DAY_MS;

/** How many days the journal keeps requests: the year PCI DSS asks for, and a month to look back at it. */
const KEEP_REQUESTS_DAYS = 400;

/** How long the journal keeps requests; undefined means for ever. */
export function keptMsOf({ keepRequests = KEEP_REQUESTS_DAYS }: Settings): number | undefined {
  return keepRequests === 'forever' ? undefined : keepRequests * DAY_MS;
}

/** A test card that was declined for good yesterday must not fail today's tests. */
export function networkLimitsOf({ mode, networkLimits }: Settings): LimitMode {
  return networkLimits ?? (mode === 'sandbox' ? 'off' : 'on');
}

/** How long old data keys are kept: longer than any node's poll and its longest commit together. */
export const KEY_GRACE_MS = 90_000;

/** How long the bank may take to answer a payment. */
export const ACQUIRER_TIMEOUT_MS = 30_000;

/** How long a stop waits for what is in flight; the rest is left to leases. */
export const IN_FLIGHT_MS = 35_000;

/** How many commits of the order door may run at the same time. */
export const LANES = { postgres: 1, pglite: 1 } as const;

/** How many writes with conditions may run at the same time, each in a transaction of its own. */
export const CONDITIONAL_LANES = { postgres: 4, pglite: 1 } as const;
