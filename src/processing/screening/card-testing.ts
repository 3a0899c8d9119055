// The defence against card testing. Which sources were declined with which cards is kept in the database for all nodes,
// and in memory here: a payment costs one look at memory. Only declines are written, and approvals that make good for
// them, after the order itself. A try that is under way counts for nothing yet, so that a source may have as many more
// cards declined as it has under way at once.

import { isCardAttempt } from '../../domain/card/card-attempts.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import { isMerchantInitiated, type Order, type OrderKey, type Transaction } from '../../domain/order/order.ts';
import {
  type CardTry,
  SOURCE_KINDS,
  type SourceKind,
  sourceOf,
  stopsCardTesting,
  suspicion,
  testingReason,
  WINDOW_MS_OF,
} from '../../domain/screening/card-testing.ts';
import type { FilterReason } from '../../domain/screening/filter-reason.ts';
import type { CardTryStore, StoredTry } from '../../storage/cards/card-tries.ts';
import type { OrderChange } from '../../storage/store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Vault } from '../../vault/vault.ts';
import type { LiveConfiguration } from '../node/live-configuration.ts';
import { EndpointWatch } from './endpoint-watch.ts';

const LOOK_EVERY_MS = 1_000;
const FORGET_EVERY_MS = 60_000;
const FORGET_LOT = 5_000;
const LONGEST_MS = Math.max(...Object.values(WINDOW_MS_OF));

/** A row may be seen this much later than its time says: its commit took so long, or a clock is behind. */
const OVERLAP_MS = 10_000;

const MAX_READ = 50_000;
const MAX_SOURCES = 50_000;
const MAX_WATCHED = 20_000;
const MAX_WAITING = 10_000;
const LOT = 100;

export type CardTestingParts = {
  readonly clock: Clock;
  readonly configuration: Pick<LiveConfiguration, 'endpoint'>;
  readonly log: Log;
  readonly store: CardTryStore;
  readonly vault: Pick<Vault, 'fingerprint'>;
  /** Hears of every payment that is filtered. */
  readonly filtered: (kind: SourceKind) => void;
};

type Source = { readonly kind: SourceKind; readonly cards: Map<string, CardTry> };

/** A payment whose approval makes good for declines of these sources. */
type WatchedPayment = {
  readonly merchantId: number;
  readonly card: string;
  readonly sources: ReadonlyMap<string, SourceKind>;
};

type DeclinedTry = OrderKey & { readonly seq: number; readonly endpointId: number };

/** A payment that is about to be made. */
export type TriedPayment = {
  readonly order: Pick<Order, 'merchantId' | 'orderId'>;
  readonly card: Buffer;
  readonly details: OrderDetails;
};

export class CardTesting {
  readonly #parts: CardTestingParts;
  readonly #watch: EndpointWatch;
  /** By the digest of what they are. */
  readonly #sources = new Map<string, Source>();
  readonly #watched = new Map<number, WatchedPayment>();
  readonly #waiting: (DeclinedTry | StoredTry)[] = [];
  #writing: Promise<void> | undefined;
  #readUntil = 0;
  #forgotAt = 0;

  constructor(parts: CardTestingParts) {
    this.#parts = parts;
    this.#watch = new EndpointWatch(parts.log);
  }

  /** Endpoints under attack, with the share of payments that is declined. */
  get attacked(): EndpointWatch['attacked'] {
    return this.#watch.attacked;
  }

  /** Sources with a declined card that nothing made good for. */
  get suspects(): number {
    const now = this.#parts.clock.now();
    let count = 0;
    for (const { kind, cards } of this.#sources.values()) if (suspicion(kind, cards.values(), now) > 0) count += 1;
    return count;
  }

  /** Why the payment is filtered, if it is. A card that was approved from there passes: its payer is real. */
  reasonFor(endpoint: Endpoint, { order, card, details }: TriedPayment): FilterReason | undefined {
    if (this.#sources.size === 0 || !stopsCardTesting(endpoint)) return undefined;
    const { merchantId, orderId } = order;
    const suspects = new Map<string, SourceKind>();
    const now = this.#parts.clock.now();
    for (const kind of SOURCE_KINDS) {
      const digest = this.#digestOf(merchantId, kind, details);
      const source = digest === undefined ? undefined : this.#sources.get(digest);
      if (!source || digest === undefined) continue;
      const count = suspicion(kind, source.cards.values(), now);
      if (count > 0) suspects.set(digest, kind);
      const reason = testingReason(kind, count, endpoint);
      if (reason === undefined || source.cards.get(this.#cardDigest(merchantId, card))?.declined === false) continue;
      this.#parts.filtered(kind);
      return reason;
    }
    if (suspects.size > 0)
      this.#remember(orderId, { merchantId, card: this.#cardDigest(merchantId, card), sources: suspects });
    return undefined;
  }

  /** Hears of every change of an order once it is written. */
  readonly saw = ({ before, after }: OrderChange): void => {
    for (const transaction of after.transactions) {
      if (transaction === before.transactions[transaction.seq - 1]) continue;
      const ending = endingOf(after, transaction);
      if (ending !== undefined) this.#ended(after, transaction, ending);
    }
  };

  #ended(order: Order, { seq }: Transaction, ending: 'approved' | 'declined'): void {
    const { merchantId, orderId, endpointId } = order;
    const endpoint = this.#parts.configuration.endpoint(endpointId);
    if (!endpoint || !stopsCardTesting(endpoint)) return;
    if (ending === 'declined') this.#enqueue({ merchantId, orderId, seq, endpointId });
    else this.#approved(order);
  }

  #approved({ merchantId, orderId, endpointId }: Order): void {
    const at = this.#parts.clock.now();
    this.#watch.approved(endpointId, at);
    const watched = this.#watched.get(orderId);
    if (!watched) return;
    this.#watched.delete(orderId);
    for (const [source, kind] of watched.sources) {
      this.#enqueue({ merchantId, source, card: watched.card, kind, declined: false, at });
    }
  }

  #enqueue(...tries: (DeclinedTry | StoredTry)[]): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(...tries);
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Waits until everything that was seen is written. */
  async drained(): Promise<void> {
    await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lot = this.#waiting.splice(0, LOT);
      await this.#write(lot).catch((error: unknown) =>
        this.#parts.log.warn('declined cards could not be counted', { error, count: lot.length }),
      );
    }
  }

