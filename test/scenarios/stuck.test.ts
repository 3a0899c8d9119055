// The manual queue: what the bank never gave an answer about is found by an operator, settled with what the bank said
// by other means, booked like the bank's own word and written into the audit chain.

import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Faults } from '../../src/acquirers/index.ts';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { embedded } from '../contracts/databases.ts';
import { newPlace } from '../crash/place.ts';
import { CARD, Client, DEMO, describeGateway, newOrderId, until } from '../harness.ts';
import { Belongings, startBankProcess, startProcess, tender } from './tender-process.ts';

const SHORT = { acquirerTimeoutMs: 3_000, leaseMs: 5_000, holdMs: 200 };
const DEAF: Partial<Faults> = { messages: ['inquire', 'reverse'], refuseRate: 1 };

describeGateway('what waits for a person', SHORT, (gateway) => {
  const { demo } = gateway;

  const ask = <V extends VerbName>(verb: V, given: Given = {}) => {
    const { clock } = gateway;
    const options = { mode: 'sandbox', clock, changed: () => gateway.refresh() } as const;
    return administrationOf(gateway.store, options).administration.ask(verb, given, 'ann');
  };
  const settle = (orderId: string, outcome: string) =>
    ask('settleStuck', { orderId: Number(orderId), seq: 1, outcome, note: 'the bank wrote on 3 May' });

  afterEach(async () => {
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
    expect(await ask('listStuck')).toEqual([]);
  });

  /** An order whose first message met `first` and that nothing could be learned about afterwards. */
  async function stuckOrder(first: Partial<Faults>, then: Partial<Faults>, send: () => Promise<{ body: Given }>) {
    gateway.bank.faults.set(first);
    const { body } = await send();
    const orderId = body['paynet-order-id'] as string;
    const stage = async () =>
      (await gateway.query(`select stage from transactions where order_id = ${orderId}`))[0]?.stage;
    await until('the outcome is unknown', async () => (await stage()) === 'asking');
    gateway.bank.faults.set(then);
    await gateway.untilAllFinal();
    expect(await stage()).toBe('stuck');
    return { orderId, clientOrderId: body['merchant-order-id'] as string };
  }

  const unread: Partial<Faults> = { messages: ['instruct', 'inquire'], garbleRate: 1 };

  it('is listed with the name the bank knows it by, and approved as the bank did', async () => {
    const { orderId, clientOrderId } = await stuckOrder(unread, DEAF, () => demo.sale({ amount: '1500' }));
    expect((await demo.status({ client_orderid: clientOrderId })).body.status).toBe('unknown');
    expect(await ask('listStuck')).toMatchObject([
      {
        orderId: Number(orderId),
        seq: 1,
        login: 'demo',
        clientOrderId,
        type: 'sale',
        amount: '15.00',
        reference: await gateway.bankReference(orderId),
        reason: expect.stringMatching(/^the line to the bank broke/),
      },
    ]);
    const before = await gateway.balance();
    expect(await settle(orderId, 'approved')).toMatchObject({ stage: 'approved' });
    expect((await demo.status({ client_orderid: clientOrderId })).body).toMatchObject({ status: 'approved' });
    expect(await gateway.balance()).toBe(before + 1500n);
    const { entries } = await ask('listAudit');
    expect(entries[0]).toMatchObject({
      action: 'settleStuck',
      subject: `order ${orderId}`,
      details: { seq: 1, outcome: 'approved', note: 'the bank wrote on 3 May' },
    });
    const [event] = await gateway.query(
      `select event->>'reason' as reason from order_events where order_id = ${orderId} order by version desc limit 1`,
    );
    expect(event).toEqual({ reason: 'the bank wrote on 3 May' });
  });

  it('is declined as the bank did', async () => {
    const { orderId, clientOrderId } = await stuckOrder(unread, DEAF, () => demo.sale({ cvv2: '116' }));
    expect(await settle(orderId, 'declined')).toMatchObject({ stage: 'declined' });
    expect((await demo.status({ client_orderid: clientOrderId })).body).toMatchObject({ status: 'declined' });
  });

  it('is taken back when the bank did that and nobody heard it', async () => {
    const unheard: Partial<Faults> = { messages: ['inquire', 'reverse'], garbleRate: 1 };
    const { orderId, clientOrderId } = await stuckOrder(unread, unheard, () => demo.sale());
    const before = await gateway.balance();
    expect(await settle(orderId, 'reversed')).toMatchObject({ stage: 'error' });
    expect((await demo.status({ client_orderid: clientOrderId })).body).toMatchObject({ status: 'error' });
    expect(await gateway.balance()).toBe(before);
  });

  it('gives a payout back to the balance when it did not arrive', async () => {
    await demo.saleUntilFinal({ amount: '9000' });
    const before = await gateway.balance();
    const fields = { client_orderid: newOrderId(), amount: '20.00', currency: 'USD', credit_card_number: CARD };
    const unheard: Partial<Faults> = { messages: ['inquire', 'reverse'], garbleRate: 1 };
    const { orderId } = await stuckOrder(unread, unheard, () => demo.oauth('/api/v4/payout', fields));
    expect(await gateway.balance()).toBe(before - 2000n);
    await settle(orderId, 'reversed');
    expect(await gateway.balance()).toBe(before);
    expect(await gateway.balance('reserved')).toBe(0n);
  });

  it('is settled once, by somebody who says why, and nothing else is', async () => {
    const { orderId } = await stuckOrder(unread, DEAF, () => demo.sale());
    const given = { orderId: Number(orderId), seq: 1, outcome: 'approved' };
    await expect(ask('settleStuck', given)).rejects.toThrow('note is missing: where the outcome is known from');
    await expect(ask('settleStuck', { ...given, outcome: 'gone', note: 'x' })).rejects.toThrow('outcome: one of');
    const both = await Promise.allSettled([settle(orderId, 'approved'), settle(orderId, 'approved')]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(settle(orderId, 'declined')).rejects.toThrow(`order ${orderId} has no transaction 1 that waits`);
    const [entries] = await gateway.query(
      `select count(*)::int as count from ledger_entries where order_id = ${orderId}`,
    );
    expect(entries).toEqual({ count: 2 });
  });

  it('shows in the metrics by its age', async () => {
    const metric = async (name: string) => {
      const text = await (await fetch(`${gateway.origin}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    expect(await metric('tender_oldest_unfinished_seconds')).toBe(0);
    const { orderId } = await stuckOrder(unread, DEAF, () => demo.sale());
    expect(await metric('tender_stuck_transactions')).toBe(1);
    // All the inquiries and reversals of the written schedule lie behind it.
    expect(await metric('tender_oldest_unfinished_seconds')).toBeGreaterThan(30 * 60 * 60);
    await settle(orderId, 'approved');
    expect(await metric('tender_oldest_unfinished_seconds')).toBe(0);
  });
});

describe('what waits for a person, by command', () => {
  const own = new Belongings();
  afterAll(() => own.drop());

  it('is listed and settled on a gateway that does not run', async () => {
    const bank = own.keep(await startBankProcess(['--data', await own.folder(), '--refuse-rate', '1']));
    const { args, folder, looking } = await newPlace(own, embedded);
    const gateway = own.keep(await startProcess([...args, '--bank-url', bank.url]));
    const shop = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => shop.close());
    const { body } = await shop.sale();
    const orderId = body['paynet-order-id'];
    await gateway.process.stop('SIGKILL');
    // A day and a half later, in short.
    await looking((query) => query(`update transactions set stage = 'stuck', due_at = null, lease_owner = null`));
    const run = (...words: string[]) => tender([...words, '--data', folder]);
    expect((await run('stuck', 'list')).stdout).toMatch(new RegExp(`^${orderId} +1 +sale +10.42 USD +demo`, 'm'));
    const settled = await run('stuck', 'settle', orderId, '1', '--as', 'declined', '--note', 'by phone');
    expect(settled).toEqual({ code: 0, stdout: `Order ${orderId}, transaction 1 is declined now.\n`, stderr: '' });
    expect((await run('stuck', 'list')).stdout).toBe('Nothing waits for a person.\n');
    const again = await run('stuck', 'settle', orderId, '1', '--as', 'declined', '--note', 'by phone');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tender: order \d+ has no transaction 1/) });
    expect((await run('stuck', 'settle', orderId, '1', '--note', 'x')).stderr).toMatch(
      /^tender: required option '--as/,
    );
  });
});
