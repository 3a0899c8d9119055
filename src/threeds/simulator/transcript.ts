// Every message that passes the simulated card networks, in order, for tests and for people who look for a fault.
// Card numbers are masked and long texts are cut before an entry is kept; when it is full, the oldest are dropped.

import { maskCardNumber } from '../../domain/card/card.ts';
import type { Clock } from '../../domain/clock.ts';

export type Party = '3ds-server' | 'directory' | 'acs' | 'browser';

export type TranscriptEntry = {
  readonly at: number;
  readonly from: Party;
  readonly to: Party;
  /** For example AReq or PARes; `unreadable` for what could not be read. */
  readonly name: string;
  readonly message: Readonly<Record<string, unknown>>;
};

const MOST_ENTRIES = 1_000;
/** Strangers write some of them. */
const LONGEST_KEPT = 2_048;

export class Transcript {
  readonly #clock: Clock;
  readonly #entries: TranscriptEntry[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  note(from: Party, to: Party, name: string, message: object = {}): void {
    this.#entries.push({ at: this.#clock.now(), from, to, name, message: masked(message) });
    if (this.#entries.length > MOST_ENTRIES) this.#entries.shift();
  }
}

const CARD_NUMBERS = new Set(['acctNumber', 'pan']);

function masked(message: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [
      name,
      CARD_NUMBERS.has(name) && typeof value === 'string' ? maskCardNumber(value) : shortened(value),
    ]),
  );
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= LONGEST_KEPT ? value : `${value.slice(0, LONGEST_KEPT)}…`;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
