// The attack: somebody who can write into the database lets a deed wait there that nobody asked for, changes one that
// waits, or takes it away, so that a second person approves what the first one never wanted.

import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeGateway, type ReplyBody } from '../harness.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from '../scenarios/person-browser.ts';

describeGateway('who writes deeds into the database by SQL', {}, (gateway) => {
  let bob: PersonBrowser;
  const local = async (verb: string, given: object = {}) => {
    const { url, token } = await localNote(gateway.dataFolder);
    return askBy(url, token, verb, given);
  };
  const waits = async (): Promise<{ deedId: number; order: ReplyBody }> => {
    const order = await gateway.demo.saleUntilFinal();
    const orderId = Number(order['paynet-order-id']);
    const { body } = await local('returnOrder', { orderId, amount: '6.00', reason: 'ticket 77' });
    return { deedId: body.answer.waits.deedId, order };
  };
  const transactionsOf = (order: ReplyBody) =>
    gateway.query(`select 1 from transactions where order_id = ${order['paynet-order-id']}`);

  beforeAll(async () => {
    await hire(gateway, 'bob', 'operator');
    bob = new PersonBrowser(() => gateway.adminUrl);
    await bob.signIn('bob', PASSWORD);
    await local('setMerchant', { login: 'demo', secondPersonAbove: ['5.00 USD'] });
  });
  afterEach(async () => {
    await gateway.query('delete from waiting_deeds');
    expect((await local('signRecords')).status).toBe(200);
  });

  it('gets nothing approved that nobody asked for, or that is not what was asked for', async () => {
    const { deedId, order } = await waits();
    await gateway.query(
      `insert into waiting_deeds
       select deed_id + 1000000, kind, merchant_id, order_id, seq, outcome, amount, currency, source, again, reason,
         asked_by, asker, asked_at, expires_at from waiting_deeds where deed_id = ${deedId}`,
    );
    expect((await bob.verb('approveDeed', { deedId: deedId + 1_000_000 })).status).toBe(400);
    expect((await bob.verb('listDeeds')).body.answer).toHaveLength(1);
    await gateway.query(`update waiting_deeds set amount = 1042 where deed_id = ${deedId}`);
    expect((await bob.verb('approveDeed', { deedId })).status).toBe(400);
    expect((await bob.verb('listDeeds')).body.answer).toEqual([]);
    expect(await transactionsOf(order)).toHaveLength(1);
  });

  it('is told of when they take one away', async () => {
    const { deedId, order } = await waits();
    await gateway.query(`delete from waiting_deeds where deed_id = ${deedId}`);
    for (const [verb, given] of [
      ['listDeeds', {}],
      ['approveDeed', { deedId }],
    ] as const) {
      const { status, body } = await bob.verb(verb, given);
      expect([status, body.error]).toEqual([400, expect.stringContaining('waiting_deeds')]);
    }
    expect(await transactionsOf(order)).toHaveLength(1);
  });
});
