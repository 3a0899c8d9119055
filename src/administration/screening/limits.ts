// The limits and the duplicate guard of an endpoint: how often and how much the same payer may pay there.

import { id, nameOf, wholeNumber, word } from '../../domain/input-kinds.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { readAmount, writeAmount } from '../../domain/money/money.ts';
import { duplicateGuard, type VelocityLimit } from '../../domain/screening/screening.ts';
import { shown } from '../../domain/text.ts';
import type { Configuration } from '../../storage/configuration.ts';
import type { EndpointLimit } from '../../storage/screening-rules.ts';
import { endpointOf, loginOf, merchantLogin, merchantOf } from '../lookups.ts';
import type { Parts } from '../parts.ts';
import {
  type Answered,
  aList,
  aNumber,
  anAmount,
  anObject,
  aText,
  aWord,
  orNull,
  type RawAnswer,
  told,
} from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { textTable } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { timeWindow, timeWindowOrNone, writeWindow } from './time-window.ts';

const KINDS = ['card', 'email', 'address'] as const;
const MAX_LIMITS = 12;
const MAX_COUNT = 1_000_000;

const limitsView = anObject({
  endpointId: told(aNumber(), 'endpoint'),
  login: told(aText(), 'merchant'),
  currency: told(aText()),
  limits: aList(
    anObject({
      kind: aWord(KINDS),
      window: aText('As in 30m, 24h or 7d.'),
      count: orNull(aNumber()),
      amount: orNull(anAmount("In major units of the endpoint's currency.")),
    }),
  ),
  duplicateWindow: orNull(
    aText('How long the same card cannot pay the same amount again; null when there is no guard.'),
  ),
});

type LimitsView = Answered<typeof limitsView>;

const itsEndpoint = mustGive(id, 'its id', { as: '<endpoint>', told: 'endpoint', what: 'the id of an endpoint' });

const whichLimit = {
  endpointId: itsEndpoint,
  kind: mustGive(
    word(KINDS, 'card, email or address'),
    'what is counted: the same card, e-mail address or network address',
    { as: '--per <what>', told: true },
  ),
  window: mustGive(timeWindow, 'how far back it counts, such as 90s, 30m, 24h or 7d', {
    as: '--window <time>',
    told: true,
    missing: `window: ${timeWindow.what} is needed, not "nothing"`,
  }),
};

export const setLimit = defineVerb({
  name: 'setLimit',
  command: 'limit set',
  summary: 'set a limit, in place of one with the same window',
  example: 'tender limit set 101 --per card --window 24h --count 3 --amount 500.00',
  role: 'administrator',
  conduct: 'change',
  given: {
    ...whichLimit,
    count: mayGive(wholeNumber(1, MAX_COUNT), 'how many orders', { as: '--count <number>', told: true }),
    amount: mayGive(nameOf('an amount'), 'how much money, in major units of its currency (500.00)', {
      as: '--amount <amount>',
      told: true,
    }),
  },
  answer: limitsView,
  run: async ({ endpointId, kind, window, count, amount }, parts) => {
    const endpoint = endpointOf(endpointId, await parts.configuration.read());
    const limit = { kind, windowMs: window, maxCount: count, maxSum: sumOf(amount, endpoint) };
    if (limit.maxCount === undefined && limit.maxSum === undefined) {
      throw new InvalidInput('count or amount is missing: a limit counts orders, money or both');
    }
    const others = (await parts.rules.limits()).filter(
      (one) => one.endpointId === endpointId && !(one.kind === kind && one.windowMs === window),
    );
    if (others.length >= MAX_LIMITS) throw new InvalidInput(`endpoint ${endpointId} has ${MAX_LIMITS} limits already`);
    return put(parts, endpoint, limit);
  },
  show: (limits) => listed([limits]),
});

export const removeLimit = defineVerb({
  name: 'removeLimit',
  command: 'limit remove',
  summary: 'remove a limit',
  example: 'tender limit remove 101 --per card --window 24h',
  role: 'administrator',
  conduct: 'change',
  given: whichLimit,
  answer: limitsView,
  run: async ({ endpointId, kind, window }, parts) => {
    endpointOf(endpointId, await parts.configuration.read());
    if (!(await parts.rules.removeLimit({ endpointId, kind, windowMs: window }))) {
      throw new InvalidInput(`endpoint ${endpointId} has no limit by ${kind} for ${writeWindow(window)}`);
    }
    return limitsOf(parts, endpointId);
  },
  show: (limits) => listed([limits]),
});

