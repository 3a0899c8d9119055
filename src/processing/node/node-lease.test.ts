import { expect, it } from 'vitest';
import type { Clock } from '../../domain/clock.ts';
import type { NodeStore } from '../../storage/nodes.ts';
import { NodeNumberLost } from './identifiers.ts';
import { NodeLease } from './node-lease.ts';

/** Leases of node numbers in memory. */
class MemoryNodes implements NodeStore {
  readonly held = new Map<number, { instance: string; until: number; highWater: number }>();

  register: NodeStore['register'] = async (instance, now, until) => {
    for (let number = 0; number < 2; number++) {
      const held = this.held.get(number);
      if (held && held.until > now) continue;
      this.held.set(number, { instance, until, highWater: until });
      return { number, after: held?.highWater ?? now };
    }
    return undefined;
  };

  renew: NodeStore['renew'] = async (instance, number, until) => {
    const held = this.held.get(number);
    if (held?.instance !== instance) return false;
    held.until = until;
    held.highWater = until;
    return true;
  };

  release: NodeStore['release'] = async () => {};
}

let now = Date.UTC(2026, 5, 1);
const clock: Clock = {
  now: () => now,
  sleep: async (ms) => {
    now += ms;
  },
};

it('makes no ids past its lease, and takes another number when its own was given away', async () => {
  const nodes = new MemoryNodes();
  const first = await NodeLease.take(nodes, clock, 'first');
  const made = new Set([first.ids.next(now)]);
  // The process is paused for longer than its lease, and another node takes the number.
  now += 60_000;
  expect(() => first.ids.next(now)).toThrow(NodeNumberLost);
  const second = await NodeLease.take(nodes, clock, 'second');
  await first.renew();
  expect([...nodes.held.values()].map(({ instance }) => instance)).toEqual(['second', 'first']);
  for (let count = 0; count < 1000; count++) made.add(first.ids.next(now)).add(second.ids.next(now));
  expect(made.size).toBe(2001);
});

it('takes one other number for all who ask for an id at once', async () => {
  const nodes = new MemoryNodes();
  const first = await NodeLease.take(nodes, clock, 'first');
  now += 60_000;
  nodes.held.set(0, { instance: 'second', until: now + 30_000, highWater: now + 30_000 });
  nodes.held.set(1, { instance: 'third', until: now, highWater: now });
  await Promise.all([first.ids.held(now), first.ids.held(now), first.renew()]);
  expect([...nodes.held.values()].map(({ instance }) => instance)).toEqual(['second', 'first']);
  await first.renew();
});

it('keeps its number for as long as it renews in time', async () => {
  const nodes = new MemoryNodes();
  const lease = await NodeLease.take(nodes, clock, 'only');
  for (let round = 0; round < 10; round++) {
    now += 10_000;
    await lease.renew();
    lease.ids.next(now);
  }
  expect(nodes.held.size).toBe(1);
});

it('says so when every number is taken', async () => {
  const nodes = new MemoryNodes();
  await NodeLease.take(nodes, clock, 'one');
  await NodeLease.take(nodes, clock, 'two');
  nodes.held.forEach((held) => {
    held.until = Number.POSITIVE_INFINITY;
  });
  await expect(NodeLease.take(nodes, clock, 'three')).rejects.toThrow('all node numbers');
});
