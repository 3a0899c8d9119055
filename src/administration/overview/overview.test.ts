import { expect, it } from 'vitest';
import type { VerbParts } from '../parts.ts';
import { showOverview } from './overview.ts';

const NOW = Date.UTC(2027, 0, 31, 12);

it('counts what waits for people of the merchants asked for, without deeds that are over', async () => {
  const stuck = Array.from({ length: 100 }, () => ({ merchantId: 1 }));
  const deeds = [
    { merchantId: 2, expiresAt: NOW + 1 },
    { merchantId: 2, expiresAt: NOW },
    { merchantId: 1, expiresAt: NOW + 1 },
  ];
  const nothing = { points: [], compared: [], before: [], reasons: [], counted: undefined };
  const parts = {
    clock: { now: () => NOW },
    configuration: {
      read: async () => ({
        merchants: [
          { merchantId: 1, login: 'one' },
          { merchantId: 2, login: 'two' },
        ],
      }),
    },
    figures: {
      read: async () => nothing,
      terminals: async () => ({ outcomes: [], times: [] }),
      unfinished: async () => ({ orders: 0, oldest: undefined }),
      callbacks: async () => ({ waiting: 0, isMore: false, oldestAt: undefined }),
    },
    deeds: { list: async () => deeds },
    unfinished: {
      listStuck: async () => stuck,
      countStuck: async (merchantIds: readonly number[]) => (merchantIds.includes(1) ? 100 : 0) + 3,
    },
    nodes: { list: async () => [] },
  } as unknown as VerbParts;
  const { waiting } = await showOverview.run({ login: 'two' } as never, parts);
  expect(waiting).toEqual({ stuck: 3, deeds: 1 });
});
