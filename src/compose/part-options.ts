// The options that every part of a gateway is opened with.

import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, systemClock } from '../domain/clock.ts';
import type { MovableClock } from '../domain/time/movable-clock.ts';
import type { Log } from '../telemetry/log.ts';
import { databaseOutages } from '../telemetry/outage-log.ts';
import type { Watches } from '../telemetry/seen.ts';
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
  /** Sees what happens in a sandbox. */
  readonly watches: Watches | undefined;
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
  const watches = settings.mode === 'sandbox' ? surroundings.watches : undefined;
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
    watches,
    leaseMs,
    addresses,
    opened: [],
  };
}

type Listening = Pick<Settings, 'mode' | 'host' | 'port' | 'baseUrl' | 'tlsCertificate'>;

/**
 * The public address, perhaps of a proxy, and the own without one. The port is known when the gateway listens.
 *
 * A sandbox without `--base-url` is reached by names that it does not know, such as that of its container or of a
 * published port. What it gives out while it answers a request leads to where the request came to.
 */
export class Addresses {
  readonly #calledBase = new AsyncLocalStorage<string>();
  #listening: Listening;
  #local: string;
  #adminPort = 0;

  constructor(listening: Listening) {
    this.#listening = listening;
    this.#local = localOf(listening);
  }

  listensOn(port: number): void {
    this.#listening = { ...this.#listening, port };
    this.#local = localOf(this.#listening);
  }

  adminListensOn(port: number): void {
    this.#adminPort = port;
  }

  /** 0 until the administrators' door is open. */
  get adminPort(): number {
    return this.#adminPort;
  }

  /** The public address of the interface, for who is being answered. */
  get base(): string {
    return this.#calledBase.getStore() ?? this.announced;
  }

  /** The public address as far as settings tell it, the same for everybody. */
  get announced(): string {
    return (this.#listening.baseUrl ?? `${this.local}/paynet`).replace(/\/$/, '');
  }

  /** The path part of the public address. */
  get basePath(): string {
    return new URL(this.announced).pathname.replace(/\/$/, '');
  }

  /** Whether who calls by another name is given addresses with that name. */
  get followsCallers(): boolean {
    const { mode, baseUrl } = this.#listening;
    return mode === 'sandbox' && baseUrl === undefined;
  }

  /** Does the work of answering a request that came to this origin. */
  answering<T>(origin: string | undefined, work: () => T): T {
    if (origin === undefined || this.#isOwn(origin)) return work();
    return this.#calledBase.run(origin + this.basePath, work);
  }

  /** An address of ours that was made for nobody in particular, as who is being answered reaches it. */
  asReached(url: string): string {
    const { announced, base } = this;
    return base !== announced && url.startsWith(`${announced}/`) ? base + url.slice(announced.length) : url;
  }

  /** The names of this machine lead to the same place. */
  #isOwn(origin: string): boolean {
    const { local } = this;
    return origin === local || origin.replace(/\/\/(127\.0\.0\.1|\[::1\])(?=:|$)/, '//localhost') === local;
  }

  /** Where health, metrics and the OpenAPI document are, without a proxy. */
  get local(): string {
    return this.#local;
  }

  /** Where this process itself reaches the interface. */
  get localBase(): string {
    return this.local + this.basePath;
  }
}

function localOf({ host, port, tlsCertificate }: Listening): string {
  const reachable = ['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host) ? 'localhost' : host;
  const scheme = tlsCertificate === undefined ? 'http' : 'https';
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
