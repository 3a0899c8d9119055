// What a node uses of a configuration that somebody has tampered with. Single rows that are wrong were left out by
// whoever read it. Of a table in which rows are missing or were put back nobody can tell which: a node goes on with
// what it knew of it before; one that has just started takes the rows that are right by themselves.

import { putBack } from '../../domain/records.ts';
import type { Configuration } from '../../storage/configuration.ts';

export function trustedConfiguration(read: Configuration, last: Configuration | undefined): Configuration {
  if (!last) return read;
  const back = [...read.counters].flatMap(([table, counter]) => putBack(table, last.counters.get(table), counter));
  const broken = new Set([...read.broken, ...back.map(({ table }) => table)]);
  if (broken.size === 0) return read;
  const of = (table: string) => (broken.has(table) ? last : read);
  return {
    ...read,
    merchants: of('merchants').merchants,
    keys: of('merchant_keys').keys,
    endpoints: of('endpoints').endpoints,
    groups: of('endpoint_groups').groups,
    screening: { limits: of('velocity_limits').screening.limits, blocks: of('blocks').screening.blocks },
    terminals: of('terminals').terminals,
    networks: of('card_networks').networks,
    tampered: [...read.tampered, ...back],
    broken,
    counters: new Map([...read.counters, ...[...last.counters].filter(([table]) => broken.has(table))]),
  };
}
