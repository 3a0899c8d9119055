import { expect, it } from 'vitest';
import type { Visit } from '../page.ts';
import { tilesOf } from './tiles.ts';

type Overview = Parameters<typeof tilesOf>[0];

const totals = { orders: 0, approved: 0, declined: 0, stopped: 0, unfinished: 0, approvalRate: null, volumes: [] };

function shown(waiting: Overview['waiting'], may: boolean): string {
  const overview = {
    totals,
    compared: totals,
    before: totals,
    unfinished: { orders: 0, oldest: null },
    callbacks: { waiting: 0, isMore: false, oldestAt: null },
    waiting,
  } as unknown as Overview;
  return String(tilesOf(overview, () => '/console/orders', { may: () => may } as unknown as Visit));
}

it.each([
  [{ stuck: 2, deeds: 1 }, true, ['/console/queue', '/console/waiting']],
  [{ stuck: 2, deeds: 0 }, true, ['/console/queue']],
  [{ stuck: 0, deeds: 1 }, true, ['/console/waiting']],
  [{ stuck: 2, deeds: 1 }, false, []],
])('link what waits (%j, allowed: %s) to where it is ended: %j', (waiting, may, links) => {
  const text = shown(waiting, may);
  const people = text.slice(text.indexOf('Waits for people'));
  expect([...people.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)).toEqual(links);
  expect(people).toContain(`${waiting.deeds} for a second person`);
});

it('compare what is over of a range with as much before, not what is under way', () => {
  const usd = (approved: string) => [{ currency: 'USD', approved, paidOut: '0.00' }];
  const overview = {
    totals: { ...totals, orders: 130, approved: 100, declined: 30, approvalRate: 76.9, volumes: usd('130.00') },
    compared: { ...totals, orders: 110, approved: 90, declined: 10, approvalRate: 90, volumes: usd('110.00') },
    before: { ...totals, orders: 100, approved: 80, declined: 20, approvalRate: 80, volumes: usd('100.00') },
    unfinished: { orders: 0, oldest: null },
    callbacks: { waiting: 0, isMore: false, oldestAt: null },
    waiting: { stuck: 0, deeds: 0 },
  } as unknown as Overview;
  const text = String(tilesOf(overview, () => '/console/orders', { may: () => true } as unknown as Visit));
  expect(text.match(/\+\d+ (%|points) against before/g)).toEqual([
    '+10 % against before',
    '+10 points against before',
    '+10 % against before',
  ]);
});
