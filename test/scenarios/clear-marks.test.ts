// Idempotency keys and nonces of before an upgrade, which were kept in clear: they still stand for their requests.

import { expect, it } from 'vitest';
import { CARD, describeGateway, newOrderId } from '../harness.ts';

const KEY = 'order-4485275742308327';
const NONCE = '4539682995824395';

describeGateway('an upgrade that finds keys and nonces in clear', {}, (gateway) => {
  const { demo } = gateway;

  it('digests them before it takes requests, so that neither repeats nor replays pass', async () => {
    const fields = demo.signedSale();
    const pay = () => demo.post('/api/v2/sale/101', fields, { headers: { 'idempotency-key': KEY } });
    const asked = { client_orderid: newOrderId(), currency: 'USD', amount: '1.00', rp_card_type: 'DST' };
    const create = (clientOrderId: string) =>
      demo.oauth(
        '/api/v4/create-recurring-payment',
        { ...asked, client_orderid: clientOrderId, credit_card_number: CARD },
        { nonce: NONCE },
      );
    await gateway.clock.standStillFor(async () => {
      const first = await pay();
      expect((await create(newOrderId())).status).toBe(200);

      // As the migration leaves what it finds.
      await gateway.query(`update transactions set idempotency_key = 'clear:${KEY}' where idempotency_key is not null`);
      await gateway.query(`update oauth_nonces set nonce = 'clear:${NONCE}'`);
      await gateway.restart();

      const tables = await gateway.everythingStored();
      expect(tables).not.toContain(KEY);
      expect(tables).not.toContain(NONCE);
      expect((await pay()).body['serial-number']).toBe(first.body['serial-number']);
      expect((await create(newOrderId())).status).toBe(400);
    });
  });
});

describeGateway('a return of before an upgrade, which has no key of its bytes', {}, (gateway) => {
  const { demo } = gateway;

  it('is made once when it is sent again, and anew after a day', async () => {
    const sale = await demo.saleUntilFinal({ amount: '10.00' });
    const giveBack = async () => {
      const { status, body } = await demo.followUp('return', sale, { amount: '3.00', currency: 'USD' });
      expect(status).toBe(200);
      await gateway.untilAllFinal();
      return body['serial-number'];
    };
    const first = await giveBack();
    // As versions before left it.
    await gateway.query('update transactions set idempotency_key = null, idempotency_until = null');
    expect(await giveBack()).toBe(first);
    gateway.clock.advance(24 * 60 * 60 * 1000 + 1);
    expect(await giveBack()).not.toBe(first);
  });
});
