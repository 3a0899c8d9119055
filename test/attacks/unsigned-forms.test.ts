// Anybody can ask for an unsigned form, so a stranger tries what one can be made to do: stand in the merchant's way,
// send a signed outcome to the stranger, tell which endpoints exist, and test cards.

import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  DEMO_MERCHANT_ID,
  describeGateway,
  type Fields,
  newOrderId,
  type Reply,
  until,
} from '../harness.ts';
import { formRequest, opened, openForm } from '../scenarios/form-payer.ts';
import { TestShop } from '../test-shop.ts';
import { stolenCard, tally, WRONG_CODE, workThrough } from './stolen-cards.ts';

const MINUTE_MS = 60_000;

/** A penny's form that nobody signed. */
const penny = (clientOrderId: string, more: Fields = {}): Fields => ({
  ...{
    client_orderid: clientOrderId,
    amount: '0.01',
    currency: 'USD',
    order_desc: 'Nothing',
    email: 'eve@example.com',
  },
  ...more,
});

const ask = (client: Client, id: number, fields: Fields, more: Parameters<Client['post']>[2] = {}) =>
  client.post(`/api/v2/payment-form/${id}`, fields, more);

describeGateway('a stranger with an unsigned form', {}, (gateway) => {
  it("under the merchant's next order id does not stand in the way of the merchant's own sale", async () => {
    const { client, id } = await gateway.newMerchant();
    const clientOrderId = newOrderId();
    const { payer, orderId } = opened(gateway, await ask(client, id, penny(clientOrderId)));
    expect((await payer.pay()).status).toBe(303);
    const byBoth = await client.untilFinal(clientOrderId, { endpoint: id, orderId });
    expect(byBoth).toMatchObject({ status: 'approved', amount: '0.01', 'amount-signed': 'no' });
    // The merchant's own name for an order is not a stranger's to give.
    const unknown = await client.status({ client_orderid: clientOrderId }, { endpoint: id });
    expect(unknown.body).toMatchObject({ 'error-code': '30' });
    const sale = await client.sale({ client_orderid: clientOrderId }, { endpoint: id });
    expect(sale.status, sale.text).toBe(200);
    const status = await client.untilFinal(clientOrderId, { endpoint: id });
    expect(status).toMatchObject({
      status: 'approved',
      amount: '1042',
      'paynet-order-id': sale.body['paynet-order-id'],
    });
    expect(status).not.toHaveProperty('amount-signed');
    // Nor does the sale stand in the way of another form, and the books hold.
    expect((await ask(client, id, penny(clientOrderId))).body['paynet-order-id']).toBe(orderId);
    expect((await ask(client, id, { ...penny(clientOrderId), amount: '0.02' })).body['error-code']).toBe('31');
  });

  it('under a signed order’s id, and with its idempotency key, changes nothing for the merchant', async () => {
    const { client, id } = await gateway.newMerchant();
    const clientOrderId = newOrderId();
    const headers = { 'idempotency-key': `key of ${clientOrderId}` };
    expect((await ask(client, id, penny(newOrderId()), { headers })).status).toBe(200);
    const sale = await client.sale({ client_orderid: clientOrderId }, { endpoint: id, headers });
    expect(sale.status, sale.text).toBe(200);
    expect((await ask(client, id, penny(clientOrderId), { headers })).status).toBe(200);
    const again = await client.sale({ client_orderid: clientOrderId }, { endpoint: id, headers });
    expect(again.body['paynet-order-id']).toBe(sale.body['paynet-order-id']);
  });

  it('has the merchant told only where the merchant says, and that nobody signed the amount', async () => {
    const { client, id } = await gateway.newMerchant();
    const shop = await TestShop.open({ key: client.key, now: () => gateway.clock.now() });
    try {
      await gateway.changeEndpoint(id, { formAddresses: [shop.url('/told')] });
      const elsewhere = 'https://stranger.example/told';
      const fields = ['redirect_url', 'redirect_success_url', 'redirect_fail_url', 'server_callback_url', 'notify_url'];
      for (const field of fields) {
        const refused = await ask(client, id, penny(newOrderId(), { [field]: elsewhere }));
        expect(refused.status).toBe(400);
        expect(refused.body).toMatchObject({ 'error-code': '61', 'error-message': expect.stringContaining(field) });
      }
      const links = { server_callback_url: shop.url('/told/server?of=it'), redirect_url: shop.url('/told/payer') };
      const { payer, orderId, reply } = opened(gateway, await ask(client, id, penny(newOrderId(), links)));
      await payer.pay();
      await until('the merchant is told', () => shop.of(reply.body).length > 0);
      expect(shop.of(reply.body)[0]?.fields).toMatchObject({
        status: 'approved',
        orderid: orderId,
        'amount-signed': 'no',
      });
      expect(shop.complaints).toEqual([]);
      expect((await payer.open()).text).toContain('name="amount-signed" value="no"');
      // A signed form goes wherever the merchant signs, and says nothing new.
      const signed = await openForm(gateway, 'payment-form', { redirect_url: elsewhere }, { client, endpoint: id });
      await signed.payer.pay();
      await client.untilFinal(signed.clientOrderId, { endpoint: id });
      expect((await signed.payer.open()).text).not.toContain('amount-signed');
    } finally {
      await shop.close();
    }
  });

  it('gets no more of them from many addresses of one range than from one', async () => {
    await gateway.restart({ trustedProxies: ['127.0.0.1'] });
    const { client, id } = await gateway.newMerchant();
    const from = (address: string) => ask(client, id, penny(newOrderId()), { headers: { 'x-forwarded-for': address } });
    await gateway.clock.standStillFor(async () => {
      const replies = await Promise.all(Array.from({ length: 70 }, (_, host) => from(`198.51.101.${host}`)));
      expect(tally(replies.map(({ body }) => body['error-code'] ?? 'taken'))).toEqual({ taken: 60, '79': 10 });
      const six = await Promise.all(Array.from({ length: 70 }, (_, host) => from(`2a00:1450:4001:80b::${host}`)));
      expect(tally(six.map(({ body }) => body['error-code'] ?? 'taken'))).toEqual({ taken: 60, '79': 10 });
      expect((await from('198.51.102.1')).status).toBe(200);
    });
  });
});

