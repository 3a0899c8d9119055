// What tests of gateways whose lives end share: a bank and clients of their own, moments that hit a gateway at work,
// and what must be true afterwards.

import { expect } from 'vitest';
import { Client, DEMO, discrepancies, pause, until } from '../harness.ts';
import { type Belongings, startBankProcess, tender } from '../scenarios/tender-process.ts';
import type { Load } from './load.ts';
import { booksOf, type Place, type Query } from './place.ts';
import { lostOrders, SLOW_BANK } from './promises.ts';
import type { Random } from './random.ts';

/** A life ends so long after so many sales were acknowledged in it. */
const LIFE = { fewestSales: 10, mostSales: 80, longestMs: 300 };

export async function newBank(belongings: Belongings): Promise<string> {
  const data = await belongings.folder();
  return belongings.keep(await startBankProcess(['--data', data, ...SLOW_BANK])).url;
}

export function newClient(belongings: Belongings, baseUrl: () => string): Client {
  const client = new Client(baseUrl, DEMO);
  belongings.also(async () => client.close());
  return client;
}

/** A moment that hits the gateway at work, however slow the machine is. */
export async function untilDue(load: Load, random: Random): Promise<void> {
  const enough = load.acknowledged.length + LIFE.fewestSales + random() * (LIFE.mostSales - LIFE.fewestSales);
  await until('enough is sold', () => load.acknowledged.length > enough);
  await pause(random() * LIFE.longestMs);
}

/** By the commands an operator has. */
async function expectGoodBooks(args: readonly string[], bankUrl: string): Promise<void> {
  const verified = await tender(['verify', ...args]);
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('Everything is as it must be.') });
  const reconciled = await tender(['reconcile', '--url', bankUrl, ...args]);
  expect(reconciled).toMatchObject({ code: 0, stdout: expect.stringContaining('they agree.') });
}

/** Transactions whose first sender never reported an answer: somebody else found out. */
export async function takenOver(query: Query): Promise<number> {
  const [row] = await query(
    `select count(distinct order_id)::int as count from order_events
     where event->>'type' = 'transaction-moved' and event->>'from' = 'sending' and version = 2
       and ((event->>'finding') in ('not-found', 'not-found-for-good') or (event->>'sends')::int = 0)`,
  );
  return row?.count as number;
}

type Lived = {
  readonly bankUrl: string;
  readonly load: Load;
  /** There were at least the fewest sales of so many lives. */
  readonly lives: number;
};

/** Whatever was acknowledged is there and ended, as the bank has it, once the last gateway is stopped. */
export async function expectPromisesKept({ bankUrl, load, lives }: Lived, { args, looking }: Place): Promise<void> {
  expect(load.complaints).toEqual([]);
  await expectGoodBooks(args, bankUrl);
  const books = await booksOf(bankUrl);
  await looking(async (query) => {
    expect(await lostOrders(query, load.acknowledged)).toEqual([]);
    expect(await discrepancies(query, books)).toEqual([]);
    // Otherwise the ends hit nothing, and the rest proves little.
    expect(load.acknowledged.length).toBeGreaterThan(lives * LIFE.fewestSales);
    expect(await takenOver(query)).toBeGreaterThan(0);
  });
}
