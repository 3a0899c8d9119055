// How the simulated bank misbehaves (decisions, D-62), as data: rates are shares of messages between 0 and 1, delays are
// milliseconds. A seed makes it repeatable: the same seed and the same order of messages give the same faults.

import { type Random, seededRandom } from './seeded-random.ts';

export const BANK_MESSAGES = ['instruct', 'inquire', 'reverse'] as const;
export type BankMessage = (typeof BANK_MESSAGES)[number];

export type Delay = number | { readonly from: number; readonly to: number };

export type Faults = {
  readonly seed: number;
  /** Which messages are affected. */
  readonly messages: readonly BankMessage[];
  /** How long a request is under way before it arrives, even when the caller no longer waits. */
  readonly requestDelayMs: Delay;
  /** How long a booked answer is under way. */
  readonly answerDelayMs: Delay;
  /** Connections refused before anything was sent. */
  readonly refuseRate: number;
  /** Requests that never arrive; the caller waits in vain. */
  readonly loseRequestRate: number;
  /** Requests that are booked and whose answer never arrives. */
  readonly loseAnswerRate: number;
};

export const NO_FAULTS: Faults = {
  seed: 1,
  messages: BANK_MESSAGES,
  requestDelayMs: 0,
  answerDelayMs: 0,
  refuseRate: 0,
  loseRequestRate: 0,
  loseAnswerRate: 0,
};

/** What becomes of one message. */
export type Fate = {
  readonly end: 'answered' | 'refused' | 'request-lost' | 'answer-lost';
  readonly requestDelayMs: number;
  readonly answerDelayMs: number;
};

const GOOD_FATE: Fate = { end: 'answered', requestDelayMs: 0, answerDelayMs: 0 };

/** The faults in force, which can be changed while the bank runs, and the generator that draws from them. */
export class FaultPlan {
  #faults: Faults = NO_FAULTS;
  #random: Random = seededRandom(NO_FAULTS.seed);
  #none = true;

  constructor(faults: Partial<Faults> = {}) {
    this.set(faults);
  }

  get faults(): Faults {
    return this.#faults;
  }

  /** Puts these faults in force, with no faults where nothing is said, and starts the generator again from the seed. */
  set(faults: Partial<Faults>): void {
    this.#faults = { ...NO_FAULTS, ...faults };
    this.#random = seededRandom(this.#faults.seed);
    const { requestDelayMs, answerDelayMs, refuseRate, loseRequestRate, loseAnswerRate } = this.#faults;
    this.#none = [requestDelayMs, answerDelayMs, refuseRate, loseRequestRate, loseAnswerRate].every((it) => it === 0);
  }

  fateOf(message: BankMessage): Fate {
    if (this.#none || !this.#faults.messages.includes(message)) return GOOD_FATE;
    // Always three draws, so that changing a delay does not change which messages are lost.
    const [chance, requestDelay, answerDelay] = [this.#random(), this.#random(), this.#random()];
    return {
      end: endAt(chance, this.#faults),
      requestDelayMs: within(this.#faults.requestDelayMs, requestDelay),
      answerDelayMs: within(this.#faults.answerDelayMs, answerDelay),
    };
  }
}

function endAt(chance: number, { refuseRate, loseRequestRate, loseAnswerRate }: Faults): Fate['end'] {
  if (chance < refuseRate) return 'refused';
  if (chance < refuseRate + loseRequestRate) return 'request-lost';
  if (chance < refuseRate + loseRequestRate + loseAnswerRate) return 'answer-lost';
  return 'answered';
}

function within(delay: Delay, chance: number): number {
  return typeof delay === 'number' ? delay : Math.round(delay.from + chance * (delay.to - delay.from));
}
