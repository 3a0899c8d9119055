// The overview: what goes on, of all or of one merchant, out of figures that were counted before.

import { reasonText } from '../../domain/figures/end-reasons.ts';
import {
  type FigureRange,
  LONGEST_RANGE_MS,
  RANGE_NAMES,
  type RangeName,
  rangeBetween,
  rangeUntil,
} from '../../domain/figures/spans.ts';
import { id, word } from '../../domain/input-kinds.ts';
import { isDeedOver } from '../../domain/people/second-person.ts';
import { soughtCurrency, type TimeRange, timeFaults } from '../../domain/search/order-search.ts';
import { PRESENCE_LASTS_MS } from '../../processing/node/presence.ts';
import type { WaitingDeed } from '../../storage/people/waiting-deeds.ts';
import { loginOf, merchantIdsOf, onlyMerchant } from '../lookups.ts';
import { timeFilters } from '../orders/order-filters.ts';
import type { Parts } from '../parts.ts';
import { mayGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineReading } from '../verb/verb.ts';
import { overviewAnswer } from './overview-answer.ts';
import { pointsOf, terminalsOf, totalsOf } from './overview-sums.ts';
import { overviewText } from './overview-text.ts';

export const showOverview = defineReading({
  name: 'showOverview',
  summary: 'show what goes on: orders, money, declines, terminals, and what waits',
  merchants: 'own',
  example: 'tender overview --range week --merchant shop',
  given: {
    range: mayGive(word<RangeName>(RANGE_NAMES), 'how much of the time until now (default: day)', {
      as: '--range <range>',
    }),
    from: { ...timeFilters.from, says: 'from this moment or day on, in the place of a range up to now' },
    to: { ...timeFilters.to, says: 'before this moment, or on this day or earlier; now when left out' },
    login: onlyMerchant,
    endpointId: mayGive(id, 'only orders of this endpoint', { as: '--endpoint <id>' }),
    currency: mayGive(soughtCurrency, 'only orders in this currency', { as: '--currency <code>' }),
  },
  answer: overviewAnswer,
  run: async ({ range: name, from, to, login, endpointId, currency }, parts) => {
    const { clock, configuration, figures, merchantId } = parts;
    const now = clock.now();
    const range = rangeAsked({ from, to }, name, now);
    const all = await configuration.read();
    const merchantIds = merchantIdsOf(login, all);
    const query = { merchantIds, endpointId, currency, range };
    const { points, compared, before, reasons, counted } = await figures.read(query);
    const isOfMerchant = merchantId !== undefined;
    const { orders, oldest } = await figures.unfinished(merchantIds);
    return {
      range: from === undefined && to === undefined ? (name ?? 'day') : null,
      from: range.from,
      to: range.to,
      stepMinutes: range.stepMs / 60_000,
      countedAt: counted?.at,
      totals: totalsOf(points),
      compared: { ...totalsOf(compared), ...range.compared },
      before: { ...totalsOf(before), ...range.before },
      points: pointsOf(range, points),
      reasons: reasons.map((one) => ({ ...one, says: reasonText(one.status, one.reason) })),
      terminals: isOfMerchant ? null : terminalsOf(await figures.terminals(query)),
      unfinished: {
        orders,
        oldest: oldest && { ...oldest, login: loginOf(oldest.merchantId, all), since: oldest.createdAt },
      },
      callbacks: await figures.callbacks(merchantIds),
      waiting: await waitingFor(merchantIds, parts, now),
      nodes: isOfMerchant ? null : await nodesOf(parts, now),
    };
  },
  show: overviewText,
});

function rangeAsked({ from, to }: TimeRange, name: RangeName | undefined, now: number): FigureRange {
  if (from === undefined && to === undefined) return rangeUntil(now, name ?? 'day');
  const faults = timeFaults({ from, to: to ?? now });
  if (name !== undefined) faults.push('range: give it, or from and to, not both');
  if (from === undefined) faults.push('from is missing: a range that ends somewhere begins somewhere');
  else if ((to ?? now) - from > LONGEST_RANGE_MS) faults.push('from: at most 366 days are shown at once');
  if (faults.length > 0 || from === undefined) throw new InvalidInput(...faults);
  return rangeBetween(from, to ?? now, now);
}

/** What only people can end. */
async function waitingFor(merchantIds: readonly number[], { deeds, unfinished }: Parts<Waits>, now: number) {
  const isWaiting = (one: WaitingDeed) => merchantIds.includes(one.merchantId) && !isDeedOver(one, now);
  return { stuck: await unfinished.countStuck(merchantIds), deeds: (await deeds.list()).filter(isWaiting).length };
}

type Waits = 'deeds' | 'unfinished';

async function nodesOf({ nodes }: Parts<'nodes'>, now: number) {
  return (await nodes.list()).map(({ instance, version, beganAt, livesUntil }) => ({
    node: instance,
    version,
    beganAt,
    seenAt: livesUntil - PRESENCE_LASTS_MS,
    alive: livesUntil > now,
  }));
}
