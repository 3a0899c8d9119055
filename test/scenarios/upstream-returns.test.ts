// A payout that comes back through two services: the bank behind the provider returns it, the provider tells us by its
// callback, and both have the money in their merchant's balance again, once.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JournalComparison } from '../../src/domain/money/reconciliation.ts';
import { instructionStore } from '../../src/storage/orders/instructions.ts';
import { CARD, type Client, kindsOfThisFile, newOrderId, type ReplyBody, TestGateway, until } from '../harness.ts';
import { testKeys } from '../test-keys.ts';
import { askBy, localNote } from './person-browser.ts';
import { toldReturned } from './whole-life.ts';

const TERMINAL = 'provider';
const OTHER_CARD = '5555555555554444';

type Account = { readonly client: Client; readonly id: number };

for (const kind of kindsOfThisFile()) {
  describe(`payouts that come back through a provider, on ${kind.name}`, () => {
    const far = new TestGateway(kind, {});
    const near = new TestGateway(kind, {});
    let account: Account;
    let shop: Account;

    const asked = async (at: TestGateway, verb: string, given: object) => {
      const { url, token } = await localNote(at.dataFolder);
      const { status, body } = await askBy(url, token, verb, given);
      if (status !== 200) throw new Error(`${verb}: ${JSON.stringify(body)}`);
      return body.answer;
    };

    beforeAll(async () => {
      await far.open();
      await near.open();
      account = await far.newMerchant();
      const settings = { baseUrl: `${far.origin}/paynet`, endpointId: account.id, login: account.client.login };
      const secrets = { controlKey: account.client.key, privateKey: testKeys('merchants').privateKey };
      await asked(near, 'addTerminal', { name: TERMINAL, connector: 'upstream', settings, secrets });
      await near.refresh();
      shop = await near.newMerchant({ route: TERMINAL });
      await shop.client.saleUntilFinal({ amount: '100.00' }, { endpoint: shop.id });
    });
    afterAll(async () => {
      await near.close();
      await far.close();
    });

    async function paidOut(changes: Record<string, string> = {}): Promise<ReplyBody> {
      const fields = { client_orderid: newOrderId(), amount: '10.00', currency: 'USD', credit_card_number: CARD };
      const path = changes['destination-card-no'] ? '/api/v4/transfer' : '/api/v4/payout';
      await shop.client.oauth(path, { ...fields, ...changes }, { endpoint: shop.id });
      const paid = await shop.client.untilFinal(fields.client_orderid, { endpoint: shop.id });
      expect(paid).toMatchObject({ status: 'approved' });
      return paid;
    }

    /** The provider's order of an instruction of ours. */
    async function orderAtProvider(reference: string): Promise<string> {
      const [row] = await far.query(`select order_id::text as id from orders where client_order_id = '${reference}'`);
      return String(row?.id);
    }

    /** The provider's bank returns the order and tells the provider so. */
    async function returnedByBank(reference: string): Promise<string> {
      const orderId = await orderAtProvider(reference);
      const atBank = await far.bankReference(orderId);
      await far.bank.reverse(atBank);
      expect((await toldReturned(far, atBank)).status).toBe(200);
      return orderId;
    }

    /** What the provider calls us with, signed as it signs. */
    function callback(orderId: string, reference: string, changes: Record<string, string> = {}): Promise<Response> {
      const fields = { status: 'approved', type: 'reversal', comment: '', ...changes };
      const signed = `${fields.status}${orderId}${reference}${account.client.key}`;
      const control = createHash('sha1').update(signed).digest('hex');
      const query = new URLSearchParams({ ...fields, orderid: orderId, client_orderid: reference, control });
      return fetch(`${near.origin}/paynet/bank/${TERMINAL}?${query}`);
    }

    const typesOf = async ({ 'paynet-order-id': orderId }: ReplyBody) => {
      const rows = await near.query(`select type, stage from transactions where order_id = ${orderId} order by seq`);
      return rows.map(({ type, stage }) => `${type} ${stage}`);
    };

    /** Ours held against the books of the bank behind the provider, under the names that we gave. */
    async function differences(): Promise<string[]> {
      const orders = await far.query('select order_id::text as id, client_order_id as name from orders');
      const names = new Map(orders.map(({ id, name }) => [String(id), String(name)]));
      const lines = (await far.books()).map(({ reference, amount, ...entry }) => ({
        ...entry,
        ...amount,
        reference: names.get(reference.split('-')[0] ?? '') ?? reference,
      }));
      const comparison = new JournalComparison(lines.filter(({ reference }) => /-\d+/.test(reference)));
      const start = { merchantId: 0, orderId: 0 };
      const { instructions } = await instructionStore(near.database).page(start, 100, TERMINAL);
      const found = [...instructions.flatMap((one) => comparison.compare(one)), ...comparison.rest()];
      return found.map(({ reference, cause }) => `${reference} ${cause}`);
    }

    async function expectClean(): Promise<void> {
      expect(await differences()).toEqual([]);
      expect(await far.discrepancies()).toEqual([]);
      for (const at of [near, far]) {
        for (let from: string | null | undefined; from !== null; ) {
          const part = await asked(at, 'verifyPart', from === undefined ? {} : { from });
          expect(part.findings).toEqual([]);
          from = part.next;
        }
      }
    }

    it('are in both balances again, once, however often they are told', async () => {
      const before = [await near.balances(shop.id), await far.balances(account.id)];
      const paid = await paidOut();
      const reference = await near.bankReference(paid['paynet-order-id']);
      const atProvider = await returnedByBank(reference);
      await until('the return is booked here', async () => (await typesOf(paid)).length === 2);
      expect(await typesOf(paid)).toEqual(['payout approved', 'reversal approved']);
      expect([await near.balances(shop.id), await far.balances(account.id)]).toMatchObject(before);
      for (let times = 0; times < 2; times++) expect((await callback(atProvider, reference)).status).toBe(200);
      // The payout's own callback that comes late says nothing new.
      expect((await callback(atProvider, reference, { type: 'payout' })).status).toBe(200);
      expect(await typesOf(paid)).toHaveLength(2);
      await expectClean();
    });

    it('are not booked by the word of a callback alone', async () => {
      const paid = await paidOut();
      const reference = await near.bankReference(paid['paynet-order-id']);
      const atProvider = await orderAtProvider(reference);
      expect((await callback(atProvider, reference)).status).toBe(200);
      expect(await typesOf(paid)).toEqual(['payout approved']);
      expect((await callback(atProvider, '1-1-x')).status).toBe(404);
      await expectClean();
    });

    it('are found when the callback comes before the payout has ended here', async () => {
      far.bank.faults.set({ messages: ['instruct'], script: ['lose-answer'] });
      const fields = { client_orderid: newOrderId(), amount: '4.00', currency: 'USD', credit_card_number: CARD };
      const { body } = await shop.client.oauth('/api/v4/payout', fields, { endpoint: shop.id });
      const reference = await near.bankReference(body['paynet-order-id']);
      await until('the provider has it', async () => (await orderAtProvider(reference)) !== 'undefined');
      const atProvider = await orderAtProvider(reference);
      expect((await callback(atProvider, reference)).status).toBe(503);
      far.bank.faults.set({});
      await until('both have ended it', async () => {
        for (const one of [far, near]) one.clock.advance(2_000);
        const [open] = await near.query(`select 1 from transactions where stage not in ('approved', 'declined')`);
        return open === undefined;
      });
      await returnedByBank(reference);
      await until('the return is booked here', async () => (await typesOf(body)).length === 2);
      await expectClean();
    });

    it('of a transfer are not taken, and somebody is told', async () => {
      const payer = { expire_month: '12', expire_year: '2031', cvv2: '123', card_printed_name: 'ANN' };
      const sent = await paidOut({ ...payer, 'destination-card-no': OTHER_CARD });
      const [row] = await far.query(`select client_order_id as name from orders
        where client_order_id like '${sent['paynet-order-id']}-%' and operation = 'payout'`);
      const reference = String(row?.name);
      const atProvider = await returnedByBank(reference);
      expect((await callback(atProvider, reference)).status).toBe(422);
      expect(await typesOf(sent)).toEqual(['transfer approved']);
      const said = near.log.filter((line) => JSON.stringify(line).includes('a return that a bank told of'));
      expect(JSON.stringify(said)).toContain('it is a transfer');
      expect(JSON.stringify(said)).toContain(sent['paynet-order-id']);
    });
  });
}
