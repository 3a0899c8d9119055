// Who is a stranger, and which strangers ask too much. Requests without a right signature are counted by address range,
// /24 or /64; beyond the limit further ones from there are refused before they cost anything. Requests that are signed
// rightly never count, and an address they came from within a week goes past the limit to the check of its signature.
//
// Memory decides; every second this node tells the others what it counted and whom it recognised, and hears the same.

import { addressBlock } from '../../domain/address/address-blocks.ts';
import { payerRange, readAddressRange, writeAddressRange } from '../../domain/address/address-ranges.ts';
import type { Clock } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { askedInAll, MINUTE_MS, minuteOf, secondsToNextMinute } from '../../domain/stranger-limit.ts';
import type { StrangerStore } from '../../storage/requests/strangers.ts';

const EXCHANGE_EVERY_MS = 1_000;
const KEPT_MINUTES_MS = 2 * MINUTE_MS;

/** How long an address is known, and how often its being seen is written down. */
const RECOGNISED_MS = 7 * 24 * 60 * MINUTE_MS;
const SEEN_EVERY_MS = 60 * MINUTE_MS;
/** What other nodes wrote a moment before their clocks' and ours agree on. */
const OVERLAP_MS = 10_000;

/**
 * The most address ranges that are counted one by one in a minute; the others share one count, and this many limits.
 */
const MAX_BLOCKS = 20_000;
const OTHERS = 'others';
const OTHERS_LIMITS = 20;
const MAX_RECOGNISED = 10_000;
/** The most of either that is told or heard at once. */
const MAX_NEWS = 10_000;

type Tally = { own: number; told: number; shared: number };

export type StrangersOptions = {
  readonly clock: Clock;
  readonly store: StrangerStore;
  /** How many requests an address range may send in a minute without a right signature; undefined sets no limit. */
  readonly limit: number | undefined;
};

export class Strangers {
  readonly #options: StrangersOptions;
  #minute = 0;
  #tallies = new Map<string, Tally>();
  /** When an address was last written down as seen, the latest at the end. */
  readonly #recognised = new Map<string, number>();
  readonly #fresh = new Map<string, number>();
  #heardAt = 0;
  /** The number of requests that were refused. */
  refused = 0;

  constructor(options: StrangersOptions) {
    this.#options = options;
  }

  /** How many seconds whoever asks from this address must wait; undefined when the request is to be looked at. */
  secondsToWait(address: string): number | undefined {
    const { clock, limit } = this.#options;
    if (limit === undefined) return undefined;
    const now = clock.now();
    this.#beginMinute(now);
    const block = addressBlock(address);
    const tally = this.#tallies.get(block);
    const isOver = tally ? askedInAll(tally) >= limit : this.#isOverAmongOthers(limit);
    if (!isOver || this.#isRecognised(address, now)) return undefined;
    this.refused += 1;
    return secondsToNextMinute(now);
  }

  /** Counts a request that was not signed rightly. */
  count(address: string): void {
    const { clock, limit } = this.#options;
    if (limit === undefined) return;
    this.#beginMinute(clock.now());
    this.#tallyOf(addressBlock(address)).own += 1;
  }

  /** Remembers that a request from there was signed rightly. */
  recognise(address: string): void {
    const { clock, limit } = this.#options;
    if (limit === undefined) return;
    const now = clock.now();
    const known = personOf(address);
    if (now - (this.#recognised.get(known) ?? Number.NEGATIVE_INFINITY) < SEEN_EVERY_MS) return;
    this.#remember(known, now);
    if (this.#fresh.size < MAX_NEWS) this.#fresh.set(known, now);
  }

  /** Tells and hears until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { clock, limit } = this.#options;
    if (limit === undefined) return;
    let forgottenAt = 0;
    while (!signal.aborted) {
      await clock.sleep(EXCHANGE_EVERY_MS, signal);
      const now = clock.now();
      await this.exchange().catch(onError);
      if (now - forgottenAt < MINUTE_MS) continue;
      forgottenAt = now;
      await this.#forget(now).catch(onError);
    }
  }

  async exchange(): Promise<void> {
    const { clock, limit, store } = this.#options;
    if (limit === undefined) return;
    const now = clock.now();
    this.#beginMinute(now);
    const minute = this.#minute;
    const tallies = this.#tallies;
    const telling = [...tallies].filter(([, { own, told }]) => own > told).slice(0, MAX_NEWS);
    const counted = telling.map(([block, { own, told }]) => ({ minute, block, asked: own - told }));
    const recognised = [...this.#fresh].map(([address, seenAt]) => ({ address, seenAt }));
    const since = this.#heardAt === 0 ? now - RECOGNISED_MS : this.#heardAt - OVERLAP_MS;
    const wanted = { minute, atLeast: Math.ceil(limit / 2), since, limit: MAX_NEWS };
    const heard = await store.exchange({ counted, recognised, ...wanted });
    this.#heardAt = now;
    for (const { address, seenAt } of recognised) if (this.#fresh.get(address) === seenAt) this.#fresh.delete(address);
    for (const { block, asked } of counted) present(tallies.get(block)).told += asked;
    // The latest at the end, where the map keeps them longest.
    for (const { address, seenAt } of [...heard.recognised].reverse()) this.#remember(address, seenAt);
    if (tallies !== this.#tallies) return;
    for (const { block, asked } of heard.counts) this.#tallyOf(block).shared = asked;
  }

  #forget(now: number): Promise<void> {
    const minute = minuteOf(now) - KEPT_MINUTES_MS;
    return this.#options.store.forget({ minute, seenAt: now - RECOGNISED_MS, most: MAX_RECOGNISED });
  }

  #beginMinute(now: number): void {
    const minute = minuteOf(now);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#tallies = new Map();
  }

  #tallyOf(block: string): Tally {
    const key = this.#tallies.has(block) || this.#tallies.size < MAX_BLOCKS ? block : OTHERS;
    const known = this.#tallies.get(key);
    if (known) return known;
    const tally = { own: 0, told: 0, shared: 0 };
    this.#tallies.set(key, tally);
    return tally;
  }

  #isOverAmongOthers(limit: number): boolean {
    const others = this.#tallies.get(OTHERS);
    return others !== undefined && askedInAll(others) >= limit * OTHERS_LIMITS;
  }

  #isRecognised(address: string, now: number): boolean {
    const seenAt = this.#recognised.get(personOf(address));
    return seenAt !== undefined && now - seenAt < RECOGNISED_MS;
  }

  #remember(address: string, seenAt: number): void {
    const latest = Math.max(seenAt, this.#recognised.get(address) ?? seenAt);
    this.#recognised.delete(address);
    this.#recognised.set(address, latest);
    if (this.#recognised.size > MAX_RECOGNISED) {
      this.#recognised.delete(present(this.#recognised.keys().next().value));
    }
  }
}

/** One address of version 4, or all addresses of one /64 of version 6. */
function personOf(address: string): string {
  if (!address.includes(':')) return address;
  const range = readAddressRange(address);
  return range ? writeAddressRange(payerRange(range)) : address;
}
