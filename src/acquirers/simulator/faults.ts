// How the simulated bank misbehaves, as data: by rates, which are shares of messages between 0 and 1, by the order in
// which messages arrive, and by a script. The same seed and the same order of messages always give the same faults.

import { type Fate, type ScriptStep, scriptedFate } from './fault-script.ts';
import { type Random, seededRandom } from './seeded-random.ts';

export const BANK_MESSAGES = ['instruct', 'inquire', 'reverse'] as const;
export type BankMessage = (typeof BANK_MESSAGES)[number];

export type Delay = number | { readonly from: number; readonly to: number };

/** What happens to messages by each of the rates. */
const RATES = {
  /** Connections refused before anything was sent. */
  refuseRate: 'refused',
  /** Requests that never arrive; the caller waits in vain. */
  loseRequestRate: 'request-lost',
  /** Requests that are booked and whose answer never arrives. */
  loseAnswerRate: 'answer-lost',
  /** Requests that are booked and answered with something nobody can read. */
  garbleRate: 'garbled',
  /** Requests that arrive twice and are answered twice. */
  doubleRate: 'doubled',
} as const satisfies Readonly<Record<string, Fate['end']>>;

type Rate = keyof typeof RATES;

const RATE_ENDS = Object.entries(RATES) as [Rate, Fate['end']][];

export function eachRate(make: (name: Rate) => number): Readonly<Record<Rate, number>> {
  return Object.fromEntries(RATE_ENDS.map(([name]) => [name, make(name)])) as Record<Rate, number>;
}

export type Faults = Readonly<Record<Rate, number>> & {
  readonly seed: number;
  /** Which messages are affected. */
  readonly messages: readonly BankMessage[];
  /** How long a request takes to arrive, even when the caller no longer waits. */
  readonly requestDelayMs: Delay;
  /** How long an answer takes to arrive after the booking. */
  readonly answerDelayMs: Delay;
  /** How many messages pass before rates and delays begin. */
  readonly skip: number;
  /** How many messages are affected after that, while the rest pass; 0 means all. */
  readonly limit: number;
  /** What happens to the first messages, one by one, before all of that. */
  readonly script: readonly ScriptStep[];
};

export const NO_BANK_FAULTS: Faults = {
  seed: 1,
  messages: BANK_MESSAGES,
  requestDelayMs: 0,
  answerDelayMs: 0,
  ...eachRate(() => 0),
  skip: 0,
  limit: 0,
  script: [],
};

const GOOD_FATE: Fate = { end: 'answered', requestDelayMs: 0, answerDelayMs: 0 };

/** The faults in force, which can be changed while the bank runs, and the generator that draws from them. */
export class FaultPlan {
  #faults: Faults = NO_BANK_FAULTS;
  #random: Random = seededRandom(NO_BANK_FAULTS.seed);
  #none = true;
  /** Messages that could be affected since the faults were set. */
  #arrived = 0;

  constructor(faults: Partial<Faults> = {}) {
    this.set(faults);
  }

  get faults(): Faults {
    return this.#faults;
  }

  /** Puts these faults in force, with none where nothing is given, and restarts the generator from the seed. */
  set(faults: Partial<Faults>): void {
    this.#faults = { ...NO_BANK_FAULTS, ...faults };
    this.#random = seededRandom(this.#faults.seed);
    this.#arrived = 0;
    const { requestDelayMs, answerDelayMs, script, ...rest } = this.#faults;
    const isLate = requestDelayMs !== 0 || answerDelayMs !== 0;
    this.#none = script.length === 0 && !isLate && RATE_ENDS.every(([name]) => rest[name] === 0);
  }

  fateOf(message: BankMessage): Fate {
    if (this.#none || !this.#faults.messages.includes(message)) return GOOD_FATE;
    // There are always three draws, so that changing a delay does not change which messages are lost.
    const [chance, requestDelay, answerDelay] = [this.#random(), this.#random(), this.#random()];
    const { script, skip, limit } = this.#faults;
    const arrived = this.#arrived++;
    const step = script[arrived];
    if (step !== undefined) return scriptedFate(step);
    const place = arrived - script.length - skip;
    if (place < 0 || (limit > 0 && place >= limit)) return GOOD_FATE;
    return {
      end: endAt(chance, this.#faults),
      requestDelayMs: within(this.#faults.requestDelayMs, requestDelay),
      answerDelayMs: within(this.#faults.answerDelayMs, answerDelay),
    };
  }
}

function endAt(chance: number, faults: Faults): Fate['end'] {
  let below = 0;
  for (const [name, end] of RATE_ENDS) {
    below += faults[name];
    if (chance < below) return end;
  }
  return 'answered';
}

function within(delay: Delay, chance: number): number {
  return typeof delay === 'number' ? delay : Math.round(delay.from + chance * (delay.to - delay.from));
}
