// What the people of a merchant reach: the same parts as everybody's, narrowed to what is their merchant's. What
// belongs to another merchant is not there for them, and whatever is not listed here is closed.

import { whoIn } from '../../domain/people/caller.ts';
import type { SeenUses } from '../../processing/requests/key-uses.ts';
import type { AdministrationStores, VerbParts } from '../parts.ts';
import { type IsOwn, mustBe, onlyOpen } from './closed-parts.ts';
import { narrowedConfiguration } from './narrowed-configuration.ts';
import { narrowedStaff } from './narrowed-staff.ts';

/** What is nobody's: it tells nothing of any merchant. */
const COMMON = [
  'adminOrigin',
  'afterwards',
  'asker',
  'clock',
  'ids',
  'mode',
  'money',
  'vault',
  'verbNames',
  'vocabulary',
  'who',
] as const;

export function narrowedTo(merchantId: number, parts: VerbParts): VerbParts {
  const isOwn = (one: { readonly merchantId?: number | undefined }) => one.merchantId === merchantId;
  const closed = Object.keys(parts).map((name) => [name, onlyOpen(name, {})]);
  const common = COMMON.map((name) => [name, parts[name]]);
  const own: Partial<VerbParts> = {
    ...narrowedOrders(isOwn, parts, ownPathIds(isOwn, parts)),
    ...narrowedDeeds(isOwn, parts),
    audit: onlyOpen('audit', { about: (subject, limit) => ownEntries(merchantId, parts, subject, limit) }),
    accounts: onlyOpen('accounts', {
      list: (query) =>
        parts.accounts.list({ ...query, merchantIds: query.merchantIds.filter((one) => one === merchantId) }),
      movements: (query) => parts.accounts.movements(mustBe(isOwn, query)),
    }),
    configuration: onlyOpen('configuration', narrowedConfiguration(isOwn, parts.configuration)),
    filters: onlyOpen('filters', narrowedFilters(parts)),
    looks: onlyOpen('looks', {
      set: (endpoint, ...what) => parts.looks.set(mustBe(isOwn, endpoint), ...what),
      // By the digest of a logo that is among the looks of the configuration, which is narrowed.
      logo: (endpointId, digest) => parts.looks.logo(endpointId, digest),
    }),
    keyUses: parts.keyUses && (async () => narrowedUses(isOwn, await parts.keyUses!())),
    rules: onlyOpen('rules', {
      limits: async () => (await parts.rules.limits()).filter(isOwn),
      blocks: (query) => parts.rules.blocks(mustBe(isOwn, query)),
    }),
    staff: narrowedStaff(merchantId, parts.staff),
    trial: parts.trial && { ...parts.trial, callback: (order) => parts.trial!.callback(mustBe(isOwn, order)) },
    merchantId,
  };
  return { ...Object.fromEntries(closed), ...Object.fromEntries(common), ...own };
}

function narrowedUses(isOwn: IsOwn, { since, of }: SeenUses): SeenUses {
  return { since, of: (merchantId, keyId) => of(mustBe(isOwn, { merchantId }).merchantId, keyId) };
}

type OrderStores = Pick<
  AdministrationStores,
  'callbacks' | 'cardReferences' | 'figures' | 'orders' | 'recurring' | 'timelines' | 'unfinished'
>;

/**
 * What strangers send to a merchant's endpoints is shown to its people in a sandbox, where they look for what is wrong
 * with their own signatures. Elsewhere it may be anybody's.
 */
function ownPathIds(isOwn: IsOwn, { configuration, mode }: VerbParts): () => Promise<readonly string[]> {
  return async () => {
    if (mode !== 'sandbox') return [];
    const { endpoints, groups } = await configuration.read();
    const ids = [
      ...endpoints.filter(isOwn).map((one) => one.endpointId),
      ...groups.filter(isOwn).map((one) => one.groupId),
    ];
    return ids.map(String);
  };
}

