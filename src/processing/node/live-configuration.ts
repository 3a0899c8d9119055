// The configuration in memory: who a login is, where a path id leads. It is read whole, and again when its version
// changes, so that no request waits for it. A node notices a change within a second, and reads the vault's keys too.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../domain/clock.ts';
import type { Look } from '../../domain/merchant/look.ts';
import type { Endpoint, EndpointGroup, Merchant } from '../../domain/merchant/merchant.ts';
import type { TamperedRecord } from '../../domain/records.ts';
import { Secret } from '../../domain/secret.ts';
import type { Configuration, ConfigurationStore, StoredKey } from '../../storage/configuration.ts';
import { outageOf } from '../../storage/database.ts';
import type { StoredTerminal } from '../../storage/terminals.ts';
import { controlKeyPlace, terminalPlace } from '../../vault/places.ts';
import type { Vault } from '../../vault/vault.ts';
import { type OrderRules, rulesFor } from '../screening/screening-rules.ts';
import { type OpenedNetworks, openedNetworks } from './opened-networks.ts';
import { trustedConfiguration } from './trusted-configuration.ts';

/** How often a node asks whether the configuration has changed. */
export const CONFIGURATION_POLL_MS = 1_000;

/** How often a node reads all of it, whether it has changed or not, to find what somebody else has written. */
const RECORDS_CHECK_MS = 60_000;

export type PathTarget =
  | { readonly kind: 'endpoint'; readonly merchantId: number; readonly endpoint: Endpoint }
  | { readonly kind: 'group'; readonly merchantId: number; readonly group: EndpointGroup };

/** A terminal with the secrets of its connector. */
export type LiveTerminal = Omit<StoredTerminal, 'sealed' | 'secretNames'> & {
  readonly secrets: Readonly<Record<string, Secret<string>>>;
};

export type LiveConfigurationParts = {
  readonly store: ConfigurationStore;
  readonly vault: Vault;
  readonly mode: 'sandbox' | 'production';
  readonly clock: Clock;
  /** Called when another list of tampered records was found than before. */
  readonly tellTampered?: ((tampered: readonly TamperedRecord[]) => void) | undefined;
};

export class LiveConfiguration {
  readonly #parts: LiveConfigurationParts;
  #version = '';
  #readAt = 0;
  #byLogin = new Map<string, Merchant>();
  #byId = new Map<number, Merchant>();
  #targets = new Map<string, PathTarget>();
  /** It never gets shorter: work of a merchant whose record was tampered with is still due. */
  #shards: readonly number[] = [0];
  #mostKeys = { control: 1, rsa: 1 };
  #looks: ReadonlyMap<number, Look> = new Map();
  #networks: OpenedNetworks = new Map();
  /** Public keys by their PEM: reading one takes longer than all else that is read of a merchant. */
  #publicKeys: ReadonlyMap<string, KeyObject> = new Map();
  #refreshed: Promise<void> = Promise.resolve();
  #screening: ReturnType<typeof rulesFor> = () => undefined;
  #terminals: readonly LiveTerminal[] = [];
  #told: () => void = () => {};
  #last: Configuration | undefined;
  #checkedAt = 0;
  #tampered: readonly TamperedRecord[] = [];

  constructor(parts: LiveConfigurationParts) {
    this.#parts = parts;
  }

  /** When the configuration was last known to be the same as in the database. */
  get readAt(): number {
    return this.#readAt;
  }

  byLogin(login: string): Merchant | undefined {
    return this.#byLogin.get(login);
  }

  byId(merchantId: number): Merchant | undefined {
    return this.#byId.get(merchantId);
  }

  target(pathId: string): PathTarget | undefined {
    return this.#targets.get(pathId);
  }

  endpoint(endpointId: number): Endpoint | undefined {
    const target = this.target(String(endpointId));
    return target?.kind === 'endpoint' ? target.endpoint : undefined;
  }

  /** How many keys of a kind a merchant has at most that may be valid: a wrong signature is tried on as many. */
  get mostKeys(): { readonly control: number; readonly rsa: number } {
    return this.#mostKeys;
  }

