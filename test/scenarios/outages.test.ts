// Outages as an operator finds them in the log: one line when they begin, however many orders they concern, and one
// when they end.

import { expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { describeGateway, until } from '../harness.ts';

/** How long nothing may fail before an outage is over. */
const QUIET_MS = 10_000;

describeGateway('an outage in the log', {}, (gateway) => {
  const { clock, demo } = gateway;
  const linesOf = (what: string) =>
    gateway.log.map((line) => JSON.parse(line)).filter(({ message }) => message.startsWith(what));

  it('of the bank has an address and is told once', async () => {
    gateway.bank.faults.set({ refuseRate: 1 });
    await Promise.all(Array.from({ length: 10 }, () => demo.sale()));
    const metrics = async () => (await fetch(`${gateway.origin}/metrics`)).text();
    const labels = '{terminal="demo-bank",instruction="sale",outcome="unreachable"}';
    const refused = `tender_acquirer_answers_total${labels} 10\n`;
    await until('all are refused', async () => (await metrics()).includes(refused));
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
    clock.advance(QUIET_MS);
    await demo.saleUntilFinal();
    const [begins, ends] = linesOf('the bank');
    expect(linesOf('the bank')).toHaveLength(2);
    expect(begins).toMatchObject({ message: 'the bank does not answer', address: expect.stringMatching(/^http:/) });
    expect(ends).toMatchObject({ message: 'the bank answers again', count: expect.any(Number) });
    expect(ends.count).toBeGreaterThanOrEqual(10);
  });

  if (gateway.kind !== 'postgres') return;

  it('of the database is told once, and nothing else about it', async () => {
    const [{ name } = {}] = await gateway.query('select current_database() as name');
    const url = Object.assign(new URL(gateway.databaseUrl as string), { pathname: '/postgres' }).href;
    const server = await openDatabase({ url });
    const before = gateway.log.length;
    try {
      await server.script(`alter database ${name} allow_connections false`);
      await server.script(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      expect((await demo.sale()).status).toBe(500);
      await until('the database is missed', () => linesOf('the database').length > 0);
    } finally {
      await server.script(`alter database ${name} allow_connections true`);
      await server.close();
    }
    await until('the database is back', async () => (await fetch(`${gateway.origin}/readyz`)).ok);
    clock.advance(QUIET_MS);
    await until('its end is told', () => linesOf('the database').length === 2);
    expect(linesOf('the database').map(({ message }) => message)).toEqual([
      'the database does not answer',
      'the database answers again',
    ]);
    expect(gateway.log.slice(before)).toHaveLength(2);
  });
});