function narrowedOrders(isOwn: IsOwn, parts: OrderStores, ownPaths: () => Promise<readonly string[]>): OrderStores {
  const { callbacks, cardReferences, figures, orders, recurring, timelines, unfinished } = parts;
  const only = (merchantIds: readonly number[]) => merchantIds.filter((merchantId) => isOwn({ merchantId }));
  return {
    callbacks: onlyOpen('callbacks', {
      search: (query) => callbacks.search({ ...query, merchantIds: only(query.merchantIds) }),
      attempts: (key, limit) => callbacks.attempts(mustBe(isOwn, key), limit),
      replay: (key, now) => callbacks.replay(mustBe(isOwn, key), now),
    }),
    cardReferences: onlyOpen('cardReferences', {
      find: async (merchantId, id) => (isOwn({ merchantId }) ? cardReferences.find(merchantId, id) : undefined),
      list: (query) => cardReferences.list(mustBe(isOwn, query)),
      remove: async (merchantId, id, at) => isOwn({ merchantId }) && cardReferences.remove(merchantId, id, at),
    }),
    figures: onlyOpen('figures', {
      read: (query) => figures.read({ ...query, merchantIds: only(query.merchantIds) }),
      unfinished: (merchantIds) => figures.unfinished(only(merchantIds)),
      callbacks: (merchantIds) => figures.callbacks(only(merchantIds)),
    }),
    orders: onlyOpen('orders', {
      findOrderView: async (key) => (isOwn(key) ? orders.findOrderView(key) : undefined),
      load: (keys) => orders.load(keys.map((key) => mustBe(isOwn, key))),
    }),
    recurring: onlyOpen('recurring', {
      list: (query) => recurring.list(mustBe(isOwn, query)),
      keyOf: async (id) => found(isOwn, await recurring.keyOf(id)),
      find: async (key) => (isOwn(key) ? recurring.find(key) : undefined),
      recentCharges: (key, limit) => recurring.recentCharges(mustBe(isOwn, key), limit),
      save: (payment, at) => recurring.save(mustBe(isOwn, payment), at),
    }),
    timelines: onlyOpen('timelines', {
      search: (query) => timelines.search({ ...query, merchantIds: only(query.merchantIds) }),
      requests: (query) => timelines.requests({ ...query, merchantIds: only(query.merchantIds) }),
      merchantOf: (orderId, merchantIds) => timelines.merchantOf(orderId, only(merchantIds)),
      read: (order, limit) => timelines.read(mustBe(isOwn, order), limit),
      strangers: async (query) => {
        const own = await ownPaths();
        return timelines.strangers({ ...query, pathIds: query.pathIds?.filter((one) => own.includes(one)) ?? own });
      },
      findRequest: async (serialNumber) => {
        const request = await timelines.findRequest(serialNumber);
        const isStrangers = request?.pathId !== undefined && request.merchantId === undefined;
        const isThere = isStrangers && (await ownPaths()).includes(request.pathId);
        return isThere ? request : found(isOwn, request);
      },
    }),
    unfinished: onlyOpen('unfinished', {
      listStuck: (query) => unfinished.listStuck(mustBe(isOwn, query)),
      countStuck: (merchantIds = []) => unfinished.countStuck(only(merchantIds)),
      listWaitingPayouts: (merchantIds, limit) => unfinished.listWaitingPayouts(only(merchantIds), limit),
    }),
  };
}

/** Entries about an order of their own, in which only their own people have names. */
async function ownEntries(
  merchantId: number,
  { audit, staff, timelines }: Pick<VerbParts, 'audit' | 'staff' | 'timelines'>,
  ...[subject, limit]: Parameters<VerbParts['audit']['about']>
) {
  const [, orderId = '0'] = /^order (\d+)$/.exec(subject) ?? [];
  mustBe((one) => one.merchantId === merchantId, {
    merchantId: await timelines.merchantOf(Number(orderId), [merchantId]),
  });
  const own = new Set(
    (await staff.people.list()).filter((one) => one.merchantId === merchantId).map(({ name }) => name),
  );
  return (await audit.about(subject, limit)).map((entry) =>
    own.has(whoIn(entry.who)) ? entry : { ...entry, who: 'somebody who runs the gateway', details: '{}' },
  );
}

/** Those of the person who asks. */
function narrowedFilters({ asker, filters }: Pick<VerbParts, 'asker' | 'filters'>): VerbParts['filters'] {
  const own = (person: string) => {
    if (person === asker) return person;
    throw new Error("a verb reached for somebody else's filters");
  };
  return {
    list: (person) => filters.list(own(person)),
    save: (filter) => filters.save({ ...filter, person: own(filter.person) }),
    remove: (person, name) => filters.remove(own(person), name),
  };
}

/** What moves the money of orders, and what waits for a second person. */
function narrowedDeeds(isOwn: IsOwn, { deeds, door }: Pick<AdministrationStores, 'deeds' | 'door'>) {
  const own = async () => (await deeds.list()).filter(isOwn);
  return {
    deeds: onlyOpen<AdministrationStores['deeds']>('deeds', {
      list: own,
      add: (deed) => deeds.add(mustBe(isOwn, deed)),
      remove: async (deedId, now) => (await own()).some((one) => one.deedId === deedId) && deeds.remove(deedId, now),
      lockOrder: (key) => deeds.lockOrder(mustBe(isOwn, key)),
      begunAlone: (key) => deeds.begunAlone(mustBe(isOwn, key)),
    }),
    door: onlyOpen<AdministrationStores['door']>('door', {
      get moment() {
        return door.moment;
      },
      begin: (order, ...what) => door.begin(mustBe(isOwn, order), ...what),
      change: ((key, ...what) => door.change(mustBe(isOwn, key), ...what)) as AdministrationStores['door']['change'],
    }),
  };
}

function found<T extends { readonly merchantId?: number | undefined }>(isOwn: IsOwn, one: T | undefined) {
  return one && isOwn(one) ? one : undefined;
}