  /** Whether the endpoint, or its merchant for all of them, takes strictly signed requests only. */
  isStrict({ strictSigning, merchantId }: Endpoint): boolean {
    return strictSigning || this.byId(merchantId)?.strictSigning === true;
  }

  /** The rules an order on the endpoint must pass; undefined when there are neither limits nor lists. */
  screening(endpoint: Endpoint): OrderRules | undefined {
    return this.#screening(endpoint);
  }

  look(endpointId: number): Look {
    return this.#looks.get(endpointId) ?? {};
  }

  /** The directory servers of card brands; another map as soon as one of them differs. */
  get networks(): OpenedNetworks {
    return this.#networks;
  }

  endpointsOf(group: EndpointGroup): Endpoint[] {
    return group.endpointIds.flatMap((id) => this.endpoint(id) ?? []);
  }

  /** A sandbox has nothing to hide, so errors may be explained at length. */
  get isSandbox(): boolean {
    return this.#parts.mode === 'sandbox';
  }

  get merchants(): Iterable<Merchant> {
    return this.#byId.values();
  }

  /** The shards that have merchants, and the first. */
  get shards(): readonly number[] {
    return this.#shards;
  }

  get targets(): Iterable<PathTarget> {
    return this.#targets.values();
  }

  /** Another list after every reading. */
  get terminals(): readonly LiveTerminal[] {
    return this.#terminals;
  }

