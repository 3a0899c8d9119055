// The card networks' limits on trying a card again, over HTTP. Each test has a merchant of its own, so that no other
// test's declines count.

import { describe, expect, it } from 'vitest';
import type { Client, Fields, TestGateway } from '../harness.ts';
import { describeGateway, newOrderId } from '../harness.ts';
import { openForm } from './form-payer.ts';
import { createCardReference, createRecurring, rebill, storeCard } from './stored-cards.ts';

const DAY = 24 * 60 * 60 * 1000;
const MASTERCARD = '5555555555554444';
const AMEX = '378282246310005';

type Shop = { readonly client: Client; readonly id: number; readonly reference: string };

async function open(gateway: TestGateway, card: Fields = {}): Promise<Shop> {
  const { client, id } = await gateway.newMerchant();
  return { client, id, reference: await storeCard(client, card, id) };
}

/** Rebills, one after the other, each waited for; answers how many were accepted before the first refusal. */
async function triedUntilRefused(shop: Shop, fields: Fields, most: number) {
  for (let tries = 0; tries < most; tries++) {
    const reply = await rebill(shop.client, shop.reference, fields, shop.id);
    if (reply.status !== 200) return { tries, body: reply.body };
    await shop.client.untilFinal(reply.body['merchant-order-id'], { endpoint: shop.id });
  }
  return { tries: most, body: {} };
}

