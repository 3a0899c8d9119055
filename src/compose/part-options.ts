// The options that every part of a gateway is opened with.

import { type Clock, systemClock } from '../domain/clock.ts';
import type { MovableClock } from '../domain/movable-clock.ts';
import type { Log } from '../telemetry/log.ts';
import { databaseOutages } from '../telemetry/outage-log.ts';
import { sandboxClockOf } from './sandbox/sandbox-clock.ts';
import { ACQUIRER_TIMEOUT_MS, LEASE_MS, type Settings, type Surroundings } from './settings.ts';
import { type OpenTracing, openTracing } from './telemetry/open-tracing.ts';

export type PartOptions = {
  readonly settings: Settings;
  readonly surroundings: Surroundings;
  /** The way of spans to a collector, when one is named. */
  readonly spans: OpenTracing | undefined;
  readonly clock: Clock;
  /** The same clock, where it can be put forward. */
  readonly sandboxClock: MovableClock | undefined;
  /** This log reports a database that is away as one outage. */
  readonly log: Log;
  readonly databaseWorked: () => void;
  readonly leaseMs: number;
  readonly addresses: Addresses;
  /** Functions that close the parts opened so far; the first part is closed last. */
  readonly opened: (() => Promise<unknown>)[];
};

export function partOptions(settings: Settings, surroundings: Surroundings): PartOptions {
  const { leaseMs = LEASE_MS, acquirerTimeoutMs = ACQUIRER_TIMEOUT_MS } = settings;
  if (leaseMs <= acquirerTimeoutMs) {
    throw new Error(`the lease of ${leaseMs} ms must be longer than the bank's time-out of ${acquirerTimeoutMs} ms`);
  }
  const { clock: given = systemClock } = surroundings;
  const sandboxClock = sandboxClockOf(settings, given);
  const clock = sandboxClock ?? given;
  const { log, worked: databaseWorked } = databaseOutages(surroundings.log, clock);
  const addresses = new Addresses(settings);
  const spans = settings.otlpUrl === undefined ? undefined : openTracing(settings.otlpUrl);
  const around = spans ? { ...surroundings, tracing: spans.tracing } : surroundings;
  return {
    settings,
    surroundings: around,
    spans,
    clock,
    sandboxClock,
    log,
    databaseWorked,
    leaseMs,
    addresses,
    opened: [],
  };
}

type Listening = Pick<Settings, 'host' | 'port' | 'baseUrl' | 'tlsCertificate'>;

/** The public address, perhaps of a proxy, and the own without one. The port is known when the gateway listens. */
class Addresses {
  #listening: Listening;
  #adminPort = 0;

  constructor(listening: Listening) {
    this.#listening = listening;
  }

  listensOn(port: number): void {
    this.#listening = { ...this.#listening, port };
  }

  adminListensOn(port: number): void {
    this.#adminPort = port;
  }

  /** 0 until the administrators' door is open. */
  get adminPort(): number {
    return this.#adminPort;
  }

  /** The public address of the interface. */
  get base(): string {
    return (this.#listening.baseUrl ?? `${this.local}/paynet`).replace(/\/$/, '');
  }

  /** The path part of the public address. */
  get basePath(): string {
    return new URL(this.base).pathname.replace(/\/$/, '');
  }

  /** Where health, metrics and the OpenAPI document are, without a proxy. */
  get local(): string {
    const { host, port, tlsCertificate } = this.#listening;
    const reachable = ['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host) ? 'localhost' : host;
    const scheme = tlsCertificate === undefined ? 'http' : 'https';
    return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  }

  /** Where this process itself reaches the interface. */
  get localBase(): string {
    return this.local + this.basePath;
  }
}
