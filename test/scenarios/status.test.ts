// Asking how an order stands: by which names, what is told, and what is told to nobody else.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, describeGateway, newOrderId, type Reply, type ReplyBody, until } from '../harness.ts';
import { formRequest } from './form-payer.ts';
import { createCardReference, rebillUntilFinal } from './stored-cards.ts';

describeGateway('a status request', {}, (gateway) => {
  const { demo } = gateway;
  let order: ReplyBody;
  let orderId: string;
  let clientOrderId: string;
  let serialNumber: string;

  beforeAll(async () => {
    clientOrderId = newOrderId();
    const { body } = await demo.sale({ client_orderid: clientOrderId });
    orderId = body['paynet-order-id'];
    serialNumber = body['serial-number'];
    order = await demo.untilFinal(clientOrderId);
  });

  it('finds the order by both ids, by my own id alone, and by the request that made it', async () => {
    const byBoth = await demo.status({ client_orderid: clientOrderId, orderid: orderId });
    const byMine = await demo.status({ client_orderid: clientOrderId });
    const byRequest = await demo.status({ client_orderid: clientOrderId, 'by-request-sn': serialNumber });
    const byRequestInCapitals = await demo.status({
      client_orderid: clientOrderId,
      'by-request-sn': serialNumber.toUpperCase(),
    });
    for (const { status, body } of [byBoth, byMine, byRequest, byRequestInCapitals]) {
      expect(status).toBe(200);
      expect(body['paynet-order-id']).toBe(orderId);
    }
    expect(byRequest.body['by-request-sn']).toBe(serialNumber);
    expect(withoutSerial(byBoth)).toEqual(withoutSerial(byMine));
  });

  describe('by the serial number of any request that was answered with the order', () => {
    const found = async (reply: Reply, client: Client = demo) => {
      expect(reply.status).toBe(200);
      const { 'merchant-order-id': client_orderid, 'serial-number': serial } = reply.body;
      const { body } = await client.status({ client_orderid, 'by-request-sn': serial });
      expect(body['by-request-sn']).toBe(serial);
      return body['order-stage'];
    };

    it('finds repeats of a sale, all at once too, and the sale even after it was returned', async () => {
      const client_orderid = newOrderId();
      const fields = demo.signedSale({ client_orderid });
      const sale = () => demo.post('/api/v2/sale/101', fields);
      await sale();
      const repeats = [await sale(), ...(await Promise.all([sale(), sale(), sale()]))];
      const paid = await demo.untilFinal(client_orderid);
      await demo.followUpUntilFinal('return', paid);
      repeats.push(await sale());
      for (const repeat of repeats) expect(await found(repeat)).toBe('sale_approved');
      expect(new Set(repeats.map(({ body }) => body['serial-number'])).size).toBe(repeats.length);
    });

    it('finds repeats that are answered although the rules have changed', async () => {
      const client_orderid = newOrderId();
      await demo.saleUntilFinal({ client_orderid });
      await gateway.changeEndpoint(101, { maximum: 1n });
      const again = await demo.sale({ client_orderid });
      await gateway.changeEndpoint(101, { maximum: undefined });
      expect(await found(again)).toBe('sale_approved');
    });

    it('finds repeats of a request for a form', async () => {
      const client_orderid = newOrderId();
      await formRequest(gateway, 'sale-form', { client_orderid });
      expect(await found(await formRequest(gateway, 'sale-form', { client_orderid }))).toBe('sale_processing');
    });

    it('finds the request that stored the card, and from then on tells the reference', async () => {
      const paid = await demo.saleUntilFinal({});
      expect(paid).not.toHaveProperty('card-ref-id');
      const stored = await createCardReference(demo, paid);
      expect(await found(stored)).toBe('sale_approved');
      const { body } = await demo.status({ client_orderid: paid['merchant-order-id'] });
      expect(body['card-ref-id']).toBe(stored.body['card-ref-id']);
      const rebilled = await rebillUntilFinal(demo, stored.body['card-ref-id']);
      expect(rebilled['card-ref-id']).toBe(stored.body['card-ref-id']);
    });

    it('finds them after a restart, and on every other node', async () => {
      const client_orderid = newOrderId();
      await demo.sale({ client_orderid });
      const again = await demo.sale({ client_orderid });
      await demo.untilFinal(client_orderid);
      if (gateway.kind === 'postgres') expect(await found(again, await gateway.second())).toBe('sale_approved');
      await gateway.restart();
      expect(await found(again)).toBe('sale_approved');
    });

    it("does not find another merchant's, nor another order's", async () => {
      const client_orderid = newOrderId();
      await demo.sale({ client_orderid });
      const serial = (await demo.sale({ client_orderid })).body['serial-number'];
      const elsewhere = await demo.status({ client_orderid: clientOrderId, 'by-request-sn': serial });
      expect(elsewhere).toMatchObject({ status: 400, body: { 'error-code': '30' } });
    });
  });

  it.each(['1042', '10.42'])('writes all amounts as the sale wrote %s', async (amount) => {
    const minor = !amount.includes('.');
    const shop = await gateway.shop();
    const paid = await demo.saleUntilFinal({ amount, notify_url: shop.url('/told') });
    expect(paid).toMatchObject({ amount, 'initial-amount': amount });
    const part = minor ? '10.00' : '1000';
    const back = await demo.followUpUntilFinal('return', paid, { amount: part, currency: 'USD' });
    expect(back).toMatchObject({ amount: minor ? '1000' : '10.00', 'initial-amount': amount });
    await until('both were called back', () => shop.told.length >= 2);
    expect(shop.told.map(({ fields }) => fields.amount).sort()).toEqual([minor ? '1000' : '10.00', amount].sort());
  });

  it('tells everything that is known of an approved order', async () => {
    const [booked] = await gateway.bookedFor(orderId);
    expect(order).toEqual({
      type: 'status-response',
      'serial-number': expect.any(String),
      'by-request-sn': serialNumber,
      'merchant-order-id': clientOrderId,
      'paynet-order-id': orderId,
      'end-point-id': '101',
      status: 'approved',
      'transaction-type': 'sale',
      'order-stage': 'sale_approved',
      amount: '1042',
      'initial-amount': '1042',
      currency: 'USD',
      descriptor: 'TENDER*DEMO',
      'original-gate-descriptor': 'TENDER*DEMO',
      'gate-partial-reversal': 'enabled',
      'gate-partial-capture': 'enabled',
      name: 'ANN EXAMPLE',
      'cardholder-name': 'ANN EXAMPLE',
      'card-exp-month': '12',
      'card-exp-year': '2031',
      email: 'ann@example.com',
      phone: '+12025550123',
      'first-name': 'Ann',
      'last-name': 'Example',
      bin: '411111',
      'last-four-digits': '1111',
      'card-type': 'VISA',
      'bank-name': 'TEST BANK ONE',
      'card-country-alpha-three-code': 'USA',
      'card-hash-id': expect.stringMatching(/^\d+$/),
      'approval-code': booked?.approvalCode,
      'processor-rrn': booked?.rrn,
      'processor-tx-id': `PNTEST-${orderId}`,
      'terminal-id': 'TENDER01',
      'receipt-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'paynet-processing-date': expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
      'verified-3d-status': 'UNKNOWN',
    });
  });

  it('tells strings only', () => {
    for (const value of Object.values(order)) expect(typeof value).toBe('string');
  });

  it('gives one card the same hash in every order, and another card another', async () => {
    const same = await demo.saleUntilFinal();
    const other = await demo.saleUntilFinal({ credit_card_number: '5555555555554444' });
    expect(same['card-hash-id']).toBe(order['card-hash-id']);
    expect(other['card-hash-id']).not.toBe(order['card-hash-id']);
    expect(other).toMatchObject({ bin: '555555', 'last-four-digits': '4444', 'card-type': 'MASTERCARD' });
  });

  it('tells of a declined order why, and leaves out what is not known', async () => {
    const declined = await demo.saleUntilFinal({ cvv2: '116', card_printed_name: undefined, phone: undefined });
    expect(declined).toMatchObject({ status: 'declined', 'error-code': '116', 'order-stage': 'sale_declined' });
    expect(declined.name).toBe('Ann Example');
    for (const absent of ['approval-code', 'cardholder-name', 'phone', 'terminal-id', 'card-ref-id']) {
      expect(declined).not.toHaveProperty(absent);
    }
  });

  it('is answered on every endpoint of mine and on my group', async () => {
    for (const endpoint of [101, 104, 200, 'group/200']) {
      const { status, body } = await demo.status({ client_orderid: clientOrderId, orderid: orderId }, { endpoint });
      expect(status).toBe(200);
      expect(body['end-point-id']).toBe('101');
    }
  });

  describe('is refused as not found', () => {
    const notFound = (reply: Reply) => {
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ type: 'validation-error', 'error-code': '30' });
    };

    it('for an order that never was', async () => {
      notFound(await demo.status({ client_orderid: newOrderId() }));
      notFound(await demo.status({ client_orderid: newOrderId(), orderid: '7' }));
    });

    it('when the two ids are of different orders', async () => {
      const { body } = await demo.sale();
      notFound(await demo.status({ client_orderid: clientOrderId, orderid: body['paynet-order-id'] }));
    });

    it('for a serial number that made no transaction of the order', async () => {
      notFound(await demo.status({ client_orderid: clientOrderId, 'by-request-sn': randomUUID() }));
    });
  });

  describe("of another merchant's order", () => {
    let rival: Client;

    beforeAll(async () => {
      rival = await gateway.addMerchant({ merchantId: 7, login: 'rival' }, 'the-rivals-key');
      await gateway.addEndpoint({ endpointId: 701, merchantId: 7 });
    });

    it('is answered byte for byte as for one that does not exist', async () => {
      const unknownId = String(Number(orderId) + 1);
      const pairs = [
        [
          { client_orderid: clientOrderId, orderid: orderId },
          { client_orderid: clientOrderId, orderid: unknownId },
        ],
        [{ client_orderid: clientOrderId }, { client_orderid: `${clientOrderId.slice(0, -1)}!` }],
      ] as const;
      for (const [theirs, nobodys] of pairs) {
        const foreign = await rival.status(theirs, { endpoint: 701 });
        const missing = await rival.status(nobodys, { endpoint: 701 });
        expect(foreign.status).toBe(400);
        expect(anonymous(foreign)).toBe(anonymous(missing));
        expect(foreign.headers['content-length']).toBe(missing.headers['content-length']);
      }
    });

    it('may use my order ids for orders of its own, and each of us sees only one', async () => {
      const theirs = await rival.sale({ client_orderid: clientOrderId }, { endpoint: 701 });
      expect(theirs.status).toBe(200);
      expect(theirs.body['paynet-order-id']).not.toBe(orderId);
      const mine = await demo.status({ client_orderid: clientOrderId });
      expect(mine.body['paynet-order-id']).toBe(orderId);
      const seen = await rival.status({ client_orderid: clientOrderId }, { endpoint: 701 });
      expect(seen.body['paynet-order-id']).toBe(theirs.body['paynet-order-id']);
    });

    it("through another merchant's endpoint is answered as through one that does not exist", async () => {
      const fields = { client_orderid: clientOrderId, orderid: orderId };
      const foreign = await demo.status(fields, { endpoint: 701 });
      const missing = await demo.status(fields, { endpoint: 702 });
      expect(foreign.body['error-code']).toBe('10');
      expect(anonymous(foreign).replaceAll('701', '702')).toBe(anonymous(missing));
    });
  });
});

function withoutSerial({ body }: Reply): ReplyBody {
  const { 'serial-number': _, ...rest } = body;
  return rest;
}

/** The reply's very bytes, apart from the serial number and the merchant's own order id. */
function anonymous({ text, body }: Reply): string {
  return text.replace(body['serial-number'], '').replace(body['merchant-order-id'], '');
}