  async #write(lot: readonly (DeclinedTry | StoredTry)[]): Promise<void> {
    const { store } = this.#parts;
    const isStored = (one: DeclinedTry | StoredTry): one is StoredTry => 'source' in one;
    const asked = lot.filter((one): one is DeclinedTry => !isStored(one));
    const declined = asked.length > 0 ? await this.#declined(asked) : [];
    const latest = new Map([...declined, ...lot.filter(isStored)].map((one) => [`${one.source} ${one.card}`, one]));
    if (latest.size === 0) return;
    const tries = [...latest.values()];
    this.#take(tries);
    await store.write(tries);
  }

  async #declined(asked: readonly DeclinedTry[]): Promise<StoredTry[]> {
    const { clock, store } = this.#parts;
    const endpoints = new Map(asked.map(({ orderId, endpointId }) => [orderId, endpointId]));
    const at = clock.now();
    return (await store.declined(asked)).flatMap(({ merchantId, orderId, card: fingerprint, details }): StoredTry[] => {
      if (!fingerprint) return [];
      const card = this.#cardDigest(merchantId, fingerprint);
      this.#watch.declined(endpoints.get(orderId) ?? 0, card, at);
      return SOURCE_KINDS.flatMap((kind) => {
        const source = this.#digestOf(merchantId, kind, details);
        return source === undefined ? [] : [{ merchantId, source, card, kind, declined: true, at }];
      });
    });
  }

  #digestOf(merchantId: number, kind: SourceKind, details: OrderDetails): string | undefined {
    const value = sourceOf(kind, details);
    return value && this.#parts.vault.fingerprint(['card testing', `${merchantId}`, kind, value]).toString('hex');
  }

  #cardDigest(merchantId: number, fingerprint: Buffer): string {
    const values = ['card testing', `${merchantId}`, 'card', fingerprint.toString('hex')];
    return this.#parts.vault.fingerprint(values).toString('hex');
  }

  #remember(orderId: number, payment: WatchedPayment): void {
    this.#watched.set(orderId, payment);
    for (const first of this.#watched.keys()) {
      if (this.#watched.size <= MAX_WATCHED) return;
      this.#watched.delete(first);
    }
  }

  /** Takes what was written here or elsewhere into memory; the sources that were quiet for longest go first. */
  #take(tries: readonly StoredTry[]): void {
    for (const { source, kind, card, declined, at } of tries) {
      const known = this.#sources.get(source) ?? { kind, cards: new Map<string, CardTry>() };
      const before = known.cards.get(card);
      if (!before || before.at <= at) known.cards.set(card, { declined, at });
      this.#sources.delete(source);
      this.#sources.set(source, known);
    }
    for (const first of this.#sources.keys()) {
      if (this.#sources.size <= MAX_SOURCES) return;
      this.#sources.delete(first);
    }
  }

  /** Reads what all nodes have written since the last time. */
  async refresh(): Promise<void> {
    const { clock, store } = this.#parts;
    const now = clock.now();
    const since = Math.max(this.#readUntil - OVERLAP_MS, now - LONGEST_MS);
    const tries = await store.since(since, MAX_READ);
    this.#take(tries.reverse());
    this.#readUntil = now;
  }

  /** Follows what other nodes see, and forgets in time, until the signal is aborted. */
  async run(signal: AbortSignal, failed: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      await this.#parts.clock.sleep(LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      await this.refresh().catch(failed);
      this.#watch.look(this.#parts.clock.now());
      await this.#forget().catch(failed);
    }
  }

  async #forget(): Promise<void> {
    const { clock, store } = this.#parts;
    const now = clock.now();
    if (now - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now;
    for (const [digest, { kind, cards }] of this.#sources) {
      for (const [card, { at }] of cards) if (at <= now - WINDOW_MS_OF[kind]) cards.delete(card);
      if (cards.size === 0) this.#sources.delete(digest);
    }
    let removed = FORGET_LOT;
    while (removed === FORGET_LOT) removed = await store.forget(now - LONGEST_MS, FORGET_LOT);
  }
}

/** How a payer's payment has ended; undefined while it has not, and of everything else. */
function endingOf(order: Order, transaction: Transaction): 'approved' | 'declined' | undefined {
  const { stage, originalSeq, type } = transaction;
  if (isMerchantInitiated(order)) return undefined;
  if (stage === 'declined') return isCardAttempt(order, transaction) ? 'declined' : undefined;
  if (stage !== 'approved' || originalSeq !== undefined) return undefined;
  return type === 'sale' || type === 'preauth' ? 'approved' : undefined;
}