describeGateway('in production, a stranger with an unsigned form', {}, (gateway) => {
  beforeAll(async () => {
    // Everybody knows the demo merchant's key, so production does not start with it.
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production', trustedProxies: ['127.0.0.1'] });
  });

  const bare = ({ status, body }: Reply) => ({ status, ...body, 'serial-number': undefined });

  describe('where nobody asked for unsigned forms', () => {
    it.each(['payment-form', 'payout-form'])(
      'gets no %s, and cannot tell whether the endpoint exists',
      async (path) => {
        const { client, id } = await gateway.newMerchant();
        const fields = penny('one-id');
        const known = await client.post(`/api/v2/${path}/${id}`, fields);
        expect(known.status).toBe(400);
        expect(['20', '25']).toContain(known.body['error-code']);
        for (const pathId of ['987654', '200', 'group/200', 'group/987654', 'x', '']) {
          const other = await client.post(`/api/v2/${path}/${pathId}`, fields);
          if (pathId === '' || pathId === 'x') continue;
          expect(bare(other)).toEqual(bare(known));
        }
        const wrong = {
          ...fields,
          login: 'nobody',
          amount: 'x',
          currency: 'XXX',
          redirect_url: 'https://stranger.example',
        };
        const [one, other] = [`${id}`, '987654'].map((pathId) => client.post(`/api/v2/${path}/${pathId}`, wrong));
        expect(bare((await one) as Reply)).toEqual(bare((await other) as Reply));
      },
    );

    it('the merchant’s signed form still opens', async () => {
      const { client, id } = await gateway.newMerchant();
      expect((await formRequest(gateway, 'payment-form', {}, { client, endpoint: id })).status).toBe(200);
    });
  });

  describe('where an operator asked for them', () => {
    it('sends nobody anywhere, because no address is registered', async () => {
      const { client, id } = await gateway.newMerchant({ signedForms: false });
      const redirect = penny(newOrderId(), { redirect_url: 'https://stranger.example/' });
      const callback = penny(newOrderId(), { server_callback_url: 'https://stranger.example/' });
      for (const fields of [redirect, callback]) {
        const refused = await ask(client, id, fields);
        expect(refused).toMatchObject({ status: 400, body: { 'error-code': '61' } });
      }
      expect((await ask(client, id, penny(newOrderId()))).status).toBe(200);
      await gateway.changeEndpoint(id, { formAddresses: ['https://shop.example'] });
      const own = penny(newOrderId(), { redirect_url: 'https://shop.example/thanks' });
      expect((await ask(client, id, own)).status).toBe(200);
    });

    it('with 540 cards and three addresses of one /24 learns of ten, and the bank is not asked about the rest', async () => {
      const { client, id } = await gateway.newMerchant({ signedForms: false, formTries: 1 });
      const hands = 6;
      const tryCard = async (place: number) => {
        const headers = { 'x-forwarded-for': `198.51.101.${1 + (place % 3)}` };
        const reply = await ask(client, id, penny(newOrderId(), { email: `t${place}@example.com` }), { headers });
        const { payer, clientOrderId, orderId } = opened(gateway, reply);
        const page = await payer.pay({ credit_card_number: stolenCard(place), cvv2: WRONG_CODE }, headers);
        expect(page.status).toBe(303);
        const status = await client.untilFinal(clientOrderId, { endpoint: id, orderId });
        return `${status.status} ${status['error-code']}`;
      };
      const outcomes: string[] = [];
      // As many forms as an address range gets in a minute, nine minutes long.
      for (let minute = 0; minute < 9; minute++) {
        outcomes.push(...(await workThrough(60, hands, (place) => tryCard(60 * minute + place))));
        gateway.clock.advance(MINUTE_MS);
      }
      const counts = tally(outcomes);
      expect(counts['declined 100']).toBeGreaterThanOrEqual(10);
      expect(counts['declined 100']).toBeLessThan(10 + 2 * hands);
      const [asked] = await gateway.query(`select count(*)::int as n from transactions where merchant_id = ${id}
        and sends > 0`);
      expect(asked?.n).toBe(counts['declined 100']);
      expect(counts['filtered 80']).toBe(540 - (counts['declined 100'] as number));
    });
  });
});
