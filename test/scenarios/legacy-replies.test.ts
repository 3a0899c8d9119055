// The old flavour of replies, for shop plugins deployed long ago: on endpoints that have it switched on, and nowhere
// else.

import { beforeAll, describe, expect, it } from 'vitest';
import { describeGateway, MEDIA_TYPE, newOrderId, type PostOptions, type Reply, sha1, until } from '../harness.ts';

const LEGACY = 103;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const accepting = (accept: string | undefined): PostOptions => ({ headers: { accept } });

/** HTTP 200, and pairs with a line feed after every value. */
function expectOldFlavour({ status, headers, text }: Reply): void {
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html;charset=utf-8' });
  expect(text).toMatch(/^[a-z0-9-]+=[^&=\n]+\n(&[a-z0-9-]+=[^&=\n]+\n)*$/);
  expect(text).not.toMatch(/[^\x21-\x7e\n]/);
}

describeGateway('a legacy endpoint', {}, (gateway) => {
  const { demo } = gateway;

  beforeAll(async () => {
    await gateway.addEndpoint({ endpointId: 113, currency: 'JPY', legacyReplies: true });
    await gateway.addGroup({ groupId: 300, endpointIds: [LEGACY, 113] });
    await gateway.addGroup({ groupId: 301, endpointIds: [LEGACY, 104] });
    await gateway.addGroup({ groupId: 302, endpointIds: [101, 113] });
  });

  describe.each([
    ['no Accept header', undefined],
    ['*/*', '*/*'],
    ['text/html', 'text/html'],
    ['what browsers accept', BROWSER],
    ['an empty Accept header', ''],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
    ['application/json', 'application/json'],
    ['application/*', 'application/*'],
    ['text/*', 'text/*; q=0.5'],
  ])('asked with %s', (_, accept) => {
    const options = { endpoint: LEGACY, ...accepting(accept) };

    it('acknowledges a sale and tells its status in pairs', async () => {
      const client_orderid = newOrderId();
      const sale = await demo.sale({ client_orderid }, options);
      expectOldFlavour(sale);
      expect(sale.body).toEqual({
        type: 'async-response',
        'serial-number': expect.any(String),
        'merchant-order-id': client_orderid,
        'paynet-order-id': expect.stringMatching(/^\d+$/),
        'end-point-id': String(LEGACY),
        status: 'processing',
      });
      await demo.untilFinal(client_orderid);
      const status = await demo.status({ client_orderid }, options);
      expectOldFlavour(status);
      expect(status.body).toMatchObject({ type: 'status-response', status: 'approved', name: 'ANN EXAMPLE' });
      expect(status.text).toContain('name=ANN+EXAMPLE\n');
      expect(status.text).toContain('email=ann%40example.com\n');
    });

    it('refuses in pairs too, with 200 and every fault in the message', async () => {
      const reply = await demo.sale({ email: 'nobody', expire_month: '13' }, options);
      expectOldFlavour(reply);
      expect(reply.body).toMatchObject({ type: 'validation-error', 'error-code': '2' });
      expect(reply.body['error-message']).toMatch(/email.*expire_month/);
      expect(reply.body).not.toHaveProperty('errors');
    });
  });

  const old = { endpoint: LEGACY, ...accepting(undefined) };

  it('answers every operation so: holds, captures, returns, voids and references', async () => {
    const held = await demo.preauth({ amount: '100.00' }, old);
    expectOldFlavour(held);
    await demo.untilFinal(held.body['merchant-order-id']);
    const part = { amount: '40.00', currency: 'USD' };
    for (const kind of ['capture', 'void'] as const) {
      const reply = await demo.followUp(kind, held.body, part, old);
      expectOldFlavour(reply);
      expect(reply.body).toMatchObject({ type: 'async-response', 'paynet-order-id': held.body['paynet-order-id'] });
      await demo.untilFinal(held.body['merchant-order-id']);
    }
    const beyond = await demo.followUp('capture', held.body, { amount: '60.01', currency: 'USD' }, old);
    expectOldFlavour(beyond);
    expect(beyond.body['error-code']).toBe('42');
    const returned = await demo.followUp('return', held.body, { amount: '1.00', currency: 'USD' }, old);
    expectOldFlavour(returned);

    const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = held.body;
    const control = sha1(`${demo.login}${client_orderid}${orderid}${demo.key}`);
    const path = `/api/v2/create-card-ref/${LEGACY}`;
    const reference = await demo.post(path, { login: demo.login, client_orderid, orderid, control }, accepting('*/*'));
    expectOldFlavour(reference);
    expect(reference.body['card-ref-id']).toMatch(/^\d+$/);
  });

  it('answers a wrong control, a wrong body and a form so', async () => {
    const wrongControl = await demo.sale({ control: '0'.repeat(40) }, old);
    const wrongBody = await demo.post(`/api/v2/sale/${LEGACY}`, {}, { ...old, rawBody: 'a=%zz' });
    const wrongType = await demo.sale(
      {},
      { endpoint: LEGACY, headers: { accept: '*/*', 'content-type': 'text/plain' } },
    );
    const form = await demo.post(`/api/v2/sale-form/${LEGACY}`, demo.signedSale({}, old), old);
    for (const reply of [wrongControl, wrongBody, wrongType, form]) expectOldFlavour(reply);
    const codes = [wrongControl, wrongBody, wrongType].map(({ body }) => body['error-code']);
    expect(codes).toEqual(['20', '8', '6']);
    expect(form.body).toMatchObject({ type: 'async-form-response', 'redirect-url': expect.stringContaining('/pay/') });
  });

  it('keeps line feeds, ampersands and equal signs of values apart from its own', async () => {
    const client_orderid = `${newOrderId()}&a=b c+ü`;
    const reply = await demo.sale({ client_orderid }, old);
    expectOldFlavour(reply);
    expect(reply.body['merchant-order-id']).toBe(client_orderid);
  });

  it.each([300, 'group/300'])('answers so through a group of legacy endpoints, at %s', async (endpoint) => {
    for (const [currency, chosen] of [
      ['USD', '103'],
      ['JPY', '113'],
    ] as const) {
      const reply = await demo.sale({ currency }, { endpoint, ...accepting('*/*') });
      expectOldFlavour(reply);
      expect(reply.body).toMatchObject({ type: 'async-response', 'end-point-id': chosen });
    }
    const refused = await demo.sale({ currency: 'GBP' }, { endpoint, ...accepting(undefined) });
    expectOldFlavour(refused);
    expect(refused.body['error-code']).toBe('11');
  });

  it('still speaks JSON to whoever asks for it', async () => {
    for (const accept of [MEDIA_TYPE, `${MEDIA_TYPE}; q=1`]) {
      const sale = await demo.sale({}, { endpoint: LEGACY, ...accepting(accept) });
      expect({ status: sale.status, type: sale.headers['content-type'] }).toEqual({ status: 200, type: MEDIA_TYPE });
      const refused = await demo.sale({ email: 'nobody' }, { endpoint: LEGACY, ...accepting(accept) });
      expect({ status: refused.status, type: refused.headers['content-type'] }).toEqual({
        status: 400,
        type: MEDIA_TYPE,
      });
      expect(refused.body.errors).toMatchObject([{ field: 'email' }]);
    }
  });

  it('refuses any other Accept, in JSON', async () => {
    for (const accept of ['image/*', 'nonsense', `text/html, ${MEDIA_TYPE}`]) {
      const reply = await demo.sale({}, { endpoint: LEGACY, ...accepting(accept) });
      expect({ status: reply.status, type: reply.headers['content-type'] }).toEqual({ status: 400, type: MEDIA_TYPE });
      expect(reply.body['error-code']).toBe('9');
    }
  });

  it.each([301, 'group/301'])('decides in group %s when the currency picks it', async (endpoint) => {
    const picked = await demo.sale({ currency: 'USD' }, { endpoint, ...accepting('application/json') });
    expectOldFlavour(picked);
    expect(picked.body).toMatchObject({ type: 'async-response', 'end-point-id': String(LEGACY) });
    const status = await demo.status(
      { client_orderid: picked.body['merchant-order-id'] },
      { endpoint, ...accepting('*/*') },
    );
    expectOldFlavour(status);
    const other = await demo.sale({ currency: 'JPY' }, { endpoint, ...accepting(undefined) });
    expect({ status: other.status, code: other.body['error-code'] }).toEqual({ status: 400, code: '9' });
    const none = await demo.sale({ currency: 'GBP' }, { endpoint, ...accepting(undefined) });
    expectOldFlavour(none);
    expect(none.body['error-code']).toBe('11');
  });

  it('decides in its group where the operation knows no currency, whatever else is sent', async () => {
    const { 'merchant-order-id': client_orderid } = await demo.saleUntilFinal({}, { endpoint: LEGACY });
    for (const currency of [undefined, 'USD', 'JPY']) {
      const status = await demo.status({ client_orderid, currency }, { endpoint: 302, ...accepting('*/*') });
      expectOldFlavour(status);
      expect(status.body).toMatchObject({ type: 'status-response', status: 'approved' });
    }
  });

  it('with 3-D Secure is in the demo, alone and in a group with 103', async () => {
    for (const endpoint of [105, 201, 'group/201']) {
      const reply = await demo.sale({ currency: 'EUR', cvv2: '321' }, { endpoint, ...accepting(undefined) });
      expectOldFlavour(reply);
      expect(reply.body).toMatchObject({ type: 'async-response', 'end-point-id': '105' });
      const { 'merchant-order-id': client_orderid } = reply.body;
      await until('the payer is asked', async () => {
        const { body } = await demo.status({ client_orderid }, { endpoint, ...accepting(undefined) });
        return body['redirect-to'] !== undefined && body.html !== undefined;
      });
    }
    const plain = await demo.sale({}, { endpoint: 201, ...accepting(undefined) });
    expect(plain.body['end-point-id']).toBe('103');
  });

  it.each([101, 104, 200, 999])('is what %s is not: it refuses as ever', async (endpoint) => {
    for (const accept of [undefined, '*/*', 'text/html', 'application/json']) {
      const reply = await demo.sale({}, { endpoint, ...accepting(accept) });
      expect({ status: reply.status, type: reply.headers['content-type'] }).toEqual({ status: 400, type: MEDIA_TYPE });
      expect(reply.body['error-code']).toBe('9');
    }
  });

  it('is still called with POST only', async () => {
    const reply = await demo.post(`/api/v2/sale/${LEGACY}`, {}, { method: 'GET', ...accepting('text/html') });
    expect({ status: reply.status, type: reply.headers['content-type'] }).toEqual({ status: 405, type: MEDIA_TYPE });
    expect(reply.headers.allow).toBe('POST');
    expect(reply.body['error-code']).toBe('19');
  });
});
