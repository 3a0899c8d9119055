// Charging a stored card again, over HTTP: the merchant is there, the payer is not.

import { expect, it } from 'vitest';
import { cardReferenceStore } from '../../src/storage/cards/card-references.ts';
import { DEMO_MERCHANT_ID, describeGateway, newOrderId } from '../harness.ts';
import { rebill, rebillUntilFinal, recurringPayment, storeCard } from './stored-cards.ts';

describeGateway('rebills', {}, (gateway) => {
  it('a stored card is charged without its security code', async () => {
    const reference = await storeCard(gateway.demo);
    const order = await rebillUntilFinal(gateway.demo, reference, { comment: 'The April issue' });
    expect(order).toMatchObject({
      status: 'approved',
      'transaction-type': 'sale',
      amount: '10.00',
      'last-four-digits': '1111',
      'card-type': 'VISA',
    });
    expect(await gateway.bookedFor(order['paynet-order-id'])).toMatchObject([
      { kind: 'sale', outcome: 'approved', amount: { minor: 1000n, currency: 'USD' } },
    ]);
  });

  it('the same request again is the same order, with other values it is refused', async () => {
    const reference = await storeCard(gateway.demo);
    const fields = { client_orderid: newOrderId() };
    const first = await rebill(gateway.demo, reference, fields);
    const again = await rebill(gateway.demo, reference, fields);
    expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    const other = await rebill(gateway.demo, reference, { ...fields, amount: '11.00' });
    expect(other).toMatchObject({ status: 400, body: { 'error-code': '31' } });
  });

  it('declined, it says why', async () => {
    const reference = await storeCard(gateway.demo);
    const order = await rebillUntilFinal(gateway.demo, reference, { amount: '21.16' });
    expect(order).toMatchObject({ status: 'declined', 'error-code': '116' });
  });

  it('in doubt, it is asked about until it is known', async () => {
    const reference = await storeCard(gateway.demo);
    const { body } = await rebill(gateway.demo, reference, { amount: '12.17' });
    await gateway.untilAllFinal();
    const order = await gateway.demo.untilFinal(body['merchant-order-id']);
    expect(order).toMatchObject({ status: 'approved', amount: '12.17' });
    expect(await gateway.bookedFor(order['paynet-order-id'])).toHaveLength(1);
  });

  it('several amounts are tried in turn until one is approved', async () => {
    const reference = await storeCard(gateway.demo);
    const amounts = { amount: '31.16', enumerate_amounts: '21.16,9.00,5.00' };
    const order = await rebillUntilFinal(gateway.demo, reference, amounts);
    expect(order).toMatchObject({ status: 'approved', amount: '9.00', 'initial-amount': '31.16' });
    const booked = await gateway.bookedFor(order['paynet-order-id']);
    expect(booked.map(({ amount, outcome }) => `${amount.minor} ${outcome}`)).toEqual([
      '3116 declined',
      '2116 declined',
      '900 approved',
    ]);
  });

  it("no amount below the endpoint's minimum is tried, be it the first or a later one", async () => {
    const { client, id } = await gateway.newMerchant();
    const reference = await storeCard(client, {}, id);
    await gateway.changeEndpoint(id, { minimum: 500n });
    const tried = (enumerate_amounts: string) => rebill(client, reference, { amount: '31.16', enumerate_amounts }, id);
    const refused = await tried('21.16,4.99');
    expect(refused).toMatchObject({ status: 400, body: { 'error-code': '12' } });
    expect(refused.body.errors).toMatchObject([{ field: 'enumerate_amounts' }]);
    const accepted = await tried('21.16,5.00');
    const order = await client.untilFinal(accepted.body['merchant-order-id'], { endpoint: id });
    expect(order).toMatchObject({ status: 'approved', amount: '5.00' });
  });

  it('a final decline ends the attempts', async () => {
    const reference = await storeCard(gateway.demo, { credit_card_number: '4000056655665556' });
    const amounts = { amount: '22.09', enumerate_amounts: '9.00' };
    const order = await rebillUntilFinal(gateway.demo, reference, amounts);
    expect(order).toMatchObject({ status: 'declined', amount: '22.09', 'error-code': '209' });
    expect(await gateway.bookedFor(order['paynet-order-id'])).toHaveLength(1);
  });

  it('a card that was stored to receive money, and whose expiry nobody told, is not charged', async () => {
    const expiry = { expire_month: undefined, expire_year: undefined, card_printed_name: undefined };
    const reference = await recurringPayment(gateway.demo, { rp_card_type: 'DST', ...expiry });
    const client_orderid = newOrderId();
    const refused = await rebill(gateway.demo, reference, { client_orderid });
    expect(refused).toMatchObject({ status: 400, body: { 'error-code': '34' } });
    expect(await gateway.query(`select 1 from orders where client_order_id = '${client_orderid}'`)).toEqual([]);
  });

  it("another merchant's, a deleted and an invented reference all do not exist", async () => {
    const foreign = await storeCard(gateway.demo);
    const other = await gateway.newMerchant();
    const deleted = await storeCard(gateway.demo, { credit_card_number: '5555555555554444' });
    await cardReferenceStore(gateway.database).remove(DEMO_MERCHANT_ID, Number(deleted), gateway.clock.now());
    const replies = [
      await rebill(other.client, foreign, {}, other.id),
      await rebill(gateway.demo, deleted),
      await rebill(gateway.demo, '999999999999999'),
      await rebill(gateway.demo, 'not-a-number'),
    ];
    for (const { status, body } of replies) {
      expect({ status, code: body['error-code'], message: body['error-message'] }).toEqual({
        status: 400,
        code: '50',
        message: 'Card reference not found',
      });
    }
  });

  it("the bank's books agree with ours", async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });
});
