// A pool of connections to whichever of several servers is the primary. Servers are looked at all at once, when there
// is no connection or a statement takes suspiciously long; once another one is the primary, connections to the old one
// are cut, so that nobody waits for a machine that is gone.

import pg from 'pg';
import { present } from '../../domain/present.ts';
import type { DatabaseAddress, DatabaseHost } from './database-address.ts';
import { type ClientPool, NO_CLIENT_FREE } from './pooled-database.ts';
import { plainReason } from './unreachable.ts';
import { chosenHost, HOST_STATE, type HostSighting, type HostState, toldSightings, whyUnfit } from './writable-host.ts';

/** How long one server is waited for when there are others. */
const HOST_PATIENCE_MS = 3_000;
/** How long the others are waited for once one fits: an old primary may answer first. */
const OTHERS_PATIENCE_MS = 150;
/** A statement that takes longer makes us look whether the primary is another one by now. */
const SUSPICIOUS_MS = 3_000;
const WATCH_MS = 1_000;

type PlacedClient = pg.PoolClient & { readonly placedAt: DatabaseHost; connection?: { stream: { destroy(): void } } };

export type HostPoolOptions = {
  readonly address: DatabaseAddress & { readonly wants: NonNullable<DatabaseAddress['wants']> };
  readonly configuration: pg.PoolConfig;
  /** Settles a new session, and tells what the server says of itself. */
  readonly prepare: (client: pg.ClientBase) => Promise<HostState>;
};

/** None of the servers can be used; the message has each with its reason. */
export class NoHostFits extends Error {
  override readonly name = 'NoHostFits';
}

class UnfitHost extends Error {
  override readonly name = 'UnfitHost';
}

export class HostPool implements ClientPool {
  readonly #address: HostPoolOptions['address'];
  readonly #pool: pg.Pool;
  readonly #watch: NodeJS.Timeout;
  readonly #clients = new Set<PlacedClient>();
  /** Since when clients are in use. */
  readonly #busySince = new Map<PlacedClient, number>();
  #inUse: DatabaseHost | undefined;
  #timeline = 0;
  #searching: Promise<void> | undefined;

  constructor({ address, configuration, prepare }: HostPoolOptions) {
    this.#address = address;
    const place = () => this.#inUse ?? present(address.hosts[0]);
    class Placed extends pg.Client {
      readonly placedAt = place();
      constructor(options: pg.ClientConfig) {
        super({ ...options, connectionString: place().url, connectionTimeoutMillis: HOST_PATIENCE_MS });
      }
    }
    const onConnect = async (client: pg.ClientBase) => this.#mustFit(await prepare(client));
    this.#pool = new pg.Pool({ ...configuration, Client: Placed, onConnect } as unknown as pg.PoolConfig);
    // The pool makes clients of the class above, and its types do not say so.
    this.#pool.on('connect', (client) => this.#clients.add(client as PlacedClient));
    this.#pool.on('remove', (client) => this.#clients.delete(client as unknown as PlacedClient));
    this.#pool.on('acquire', (client) => this.#busySince.set(client as unknown as PlacedClient, performance.now()));
    this.#pool.on('release', (_, client) => this.#busySince.delete(client as unknown as PlacedClient));
    this.#watch = setInterval(() => this.#suspect(), WATCH_MS).unref();
  }

  on(event: 'error', listener: () => void): void {
    this.#pool.on(event, listener);
  }

  async connect(): Promise<pg.PoolClient> {
    if (this.#inUse === undefined) await this.#search();
    try {
      return await this.#connectInUse();
    } catch (error) {
      // The pool throws errors only.
      if ((error as Error).message === NO_CLIENT_FREE) throw error;
      await this.#search();
      return this.#connectInUse();
    }
  }

  end(): Promise<void> {
    clearInterval(this.#watch);
    return this.#pool.end();
  }

  /** What the pool still has of another server is thrown away: at most all of its clients. */
  async #connectInUse(): Promise<pg.PoolClient> {
    for (;;) {
      // The pool makes clients of that class, and its types do not say so.
      const client = (await this.#pool.connect()) as PlacedClient;
      if (client.placedAt === this.#inUse) return client;
      client.release(true);
    }
  }

  #mustFit(state: HostState): void {
    const why = whyUnfit(state, this.#wanted());
    if (why !== undefined) throw new UnfitHost(`it ${why}`);
    this.#timeline = Math.max(this.#timeline, state.timeline ?? 0);
  }

  #wanted() {
    return { wants: this.#address.wants, timeline: this.#timeline };
  }

  /** All who need it wait for the same search. */
  #search(): Promise<void> {
    this.#searching ??= this.#look().finally(() => {
      this.#searching = undefined;
    });
    return this.#searching;
  }

  async #look(): Promise<void> {
    const sightings = await this.#sightings();
    const chosen = chosenHost(sightings, this.#wanted(), this.#inUse);
    if (!chosen) throw new NoHostFits(toldSightings(sightings, this.#wanted()));
    this.#timeline = Math.max(this.#timeline, chosen.timeline);
    if (chosen.host === this.#inUse) return;
    this.#inUse = chosen.host;
    for (const client of this.#clients) if (client.placedAt !== chosen.host) client.connection?.stream.destroy();
  }

  /**
   * Of all servers, or of those that answer soon after the first that fits. At first, when no promotion is known of,
   * all are waited for: an old primary that nobody stopped may be the quickest.
   */
  async #sightings(): Promise<HostSighting[]> {
    const seen: HostSighting[] = [];
    const { promise: oneFits, resolve } = promised();
    const all = this.#address.hosts.map(async (host) => {
      const sighting = await sighted(host);
      seen.push(sighting);
      const fits = this.#inUse !== undefined && chosenHost([sighting], this.#wanted(), undefined);
      if (fits) setTimeout(resolve, OTHERS_PATIENCE_MS);
    });
    await Promise.race([Promise.all(all), oneFits]);
    return this.#address.hosts.flatMap((host) => seen.find((sighting) => sighting.host === host) ?? []);
  }

  #suspect(): void {
    const before = performance.now() - SUSPICIOUS_MS;
    if ([...this.#busySince.values()].some((since) => since < before)) this.#search().catch(() => {});
  }
}

function promised(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

async function sighted(host: DatabaseHost): Promise<HostSighting> {
  const client = new pg.Client({
    connectionString: host.url,
    application_name: 'tender',
    connectionTimeoutMillis: HOST_PATIENCE_MS,
    query_timeout: HOST_PATIENCE_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<HostState>(HOST_STATE);
    return { host, state: rows[0] as HostState };
  } catch (error) {
    return { host, away: plainReason(error as Error) };
  } finally {
    client.end().catch(() => {});
  }
}
