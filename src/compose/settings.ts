// The settings of an installation, what it uses from its surroundings, and how long things last.

import type { Connector } from '../acquirers/connector.ts';
import type { CutOff, Faults } from '../acquirers/index.ts';
import type { Clock } from '../domain/clock.ts';
import { ROOM, type Room } from '../domain/merchant/fair-share.ts';
import type { ProgressWatch } from '../domain/progress-text.ts';
import { MOST_WAIT_MS } from '../http/bounds/admission.ts';
import type { ConnectionBounds } from '../http/bounds/connection-limits.ts';
import type { Resolve } from '../notifications/client.ts';
import type { LimitMode } from '../processing/cards/network-limits.ts';
import type { PasswordCost } from '../processing/people/password-hashes.ts';
import type { OpenTerminal } from '../processing/terminals/terminal.ts';
import type { TellsMigration } from '../storage/connection/migrate.ts';
import type { Log } from '../telemetry/log.ts';
import type { Watches } from '../telemetry/seen.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { Crew } from './workers/crew.ts';

export type Settings = {
  readonly mode: 'sandbox' | 'production';
  /** How many processes `tender start` runs behind the port. */
  readonly workers?: number | undefined;
  readonly host: string;
  readonly port: number;
  /** Where administrators are served: on this machine only unless given. */
  readonly adminHost?: string | undefined;
  /** The administrators' port; a free one unless given. */
  readonly adminPort?: number | undefined;
  /** The certificate and the key of the interface's own TLS; plain HTTP unless given. */
  readonly tlsCertificate?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** Authorities of client certificates that merchants and card networks are asked for. */
  readonly tlsClientCa?: string | undefined;
  /** The same for the administrators' port. */
  readonly adminTlsCertificate?: string | undefined;
  readonly adminTlsKey?: string | undefined;
  /** The address under which browsers of administrators reach it, when a proxy stands in front. */
  readonly adminUrl?: string | undefined;
  /** The public address of the interface, when a proxy stands in front. */
  readonly baseUrl?: string | undefined;
  /** IP addresses of proxies in front: only these may say where a request comes from. */
  readonly trustedProxies?: readonly string[] | undefined;
  /**
   * Private hosts that callbacks may go to, in a sandbox: names, addresses and address ranges, each perhaps with a
   * port.
   */
  readonly callbackHosts?: readonly string[] | undefined;
  readonly dataFolder: string;
  readonly databaseUrl?: string | undefined;
  /** A standby of that server, for what may be seconds behind: lists, figures, verification. */
  readonly databaseReadUrl?: string | undefined;
  /** How many connections to that server there may be; ten unless given. */
  readonly databaseConnections?: number | undefined;
  /** The embedded database and the bank's books are in memory and gone at the end, for tests. */
  readonly inMemory?: boolean | undefined;
  readonly keyFile?: string | undefined;
  /** A program, with arguments, that wraps and unwraps data keys. */
  readonly keyCommand?: string | undefined;
  /** Where data keys are wrapped when a key file and a key command are named; behind the command unless given. */
  readonly wrapWith?: 'file' | 'command' | undefined;
  /** A folder in memory, in which the keys of waiting security codes have one of their own; /dev/shm unless given. */
  readonly codeKeyFolder?: string | undefined;
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
  /** Whether the documentation is served at /docs; unless given, in a sandbox only. */
  readonly docs?: 'on' | 'off' | undefined;
  /** How many days the journal keeps requests. */
  readonly keepRequests?: number | 'forever' | undefined;
  /** How many days every try to call a merchant is told of. */
  readonly keepCallbackAttempts?: number | 'forever' | undefined;
  /** How many connections the interface keeps open in all, and from one address range. */
  readonly maxConnections?: number | undefined;
  readonly maxConnectionsPerAddress?: number | undefined;
  /** How many days the journal keeps requests without a right signature. */
  readonly keepStrangers?: number | 'forever' | undefined;
  /**
   * How many requests without a right signature an address range may send in a minute; unless given, in production
   * only.
   */
  readonly strangerLimit?: number | 'off' | undefined;
  /** How many orders may be in flight on this node, and the percentage of them that one merchant may have. */
  readonly ordersInFlight?: number | undefined;
  readonly merchantShare?: number | undefined;
  /** How many milliseconds a request may have to wait for its turn; beyond it requests are refused for the moment. */
  readonly mostWaitMs?: number | 'off' | undefined;
  /** Where ids begin, for whoever moves from another gateway: they never go back. */
  readonly firstId?: number | undefined;
  /** Whether every request leaves a line in the log; off unless given. */
  readonly requestLog?: boolean | undefined;
  /** The OpenTelemetry collector that spans are sent to; none are made unless given. */
  readonly otlpUrl?: string | undefined;
  /** Where heads of the audit chain are sent: files, syslog servers, addresses on the web. */
  readonly auditHeads?: readonly string[] | undefined;
  /** The file with the key that signs heads which are sent over the web. */
  readonly auditHeadsKey?: string | undefined;
  /** The mail server that takes receipts for payers, and the address they come from; none are sent unless given. */
  readonly smtpUrl?: string | undefined;
  readonly mailFrom?: string | undefined;
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
  /** For tests, which sign in hundreds of people: what hashing a password costs. No command and no setting gives it. */
  readonly passwordCost?: PasswordCost | undefined;
  /** Makes spans of what happens; opened with the gateway when a collector is named. */
  readonly tracing?: Tracing | undefined;
  /** Called when the embedded database died: the process must end, and the next start recovers. */
  readonly onFatal?: (error: Error) => void;
  /** Told of each migration of a database that is not new: on a large one they take long. */
  readonly tellMigration?: TellsMigration | undefined;
  /** Hears how far the books of the simulated bank have been read, when a start has to read them whole. */
  readonly watchesStart?: ProgressWatch | undefined;
  /** The workers beside this process, where it is one of several. */
  readonly crew?: Crew | undefined;
  /** Sees what happens in a sandbox: requests, answers of banks, callbacks. It is never asked in production. */
  readonly watches?: Watches | undefined;
};

