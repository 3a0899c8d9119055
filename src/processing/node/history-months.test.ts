// What a node says of months it may not make, and when it looks again.

import { expect, it } from 'vitest';
import type { MadeMonths } from '../../storage/history/make-months.ts';
import { HistoryMonths } from './history-months.ts';

const NOW = Date.UTC(2026, 10, 19);
const DONE: MadeMonths = { made: [], waiting: [], forbidden: undefined, restRows: 0 };

function node(outcomes: MadeMonths[]) {
  const told: string[] = [];
  const dropped: string[] = [];
  const months = new HistoryMonths({
    clock: { now: () => NOW, sleep: async () => {} },
    log: { warn: (message) => told.push(message), info: (message) => told.push(message) },
    store: {
      makeAhead: async () => outcomes.shift() ?? DONE,
      dropRequests: async (before) => [`${dropped.push(`requests ${before}`)}`],
      dropAttempts: async (before) => [`${dropped.push(`attempts ${before}`)}`],
    },
    requestsKeptMs: 5_000,
    attemptsKeptMs: undefined,
  });
  return { months, told, dropped };
}

it('says once what this role may not do, and when it is well again', async () => {
  const forbidden = { ...DONE, waiting: ['journal_2026_12'], forbidden: 'must be owner', restRows: 7 };
  const { months, told } = node([forbidden, forbidden, DONE, DONE]);
  expect(await months.look()).toBe(true);
  expect(months.restRows).toBe(7);
  for (let times = 0; times < 3; times++) await months.look();
  expect(told).toEqual([
    'months to come cannot be made from here; "tender database migrate" as the role that owns the schema makes them',
    'months to come are there again',
  ]);
  expect(months.restRows).toBe(0);
});

it('looks again soon for what was in use', async () => {
  const { months } = node([{ ...DONE, waiting: ['journal_2026_12'] }, DONE]);
  expect([await months.look(), await months.look()]).toEqual([false, true]);
});

it('drops what is kept no longer, and nothing that is kept for ever', async () => {
  const { months, dropped } = node([]);
  await months.look();
  expect(dropped).toEqual([`requests ${NOW - 5_000}`]);
});
