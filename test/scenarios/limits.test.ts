// What an endpoint or the merchant's own settings refuse, although the request is well-formed and rightly signed.

import { describe, expect, it } from 'vitest';
import { DEMO_MERCHANT_ID, describeGateway, type Reply } from '../harness.ts';

const refusal = ({ status, body }: Reply) => ({
  status,
  code: body['error-code'],
  message: body['error-message'],
  fields: (body.errors as { field?: string }[]).map(({ field }) => field),
});

describeGateway('a gateway', {}, (gateway) => {
  const { demo } = gateway;

  describe('with limits on an endpoint', () => {
    it('refuses another currency, naming both', async () => {
      expect(refusal(await demo.sale({ currency: 'EUR' }))).toEqual({
        status: 400,
        code: '11',
        message: 'The currency does not fit: end point 101 takes USD, not EUR',
        fields: ['currency'],
      });
    });

    it('keeps to a minimum and a maximum, told as people write them', async () => {
      await gateway.addEndpoint({ endpointId: 110, minimum: 500n, maximum: 2000n });
      const at = (amount: string) => demo.sale({ amount }, { endpoint: 110 });
      expect(refusal(await at('499'))).toMatchObject({ status: 400, code: '12', fields: ['amount'] });
      expect(refusal(await at('4.99')).message).toBe('Amount is below the minimum of 5.00 USD');
      expect(refusal(await at('2001')).message).toBe('Amount is above the maximum of 20.00 USD');
      expect(refusal(await at('20.01'))).toMatchObject({ status: 400, code: '13' });
      expect([(await at('500')).status, (await at('20.00')).status]).toEqual([200, 200]);
    });

    it('can require optional fields, and reports the missing ones together', async () => {
      await gateway.addEndpoint({ endpointId: 111, requiredFields: ['address1', 'zip_code', 'phone'] });
      const without = await demo.sale({ address1: undefined, zip_code: ' ' }, { endpoint: 111 });
      expect(refusal(without)).toMatchObject({ status: 400, code: '1', fields: ['address1', 'zip_code'] });
      expect((await demo.sale({}, { endpoint: 111 })).status).toBe(200);
    });

    it('takes no new orders while disabled, but still answers for old ones', async () => {
      await gateway.addEndpoint({ endpointId: 112, enabled: false });
      expect(refusal(await demo.sale({}, { endpoint: 112 }))).toMatchObject({ status: 400, code: '14' });
      const order = await demo.saleUntilFinal();
      const status = await demo.status({ client_orderid: order['merchant-order-id'] }, { endpoint: 112 });
      expect(status.status).toBe(200);
    });

    it('that requires 3-D Secure takes the order, and nothing reaches the bank before the payer was authenticated', async () => {
      const accepted = await demo.sale({ currency: 'EUR' }, { endpoint: 102 });
      expect(accepted.body).toMatchObject({ type: 'async-response', status: 'processing' });
      const asking = await demo.status({ client_orderid: accepted.body['merchant-order-id'] }, { endpoint: 102 });
      expect(asking.body).toMatchObject({ status: 'processing', 'order-stage': 'sale_3d_validating' });
      expect(await gateway.bookedFor(accepted.body['paynet-order-id'])).toEqual([]);
    });

    it('leaves no order behind when it refuses', async () => {
      const before = await gateway.query('select count(*) from orders');
      await demo.sale({ currency: 'EUR' });
      expect(await gateway.query('select count(*) from orders')).toEqual(before);
    });
  });

  describe("with a merchant's own settings", () => {
    const change = (changes: Parameters<typeof gateway.changeMerchant>[1]) =>
      gateway.changeMerchant(DEMO_MERCHANT_ID, changes);

    it('disables the whole account', async () => {
      await change({ enabled: false });
      expect(refusal(await demo.sale())).toMatchObject({ status: 400, code: '21' });
      await change({ enabled: true });
      expect((await demo.sale()).status).toBe(200);
    });

    it('allows some network addresses only', async () => {
      await change({ allowedAddresses: ['192.0.2.1'] });
      expect(refusal(await demo.sale())).toMatchObject({ status: 400, code: '22' });
      await change({ allowedAddresses: ['192.0.2.1', '127.0.0.1'] });
      expect((await demo.sale()).status).toBe(200);
      await change({ allowedAddresses: [] });
    });

    it('allows some operations only', async () => {
      await change({ allowedOperations: ['STATUS'] });
      expect(refusal(await demo.sale())).toMatchObject({ status: 400, code: '23' });
      expect((await demo.status({ client_orderid: 'nothing' })).body['error-code']).toBe('30');
      await change({ allowedOperations: ['SALE'] });
      expect((await demo.sale()).status).toBe(200);
      expect((await demo.status({ client_orderid: 'nothing' })).body['error-code']).toBe('23');
      await change({ allowedOperations: [] });
    });

    it('does not tell them to somebody without the key', async () => {
      await change({ enabled: false });
      expect(refusal(await demo.sale({}, { key: 'guessed' })).code).toBe('20');
      await change({ enabled: true });
    });

    describe('for control keys', () => {
      const NEW_KEY = 'A-NEW-KEY';

      it('takes two at once while keys rotate, and an order is the same under both', async () => {
        await gateway.addControlKey(DEMO_MERCHANT_ID, 'second', NEW_KEY);
        const old = await demo.sale();
        const fields = { client_orderid: old.body['merchant-order-id'] };
        const renewed = await demo.sale(fields, { key: NEW_KEY });
        expect([old.status, renewed.status]).toEqual([200, 200]);
        expect(renewed.body['paynet-order-id']).toBe(old.body['paynet-order-id']);
        expect((await demo.status(fields, { key: NEW_KEY })).status).toBe(200);
      });

      it('takes each between its dates only', async () => {
        const now = gateway.clock.now();
        await gateway.addControlKey(DEMO_MERCHANT_ID, 'later', 'LATER', { from: now + 60_000, until: now + 120_000 });
        expect((await demo.sale({}, { key: 'LATER' })).body['error-code']).toBe('20');
        gateway.clock.advance(61_000);
        expect((await demo.sale({}, { key: 'LATER' })).status).toBe(200);
        gateway.clock.advance(60_000);
        expect((await demo.sale({}, { key: 'LATER' })).body['error-code']).toBe('20');
      });
    });
  });
});
