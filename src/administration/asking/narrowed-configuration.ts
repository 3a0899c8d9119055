// The configuration as the people of a merchant see it: one merchant, its endpoints, groups, keys, looks and limits.

import type { Configuration, ConfigurationStore } from '../../storage/configuration.ts';
import { type IsOwn, mustBe } from './closed-parts.ts';

export function narrowedConfiguration(isOwn: IsOwn, store: ConfigurationStore): Partial<ConfigurationStore> {
  return {
    read: async () => ownIn(isOwn, await store.read()),
    addKey: (key, at) => store.addKey(mustBe(isOwn, key), at),
    setKey: (key) => store.setKey(mustBe(isOwn, key)),
    retireKey: (merchantId, keyId, at) => store.retireKey(mustBe(isOwn, { merchantId }).merchantId, keyId, at),
  };
}

/** Terminals, card networks and what was tampered with are the gateway's. */
function ownIn(isOwn: IsOwn, all: Configuration): Configuration {
  const endpoints = all.endpoints.filter(isOwn);
  const ids = new Set(endpoints.map(({ endpointId }) => endpointId));
  const groups = all.groups.filter(isOwn);
  return {
    version: all.version,
    merchants: all.merchants.filter(isOwn),
    shards: [],
    endpoints,
    groups: groups.map((group) => ({ ...group, endpointIds: group.endpointIds.filter((one) => ids.has(one)) })),
    keys: all.keys.filter(isOwn),
    looks: new Map([...all.looks].filter(([endpointId]) => ids.has(endpointId))),
    screening: { limits: all.screening.limits.filter(isOwn), blocks: all.screening.blocks.filter(isOwn) },
    terminals: [],
    networks: [],
    tampered: [],
    broken: new Set(),
    counters: new Map(),
  };
}
