// Whether somebody tests cards at an endpoint, as this node sees it: which share of its payments is declined, compared
// with a usual day. Nothing is stopped by it; people are told.

import { ATTACK_WINDOW_MS, declinedShare, type Ended, isUnderAttack } from '../../domain/screening/card-testing.ts';
import type { Log } from '../../telemetry/log.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What is usual is that of the last day. */
const USUAL_HOURS = 24;
/** Declined cards of one minute that are told apart. */
const MAX_CARDS = 1_000;

type Minute = { approved: number; readonly cards: Set<string> };

type Watched = {
  readonly minutes: Map<number, Minute>;
  readonly hours: Map<number, { declined: number; approved: number }>;
  attackedSince: number | undefined;
};

export class EndpointWatch {
  readonly #log: Log;
  readonly #endpoints = new Map<number, Watched>();

  constructor(log: Log) {
    this.#log = log;
  }

  approved(endpointId: number, now: number): void {
    this.#minute(endpointId, now).approved += 1;
  }

  declined(endpointId: number, card: string, now: number): void {
    const { cards } = this.#minute(endpointId, now);
    if (cards.size < MAX_CARDS) cards.add(card);
    this.#judge(endpointId, now);
  }

  /** Endpoints under attack, with the share of payments that is declined. */
  get attacked(): [endpointId: string, share: number][] {
    return [...this.#endpoints]
      .filter(([, { attackedSince }]) => attackedSince !== undefined)
      .map(([endpointId, watched]) => [String(endpointId), declinedShare(endedIn(watched))]);
  }

  /** Moves on with the time: an attack also ends when nothing comes any more. */
  look(now: number): void {
    for (const endpointId of this.#endpoints.keys()) this.#judge(endpointId, now);
  }

  #minute(endpointId: number, now: number): Minute {
    const minute = Math.floor(now / MINUTE_MS);
    const watched = this.#endpoints.get(endpointId) ?? {
      minutes: new Map(),
      hours: new Map(),
      attackedSince: undefined,
    };
    this.#endpoints.set(endpointId, watched);
    const found = watched.minutes.get(minute) ?? { approved: 0, cards: new Set() };
    watched.minutes.set(minute, found);
    return found;
  }

  #judge(endpointId: number, now: number): void {
    const watched = this.#endpoints.get(endpointId);
    if (!watched) return;
    forgetOld(watched, now);
    const ended = endedIn(watched);
    const usual = sum(watched.hours.values());
    const isAttacked = isUnderAttack(ended, usual);
    if (isAttacked === (watched.attackedSince !== undefined)) return;
    watched.attackedSince = isAttacked ? now : undefined;
    const detail = `endpoint ${endpointId}: ${ended.declined} different cards declined and ${ended.approved} payments approved`;
    if (isAttacked) this.#log.warn('somebody tests cards at an endpoint', { count: ended.declined, detail });
    else this.#log.info('the testing of cards at an endpoint is over', { detail });
  }
}

/** What has left the window counts as usual, unless it was an attack. */
function forgetOld({ minutes, hours, attackedSince }: Watched, now: number): void {
  for (const [minute, { approved, cards }] of minutes) {
    if (minute * MINUTE_MS > now - ATTACK_WINDOW_MS) continue;
    minutes.delete(minute);
    if (attackedSince !== undefined) continue;
    const hour = Math.floor((minute * MINUTE_MS) / HOUR_MS);
    const before = hours.get(hour) ?? { declined: 0, approved: 0 };
    hours.set(hour, { declined: before.declined + cards.size, approved: before.approved + approved });
  }
  for (const hour of hours.keys()) if (hour * HOUR_MS <= now - USUAL_HOURS * HOUR_MS) hours.delete(hour);
}

/** A card that was declined in two minutes is one. */
function endedIn({ minutes }: Watched): Ended {
  const cards = new Set<string>();
  let approved = 0;
  for (const minute of minutes.values()) {
    approved += minute.approved;
    for (const card of minute.cards) cards.add(card);
  }
  return { declined: cards.size, approved };
}

function sum(all: Iterable<Ended>): Ended {
  let [declined, approved] = [0, 0];
  for (const one of all) {
    declined += one.declined;
    approved += one.approved;
  }
  return { declined, approved };
}