describeGateway('network limits', { networkLimits: 'on' }, (gateway) => {
  describe('Visa', () => {
    it('allows 20 declines of one amount in 30 days, and then says when again', async () => {
      const shop = await open(gateway);
      const { tries, body } = await triedUntilRefused(shop, { amount: '21.16' }, 25);
      expect(tries).toBe(20);
      expect(body).toMatchObject({ type: 'validation-error', 'error-code': '52' });
      const again = /it may be tried again from (\S+ \S+) UTC on/.exec(body['error-message'])?.[1] as string;
      const wait = Date.parse(`${again.replace(' ', 'T')}Z`) - gateway.clock.now();
      expect(wait).toBeGreaterThan(29 * DAY);
      expect(wait).toBeLessThanOrEqual(30 * DAY);
      const booked = await gateway.query(`select count(*)::int as number from orders where merchant_id = ${shop.id}`);
      expect(booked).toEqual([{ number: 21 }]);

      expect((await rebill(shop.client, shop.reference, { amount: '7.00' }, shop.id)).status).toBe(200);
      gateway.clock.advance(wait + 1_000);
      expect((await rebill(shop.client, shop.reference, { amount: '21.16' }, shop.id)).status).toBe(200);
    });

    it('parallel requests do not pass the limit', async () => {
      const shop = await open(gateway);
      const asked = Array.from({ length: 30 }, () => rebill(shop.client, shop.reference, { amount: '21.16' }, shop.id));
      const accepted = (await Promise.all(asked)).filter(({ status }) => status === 200);
      expect(accepted).toHaveLength(20);
    });

    it('a request that was taken is answered again as before', async () => {
      const shop = await open(gateway);
      const fields = { client_orderid: newOrderId(), amount: '21.16' };
      const first = await rebill(shop.client, shop.reference, fields, shop.id);
      await triedUntilRefused(shop, { amount: '21.16' }, 25);
      const again = await rebill(shop.client, shop.reference, fields, shop.id);
      expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    });

    it('after a final decline nothing is tried any more, under whatever reference', async () => {
      const shop = await open(gateway);
      const other = await storeCard(shop.client, {}, shop.id);
      expect((await triedUntilRefused(shop, { amount: '22.09' }, 3)).tries).toBe(1);
      const { tries, body } = await triedUntilRefused({ ...shop, reference: other }, { amount: '5.00' }, 1);
      expect(tries).toBe(0);
      expect(body['error-message']).toContain('it must not be tried again');
    });

    it('a final decline is over when the payer has paid with the card since', async () => {
      const shop = await open(gateway);
      await shop.client.saleUntilFinal({ cvv2: '209' }, { endpoint: shop.id });
      expect((await triedUntilRefused(shop, { amount: '5.00' }, 1)).tries).toBe(0);
      const fresh = await storeCard(shop.client, {}, shop.id);
      expect((await triedUntilRefused({ ...shop, reference: fresh }, { amount: '5.00' }, 1)).tries).toBe(1);
    });

    it('also when the payer has paid on the hosted form', async () => {
      const { client, id } = await gateway.newMerchant();
      await client.saleUntilFinal({ cvv2: '209' }, { endpoint: id });
      const { payer, clientOrderId } = await openForm(gateway, 'sale-form', {}, { client, endpoint: id });
      await payer.pay();
      const paid = await client.untilFinal(clientOrderId, { endpoint: id });
      const { body } = await createCardReference(client, paid, id);
      const shop = { client, id, reference: body['card-ref-id'] };
      expect((await triedUntilRefused(shop, { amount: '5.00' }, 1)).tries).toBe(1);
      expect((await triedUntilRefused(shop, { amount: '22.09' }, 3)).tries).toBe(1);
    });

    it('but not by a recurring payment that is made with it', async () => {
      const { client, id } = await gateway.newMerchant();
      await client.saleUntilFinal({ cvv2: '209' }, { endpoint: id });
      const { body } = await createRecurring(client, { amount: '5.00' }, id);
      const charge = { client_orderid: newOrderId(), 'recurring-payment-id': body['recurring-payment-id'] };
      const reply = await client.oauth('/api/v4/process-recurring-payment', charge, { endpoint: id });
      expect(reply).toMatchObject({ status: 400, body: { 'error-code': '52' } });
    });

    it('a recurring payment with the same card counts with its rebills', async () => {
      const shop = await open(gateway);
      const profile = { amount: '21.16' };
      const { body } = await createRecurring(shop.client, profile, shop.id);
      await triedUntilRefused(shop, { amount: '21.16' }, 20);
      const charge = { client_orderid: newOrderId(), 'recurring-payment-id': body['recurring-payment-id'] };
      const reply = await shop.client.oauth('/api/v4/process-recurring-payment', charge, { endpoint: shop.id });
      expect(reply).toMatchObject({ status: 400, body: { 'error-code': '52' } });
    });
  });

  describe('Mastercard', () => {
    it('allows 10 declines a day over any amounts', async () => {
      const shop = await open(gateway, { credit_card_number: MASTERCARD });
      expect((await triedUntilRefused(shop, { amount: '21.16' }, 4)).tries).toBe(4);
      expect((await triedUntilRefused(shop, { amount: '31.16' }, 10)).tries).toBe(6);
      gateway.clock.advance(DAY + 1_000);
      expect((await triedUntilRefused(shop, { amount: '31.16' }, 2)).tries).toBe(2);
    });

    it('every amount of an enumeration is an attempt', async () => {
      const shop = await open(gateway, { credit_card_number: MASTERCARD });
      const three = { amount: '31.16', enumerate_amounts: '21.16,11.16' };
      expect((await triedUntilRefused(shop, three, 5)).tries).toBe(3);
      expect((await triedUntilRefused(shop, { amount: '31.16' }, 5)).tries).toBe(1);
    });
  });

  it('other networks: as often as the merchant likes, but not after a final decline', async () => {
    const shop = await open(gateway, { credit_card_number: AMEX, cvv2: '1234' });
    expect((await triedUntilRefused(shop, { amount: '21.16' }, 25)).tries).toBe(25);
    expect((await triedUntilRefused(shop, { amount: '21.19' }, 3)).tries).toBe(1);
  });

  it('switched off, nothing is counted', async () => {
    const shop = await open(gateway);
    expect((await triedUntilRefused(shop, { amount: '22.09' }, 2)).tries).toBe(1);
    await gateway.restart({ networkLimits: 'off' });
    expect((await triedUntilRefused(shop, { amount: '22.09' }, 2)).tries).toBe(2);
  });
});

describeGateway('a sandbox without further settings', {}, (gateway) => {
  it('lets a test card that was declined for good be charged again', async () => {
    const shop = await open(gateway);
    expect((await triedUntilRefused(shop, { amount: '22.09' }, 2)).tries).toBe(2);
    expect((await triedUntilRefused(shop, { amount: '5.00' }, 1)).tries).toBe(1);
  });

  it('lets it pay after more declines than any network allows', async () => {
    const shop = await open(gateway, { credit_card_number: MASTERCARD });
    expect((await triedUntilRefused(shop, { amount: '21.16' }, 12)).tries).toBe(12);
  });
});