export const setDuplicateGuard = defineVerb({
  name: 'setDuplicateGuard',
  command: 'limit duplicates',
  summary: 'stop the same card from paying the same amount again for a while',
  example: 'tender limit duplicates 101 10m',
  role: 'administrator',
  conduct: 'change',
  given: {
    endpointId: itsEndpoint,
    window: mustGive(timeWindowOrNone, 'for how long, such as 90s, 30m, 24h or 7d, or none', {
      as: '<window>',
      told: true,
      missing: `window: ${timeWindowOrNone.what} is needed, not "nothing"`,
    }),
  },
  answer: limitsView,
  run: async ({ endpointId, window }, parts) => {
    const endpoint = endpointOf(endpointId, await parts.configuration.read());
    if (window !== 'none') return put(parts, endpoint, duplicateGuard(window));
    await parts.rules.removeLimit({ endpointId, kind: 'payment', windowMs: undefined });
    return limitsOf(parts, endpointId);
  },
  show: (limits) => listed([limits]),
});

export const listLimits = defineReading({
  name: 'listLimits',
  command: 'limit list',
  summary: 'list the limits of an endpoint, of a merchant, or all',
  merchants: 'own',
  example: 'tender limit list --merchant shop',
  given: {
    endpointId: mayGive(id, 'its id', { as: '[endpoint]' }),
    login: mayGive(merchantLogin, 'those of this merchant', { as: '--merchant <login>' }),
  },
  answer: aList(limitsView, 'Endpoints without limits are left out.'),
  run: async ({ endpointId: asked, login }, { configuration, rules }) => {
    const all = await configuration.read();
    if (asked !== undefined) return [viewOf(endpointOf(asked, all), all, await rules.limits())];
    const only = login === undefined ? undefined : merchantOf(login, all).merchantId;
    const limits = await rules.limits();
    return all.endpoints
      .filter(({ merchantId }) => only === undefined || merchantId === only)
      .filter(({ endpointId }) => limits.some((one) => one.endpointId === endpointId))
      .map((endpoint) => viewOf(endpoint, all, limits));
  },
  show: listed,
});

type LimitParts = Parts<'configuration' | 'rules'>;

async function put(parts: LimitParts, { merchantId, endpointId }: Endpoint, limit: VelocityLimit) {
  await parts.rules.setLimit({ ...limit, merchantId, endpointId });
  return limitsOf(parts, endpointId);
}

async function limitsOf({ configuration, rules }: LimitParts, endpointId: number) {
  const all = await configuration.read();
  return viewOf(endpointOf(endpointId, all), all, await rules.limits());
}

function viewOf(
  endpoint: Endpoint,
  all: Configuration,
  limits: readonly EndpointLimit[],
): RawAnswer<typeof limitsView> {
  const { endpointId, merchantId, currency } = endpoint;
  const own = limits.filter((one) => one.endpointId === endpointId);
  const guard = own.find(({ kind }) => kind === 'payment');
  return {
    endpointId,
    login: loginOf(merchantId, all),
    currency,
    limits: own.flatMap(({ kind, windowMs, maxCount: count, maxSum }) => {
      if (kind === 'payment') return [];
      const amount = maxSum === undefined ? undefined : { minor: maxSum, currency };
      return [{ kind, window: writeWindow(windowMs), count, amount }];
    }),
    duplicateWindow: guard && writeWindow(guard.windowMs),
  };
}

function sumOf(amount: string | undefined, { currency }: Endpoint): bigint | undefined {
  if (amount === undefined) return undefined;
  const minor = readAmount(amount, currency, 'major');
  if (minor !== undefined) return minor;
  const example = writeAmount({ minor: 50_000n, currency }, 'major');
  throw new InvalidInput(`amount: an amount in ${currency} such as ${example} is needed, not ${shown(amount)}`);
}

function listed(endpoints: readonly LimitsView[]): string {
  const rows = endpoints.flatMap(rowsOfEndpoint);
  if (rows.length === 0) {
    return 'There are no limits; set one with: tender limit set <endpoint> --per card --window 24h --count 3';
  }
  return textTable(['ENDPOINT', 'MERCHANT', 'PER', 'WINDOW', 'COUNT', 'AMOUNT'], rows);
}

function rowsOfEndpoint({ endpointId, login, currency, limits, duplicateWindow }: LimitsView): string[][] {
  const first = [String(endpointId), login];
  const rows = limits.map(({ kind, window, count, amount }) => [
    ...first,
    kind,
    window,
    count === null ? '-' : String(count),
    amount === null ? '-' : `${amount} ${currency}`,
  ]);
  if (duplicateWindow !== null) rows.push([...first, 'card and amount', duplicateWindow, '1', '-']);
  return rows;
}
