// Keeps a merchant's own charges of stored cards within the card networks' limits. All nodes count in the database,
// attempts in flight included; charges of one card start one after the other here, so that they see each other.

import { ANY_AMOUNT_WINDOW_MS, type Forbidden, judgeAttempt, WINDOW_MS } from '../../domain/card/network-limits.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Refusal, refuse } from '../../domain/errors.ts';
import type { CardAttemptStore } from '../../storage/cards/card-attempts.ts';
import type { StoredCard } from '../../storage/store.ts';

export type StoredCardCharge = {
  readonly merchantId: number;
  readonly card: StoredCard;
  readonly currency: string;
  /** The amount, and those to be tried when it is declined. */
  readonly amounts: readonly bigint[];
  /** How many terminals stand behind the first one on its route. */
  readonly furtherTerminals?: number;
};

/** When it is off, every attempt is sent, and the acquirer passes on the card networks' fees. */
export type LimitMode = 'on' | 'off';

/** All fingerprints a card may have been noted by; a promise only where the card has to be opened for it. */
type FingerprintsOf = (merchantId: number, card: StoredCard) => readonly Buffer[] | Promise<readonly Buffer[]>;

export class NetworkLimits {
  readonly #store: CardAttemptStore;
  readonly #clock: Clock;
  readonly #enforced: boolean;
  readonly #fingerprintsOf: FingerprintsOf;
  /** The last charge of each card that is being started. */
  readonly #starting = new Map<string, Promise<unknown>>();

  constructor(
    store: CardAttemptStore,
    clock: Clock,
    mode: LimitMode = 'on',
    fingerprintsOf: FingerprintsOf = (_, card) => [card.fingerprint],
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#enforced = mode === 'on';
    this.#fingerprintsOf = fingerprintsOf;
  }

  /** Starts the charge if the card's network allows it, with as many further terminals as it allows. */
  async within<T>(charge: StoredCardCharge, start: (furtherTerminals: number) => Promise<T>): Promise<T | Refusal> {
    const { furtherTerminals: wanted = 0 } = charge;
    if (!this.#enforced) return start(wanted);
    const known = this.#fingerprintsOf(charge.merchantId, charge.card);
    const fingerprints = known instanceof Promise ? await known : known;
    const key = `${charge.merchantId} ${fingerprints[0]?.toString('latin1')}`;
    const turn = (this.#starting.get(key) ?? Promise.resolve()).then(async () => {
      const judge = await this.#judgeOf(charge, fingerprints);
      const forbidden = judge(0);
      if (forbidden) return refusalOf(forbidden);
      let further = wanted;
      while (judge(further)) further -= 1;
      return start(further);
    });
    const ended = turn.catch(() => undefined);
    this.#starting.set(key, ended);
    ended.then(() => this.#starting.get(key) === ended && this.#starting.delete(key));
    return turn;
  }

  async forbids(charge: StoredCardCharge): Promise<Forbidden | undefined> {
    const known = this.#fingerprintsOf(charge.merchantId, charge.card);
    const fingerprints = known instanceof Promise ? await known : known;
    return (await this.#judgeOf(charge, fingerprints))(charge.furtherTerminals ?? 0);
  }

  async #judgeOf({ merchantId, card, currency, amounts }: StoredCardCharge, fingerprints: readonly Buffer[]) {
    const now = this.#clock.now();
    const windows = { since: now - WINDOW_MS, anyAmountSince: now - ANY_AMOUNT_WINDOW_MS };
    const found = await this.#store.find({ merchantId, card, fingerprints, amounts, ...windows });
    return (furtherTerminals: number) =>
      judgeAttempt({ brand: card.brand, currency, amounts, furtherTerminals, now, ...found });
  }
}

function refusalOf({ until, because }: Forbidden): Refusal {
  const again =
    until === undefined
      ? 'it must not be tried again'
      : `it may be tried again from ${new Date(until).toISOString().slice(0, 19).replace('T', ' ')} UTC on`;
  return refuse('retries-used-up', { hint: `${because}; ${again}` });
}