/** How long a crashed node keeps its transactions: longer than the acquirer's time-out and a slow commit. */
export const LEASE_MS = 45_000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a preauthorisation holds its money. */
export const HOLD_MS = 7 * DAY_MS;

export function servesDocs({ mode, docs = mode === 'sandbox' ? 'on' : 'off' }: Settings): boolean {
  return docs === 'on';
}

/** How many days the journal keeps requests: the year PCI DSS asks for, and a month to look back at it. */
const KEEP_REQUESTS_DAYS = 400;

/** How long the journal keeps requests; undefined means for ever. */
export function keptMsOf({ keepRequests = KEEP_REQUESTS_DAYS }: Settings): number | undefined {
  return keepRequests === 'forever' ? undefined : keepRequests * DAY_MS;
}

/** Longer than merchants ask why a callback did not come; how a callback ended is kept with its order. */
const KEEP_CALLBACK_ATTEMPTS_DAYS = 90;

export function attemptsKeptMsOf(settings: Settings): number | undefined {
  const { keepCallbackAttempts = KEEP_CALLBACK_ATTEMPTS_DAYS } = settings;
  return keepCallbackAttempts === 'forever' ? undefined : keepCallbackAttempts * DAY_MS;
}

/** Long enough to look into an attack on the Monday after it. */
const KEEP_STRANGERS_DAYS = 7;

/** How long the journal keeps requests of strangers; undefined means as long as the others. */
export function strangersKeptMsOf({ keepStrangers = KEEP_STRANGERS_DAYS }: Settings): number | undefined {
  return keepStrangers === 'forever' ? undefined : keepStrangers * DAY_MS;
}

/** Five a second: a shop whose key is wrong is still told why, and nobody guesses much or costs much. */
const STRANGER_LIMIT = 300;

/** Undefined sets no limit. A sandbox is asked wrongly again and again by who learns how to ask. */
export function strangerLimitOf({ mode, strangerLimit }: Settings): number | undefined {
  const limit = strangerLimit ?? (mode === 'sandbox' ? 'off' : STRANGER_LIMIT);
  return limit === 'off' ? undefined : limit;
}

/** In all, what a few hundred megabytes hold; from one address range, more than the proxies of a carrier open. */
const MAX_CONNECTIONS = 10_000;
const MAX_CONNECTIONS_PER_ADDRESS = 1_000;

export function connectionBoundsOf(settings: Settings): ConnectionBounds {
  const { maxConnections = MAX_CONNECTIONS, maxConnectionsPerAddress = MAX_CONNECTIONS_PER_ADDRESS } = settings;
  return { all: maxConnections, perBlock: maxConnectionsPerAddress };
}

export function orderRoomOf({ ordersInFlight: most = ROOM.most, merchantShare: share = ROOM.share }: Settings): Room {
  return { most, share };
}

/** Undefined refuses nobody. */
export function mostWaitMsOf({ mostWaitMs = MOST_WAIT_MS }: Settings): number | undefined {
  return mostWaitMs === 'off' ? undefined : mostWaitMs;
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
