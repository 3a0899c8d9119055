// What an administrator does with the limits and the duplicate guard of an endpoint; block lists are next door.

import type { Clock } from '../domain/clock.ts';
import type { Endpoint } from '../domain/merchant/merchant.ts';
import { writeAmount } from '../domain/money/money.ts';
import { duplicateGuard, type VelocityLimit } from '../domain/screening/screening.ts';
import type { Configuration, ConfigurationStore } from '../storage/configuration.ts';
import type { EndpointLimit, ScreeningRuleStore } from '../storage/screening-rules.ts';
import type { CardReferenceStore, OrderStore } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';
import { endpointOf } from './endpoints.ts';
import { type Given, needed, Unfit, wordOf } from './given.ts';
import { countOf, sumOf, windowOf, writeWindow } from './limit-values.ts';
import { loginOf, merchantOf } from './merchants.ts';

export { type Given, Unfit } from './given.ts';
export { addBlock, type BlockView, listBlocks, removeBlock } from './screening-blocks.ts';

const KINDS = ['card', 'email', 'address'] as const;
const MAX_LIMITS = 12;
/** Takes the guard away. */
const NONE = 'none';

export type ScreeningAdministrationParts = {
  readonly clock: Clock;
  readonly configuration: Pick<ConfigurationStore, 'read'>;
  readonly rules: ScreeningRuleStore;
  readonly orders: Pick<OrderStore, 'findOrderView'>;
  readonly cardReferences: Pick<CardReferenceStore, 'find'>;
  readonly vault: Vault;
  /** Makes a running gateway use what was changed. */
  changed(): Promise<void>;
};

export type LimitView = {
  readonly kind: 'card' | 'email' | 'address';
  /** As in 30m, 24h or 7d. */
  readonly window: string;
  readonly count: number | null;
  /** In major units of the endpoint's currency. */
  readonly amount: string | null;
};

export type EndpointLimitsView = {
  readonly endpointId: number;
  readonly login: string;
  readonly currency: string;
  readonly limits: readonly LimitView[];
  /** How long the same card cannot pay the same amount again; null when there is no guard. */
  readonly duplicateWindow: string | null;
};

/** `endpointId`, `kind`, `window`, and `count` or `amount` or both: takes the place of a limit with that kind and window. */
export async function setVelocityLimit(parts: ScreeningAdministrationParts, given: Given): Promise<EndpointLimitsView> {
  const endpoint = endpointOf(given, await parts.configuration.read());
  const limit = {
    kind: kindOf(given),
    windowMs: windowOf(given),
    maxCount: countOf(given),
    maxSum: sumOf(given, endpoint),
  };
  if (limit.maxCount === undefined && limit.maxSum === undefined) {
    throw new Unfit('count or amount is missing: a limit counts orders, money or both');
  }
  const others = (await parts.rules.limits()).filter(
    (one) => one.endpointId === endpoint.endpointId && !(one.kind === limit.kind && one.windowMs === limit.windowMs),
  );
  if (others.length >= MAX_LIMITS) throw new Unfit(`endpoint ${endpoint.endpointId} has ${MAX_LIMITS} limits already`);
  return setLimit(parts, endpoint, limit);
}

/** `endpointId`, `kind`, `window`. */
export async function removeVelocityLimit(
  parts: ScreeningAdministrationParts,
  given: Given,
): Promise<EndpointLimitsView> {
  const { endpointId } = endpointOf(given, await parts.configuration.read());
  const kind = kindOf(given);
  const windowMs = windowOf(given);
  if (!(await parts.rules.removeLimit({ endpointId, kind, windowMs }))) {
    throw new Unfit(`endpoint ${endpointId} has no limit by ${kind} for ${writeWindow(windowMs)}`);
  }
  return afterChange(parts, endpointId);
}

/** `endpointId`, and `window` or none: the same card cannot pay the same amount again within it. */
export async function setDuplicateGuard(
  parts: ScreeningAdministrationParts,
  given: Given,
): Promise<EndpointLimitsView> {
  const endpoint = endpointOf(given, await parts.configuration.read());
  if (given.window !== NONE) return setLimit(parts, endpoint, duplicateGuard(windowOf(given, ', or none')));
  await parts.rules.removeLimit({ endpointId: endpoint.endpointId, kind: 'payment', windowMs: undefined });
  return afterChange(parts, endpoint.endpointId);
}

/** Of one endpoint (`endpointId`), of a merchant's (`login`) or of all; endpoints without limits are left out of lists. */
export async function listVelocityLimits(
  parts: ScreeningAdministrationParts,
  given: Given = {},
): Promise<EndpointLimitsView[]> {
  const all = await parts.configuration.read();
  if (given.endpointId !== undefined) return [viewOf(endpointOf(given, all), all, await parts.rules.limits())];
  const only = given.login === undefined ? undefined : merchantOf(given, all).merchantId;
  const limits = await parts.rules.limits();
  return all.endpoints
    .filter(({ merchantId }) => only === undefined || merchantId === only)
    .filter(({ endpointId }) => limits.some((one) => one.endpointId === endpointId))
    .map((endpoint) => viewOf(endpoint, all, limits));
}

function kindOf(given: Given): (typeof KINDS)[number] {
  return needed(wordOf(given, 'kind', KINDS), 'kind', 'card, email or address');
}

async function setLimit(
  parts: ScreeningAdministrationParts,
  { merchantId, endpointId }: Endpoint,
  limit: VelocityLimit,
): Promise<EndpointLimitsView> {
  await parts.rules.setLimit({ ...limit, merchantId, endpointId });
  return afterChange(parts, endpointId);
}

async function afterChange(parts: ScreeningAdministrationParts, endpointId: number): Promise<EndpointLimitsView> {
  await parts.changed();
  const all = await parts.configuration.read();
  return viewOf(endpointOf({ endpointId }, all), all, await parts.rules.limits());
}

function viewOf(
  { endpointId, merchantId, currency }: Endpoint,
  all: Configuration,
  limits: readonly EndpointLimit[],
): EndpointLimitsView {
  const own = limits.filter((one) => one.endpointId === endpointId);
  const guard = own.find(({ kind }) => kind === 'payment');
  return {
    endpointId,
    login: loginOf(merchantId, all),
    currency,
    limits: own.flatMap(({ kind, windowMs, maxCount, maxSum }) => {
      if (kind === 'payment') return [];
      const amount = maxSum === undefined ? null : writeAmount({ minor: maxSum, currency }, 'major');
      return [{ kind, window: writeWindow(windowMs), count: maxCount ?? null, amount }];
    }),
    duplicateWindow: guard ? writeWindow(guard.windowMs) : null,
  };
}
