// What a directory server says about ranges of cards: the whole list is fetched once, then the changes once a day. Each
// directory server has a book of its own.

import type { Clock } from '../../domain/clock.ts';
import type { Secret } from '../../domain/secret.ts';
import { type CardRanges, rangeOf, updatedRanges, versionFor } from '../../threeds/card-ranges.ts';
import type { DirectoryServer } from '../../threeds/directory.ts';
import type { Version } from '../../threeds/messages/index.ts';
import { rangesRequest } from './requests.ts';

const REFRESH_MS = 24 * 60 * 60 * 1000;
/** When a refresh that failed is tried again; until then old ranges are good enough. */
const RETRY_MS = 60_000;

/** The directory server does not know the state our serial number stands for. */
const WRONG_SERIAL = '307';

export type CardVersion = { readonly protocol: Version; readonly methodUrl: string | undefined };

type RangeTeller = Pick<DirectoryServer, 'cardRanges'>;

export class CardRangeBook {
  #network: RangeTeller;
  readonly #clock: Clock;
  #ranges: CardRanges | undefined;
  #refreshAt = 0;
  #refreshing: Promise<void> | undefined;

  constructor(network: RangeTeller, clock: Clock) {
    this.#network = network;
    this.#clock = clock;
  }

  /** The same book; the changes are asked for here from now on. */
  toldBy(network: RangeTeller): this {
    this.#network = network;
    return this;
  }

  /** The version the card speaks; `not-found` when EMV 3DS does not know it, `unavailable` without any list. */
  async find(number: Secret<string>): Promise<CardVersion | 'not-found' | 'unavailable'> {
    if (this.#clock.now() >= this.#refreshAt) await this.#refreshed();
    if (!this.#ranges) return 'unavailable';
    const range = rangeOf(this.#ranges, number.reveal());
    const protocol = range && versionFor(this.#ranges, range);
    return protocol ? { protocol, methodUrl: range.threeDSMethodURL } : 'not-found';
  }

  /** However many ask at the same time, the directory server is asked once. */
  #refreshed(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    const serialNum = this.#ranges?.serialNum;
    const answer = await this.#network.cardRanges(rangesRequest(serialNum));
    if (answer.outcome === 'answered') {
      // A request without a serial number gets the whole list.
      this.#ranges = updatedRanges(serialNum === undefined ? undefined : this.#ranges, answer.message);
      this.#refreshAt = this.#clock.now() + REFRESH_MS;
    } else if (answer.outcome === 'refused' && answer.erro.errorCode === WRONG_SERIAL) {
      // The next request asks for the whole list.
      this.#ranges = this.#ranges && { ...this.#ranges, serialNum: undefined };
    } else if (this.#ranges) {
      this.#refreshAt = this.#clock.now() + RETRY_MS;
    }
  }
}