  /** Calls the function after every reading from now on. */
  tell(read: () => void): void {
    const before = this.#told;
    this.#told = () => {
      before();
      read();
    };
  }

  refresh(): Promise<void> {
    // Readings come one after another: an earlier one must not overwrite a later one.
    this.#refreshed = this.#refreshed.catch(() => {}).then(() => this.#read());
    return this.#refreshed;
  }

  async #read(): Promise<void> {
    const askedAt = this.#parts.clock.now();
    const { store, vault } = this.#parts;
    const keyBefore = vault.recordKey;
    const stored = await store.read();
    await vault.refresh();
    // Another key of records: what was read was judged by the old one.
    const read = trustedConfiguration(vault.recordKey === keyBefore ? stored : await store.read(), this.#last);
    const { version, merchants, shards, endpoints, groups, keys, looks, screening, terminals, networks } = read;
    const unopened: TamperedRecord[] = [];
    const keysOf = new Map<number, StoredKey[]>();
    for (const key of keys) keysOf.set(key.merchantId, [...(keysOf.get(key.merchantId) ?? []), key]);
    const mostKeys = { control: 1, rsa: 1 };
    for (const own of keysOf.values()) {
      for (const kind of ['control', 'rsa'] as const) {
        const lasting = own.filter((key) => key.kind === kind && (key.validUntil ?? askedAt) >= askedAt);
        mostKeys[kind] = Math.max(mostKeys[kind], lasting.length);
      }
    }
    const byLogin = new Map<string, Merchant>();
    const publicKeys = new Map<string, KeyObject>();
    const byId = new Map<number, Merchant>();
    for (const stored of merchants) {
      const own = keysOf.get(stored.merchantId) ?? [];
      const merchant = { ...stored, ...(await this.#openKeys(own, publicKeys, unopened)) };
      byLogin.set(merchant.login, merchant);
      byId.set(merchant.merchantId, merchant);
    }
    const targets = new Map<string, PathTarget>();
    for (const stored of endpoints) {
      // In production no endpoint is a sandbox, even if the database began as one.
      const endpoint = { ...stored, sandbox: stored.sandbox && this.#parts.mode === 'sandbox' };
      targets.set(String(endpoint.endpointId), { kind: 'endpoint', merchantId: endpoint.merchantId, endpoint });
    }
    for (const group of groups) {
      targets.set(String(group.groupId), { kind: 'group', merchantId: group.merchantId, group });
    }
    const opened: LiveTerminal[] = [];
    for (const one of terminals) {
      const live = await opening(unopened, 'terminals', one.name, () => this.#openSecrets(one));
      if (live) opened.push(live);
    }
    this.#networks = await openedNetworks(networks, this.#parts, this.#networks);
    this.#byLogin = byLogin;
    this.#byId = byId;
    this.#shards = [...new Set([...this.#shards, ...shards])];
    this.#mostKeys = mostKeys;
    this.#targets = targets;
    this.#looks = looks;
    this.#publicKeys = publicKeys;
    this.#screening = rulesFor(screening);
    this.#version = version;
    this.#terminals = opened;
    this.#readAt = askedAt;
    this.#checkedAt = askedAt;
    this.#last = read;
    this.#tell([...read.tampered, ...unopened]);
    this.#told();
  }

  /** What somebody else than the administration has written, as of the last reading. */
  get tampered(): readonly TamperedRecord[] {
    return this.#tampered;
  }

  #tell(tampered: readonly TamperedRecord[]): void {
    const isSame = isDeepStrictEqual(tampered, this.#tampered);
    this.#tampered = tampered;
    if (!isSame) this.#parts.tellTampered?.(tampered);
  }

  async refreshIfChanged(): Promise<void> {
    await this.#parts.vault.refresh();
    const askedAt = this.#parts.clock.now();
    const isChanged = (await this.#parts.store.version()) !== this.#version;
    // Whoever writes into the database does not count its version up.
    if (isChanged || askedAt - this.#checkedAt >= RECORDS_CHECK_MS) return this.refresh();
    this.#readAt = askedAt;
  }

  /** Follows changes made by other nodes until the signal is aborted, and reports whether each look worked. */
  async follow(
    signal: AbortSignal,
    tell: { readonly worked: () => void; readonly failed: (error: unknown) => void },
  ): Promise<void> {
    while (!signal.aborted) {
      await this.#parts.clock.sleep(CONFIGURATION_POLL_MS, signal);
      if (!signal.aborted) await this.refreshIfChanged().then(tell.worked, tell.failed);
    }
  }

  async #openSecrets({ sealed, secretNames: _, ...terminal }: StoredTerminal): Promise<LiveTerminal> {
    if (!sealed) return { ...terminal, secrets: {} };
    const opened = await this.#parts.vault.reveal(sealed, terminalPlace(terminal));
    const secrets = Object.entries<string>(JSON.parse(opened.reveal())).map(([name, value]) => [
      name,
      new Secret(value),
    ]);
    return { ...terminal, secrets: Object.fromEntries(secrets) };
  }

  /** Adds every public key to `known`. */
  async #openKeys(
    keys: readonly StoredKey[],
    known: Map<string, KeyObject>,
    unopened: TamperedRecord[],
  ): Promise<Pick<Merchant, 'controlKeys' | 'publicKeys'>> {
    const controlKeys: Merchant['controlKeys'][number][] = [];
    const publicKeys: Merchant['publicKeys'][number][] = [];
    for (const stored of keys) {
      const { keyId, validFrom, validUntil, operations } = stored;
      if (stored.kind === 'control') {
        const place = `${stored.merchantId} ${keyId}`;
        const key = await opening(unopened, 'merchant_keys', place, () =>
          this.#parts.vault.reveal(stored.sealed, controlKeyPlace(stored)),
        );
        if (key) controlKeys.push({ keyId, validFrom, validUntil, operations, key });
      } else {
        const pem = stored.publicKey;
        const key = known.get(pem) ?? this.#publicKeys.get(pem) ?? createPublicKey(pem);
        known.set(pem, key);
        publicKeys.push({ keyId, validFrom, validUntil, operations, key });
      }
    }
    return { controlKeys, publicKeys };
  }
}

/** Undefined, and told, when it was sealed by somebody else; a database that is away is no proof of that. */
async function opening<T>(
  unopened: TamperedRecord[],
  table: string,
  key: string,
  open: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (outageOf(error) !== undefined) throw error;
    unopened.push({ table, place: `${table} ${key}`, cause: 'cannot be opened: it was sealed by somebody else' });
    return undefined;
  }
}
