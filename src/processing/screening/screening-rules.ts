// Limits and block lists in memory, by endpoint and merchant. An endpoint that has neither costs two lookups.

import { grouped } from '../../domain/grouped.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import type { VelocityLimit } from '../../domain/screening/screening.ts';
import { BlockList, EVERY_MERCHANT } from '../../domain/screening/screening-lists.ts';
import type { ScreeningRules } from '../../storage/screening-rules.ts';

export type OrderRules = { readonly lists: readonly BlockList[]; readonly limits: readonly VelocityLimit[] };

type Place = Pick<Endpoint, 'merchantId' | 'endpointId'>;

export function rulesFor({ limits, blocks }: ScreeningRules): (place: Place) => OrderRules | undefined {
  const limitsOf = grouped(limits, ({ endpointId }) => endpointId);
  const lists = new Map(
    [...grouped(blocks, ({ merchantId }) => merchantId)].map(([id, list]) => [id, new BlockList(list)]),
  );
  const everywhere = lists.get(EVERY_MERCHANT);
  return ({ merchantId, endpointId }) => {
    const own = lists.get(merchantId);
    const limited = limitsOf.get(endpointId);
    if (!everywhere && !own && !limited) return undefined;
    return { lists: [everywhere, own].filter((list) => list !== undefined), limits: limited ?? [] };
  };
}
