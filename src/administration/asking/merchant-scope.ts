// What the people of a merchant reach: the same parts as everybody's, narrowed to what is their merchant's. What
// belongs to another merchant is not there for them, and whatever is not listed here is closed.

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
    ...narrowedOrders(isOwn, parts),
    ...narrowedDeeds(isOwn, parts),
    configuration: onlyOpen('configuration', narrowedConfiguration(isOwn, parts.configuration)),
    looks: onlyOpen('looks', { set: (endpoint, ...what) => parts.looks.set(mustBe(isOwn, endpoint), ...what) }),
    rules: onlyOpen('rules', { limits: async () => (await parts.rules.limits()).filter(isOwn) }),
    staff: narrowedStaff(merchantId, parts.staff),
    merchantId,
  };
  return { ...Object.fromEntries(closed), ...Object.fromEntries(common), ...own };
}

type OrderStores = Pick<
  AdministrationStores,
  'callbacks' | 'cardReferences' | 'figures' | 'orders' | 'recurring' | 'timelines' | 'unfinished'
>;

function narrowedOrders(isOwn: IsOwn, parts: OrderStores): OrderStores {
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
      findRequest: async (serialNumber) => found(isOwn, await timelines.findRequest(serialNumber)),
    }),
    unfinished: onlyOpen('unfinished', { listStuck: (query) => unfinished.listStuck(mustBe(isOwn, query)) }),
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
