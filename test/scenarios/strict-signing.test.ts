// Strict signing: an endpoint that demands a second signature, over the operation, the id in the path and every byte
// sent.

import { createHmac } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import {
  DEMO_MERCHANT_ID,
  describeGateway,
  encode,
  newOrderId,
  type Reply,
  type ReplyBody,
  type SignOptions,
  sha1,
  until,
} from '../harness.ts';

const STRICT = 120;

const refused = ({ status, body }: Reply) => ({ status, code: body['error-code'] });
const NOT_STRICT = { status: 400, code: '24' };

describeGateway('an endpoint with strict signing', {}, (gateway) => {
  const { demo } = gateway;

  beforeAll(() => gateway.addEndpoint({ endpointId: STRICT, strictSigning: true }));

  type Strict = { seconds?: number; operation?: string; endpoint?: number; key?: string; body?: string };

  function signature(body: string, strict: Strict = {}): string {
    const { seconds = Math.floor(gateway.clock.now() / 1000), operation = 'SALE', endpoint = STRICT } = strict;
    const text = `${seconds}.${operation}.${endpoint}.${strict.body ?? body}`;
    return `t=${seconds},v1=${createHmac('sha256', strict.key ?? demo.key)
      .update(text)
      .digest('hex')}`;
  }

  function sale(strict: Strict = {}, options: SignOptions = {}, clientOrderId = newOrderId()): Promise<Reply> {
    const body = encode(demo.signedSale({ client_orderid: clientOrderId }, { endpoint: STRICT }));
    const headers = { 'x-signature': signature(body, strict), ...options.headers };
    return demo.post(`/api/v2/sale/${STRICT}`, {}, { rawBody: body, headers });
  }

  it('takes a request with both signatures', async () => {
    expect((await sale()).status).toBe(200);
    expect((await sale({}, { headers: { 'x-signature': undefined } }, newOrderId())).status).toBe(400);
  });

  it.each<[string, Strict]>([
    ['is of another operation', { operation: 'PREAUTH' }],
    ['is of another endpoint', { endpoint: 101 }],
    ['is over another body', { body: 'amount=1' }],
    ['is made with another key', { key: 'guessed' }],
  ])('refuses a signature that %s', async (_, strict) => {
    const reply = await sale(strict);
    expect(refused(reply)).toEqual(NOT_STRICT);
    expect(reply.body['error-message']).toContain('does not fit');
  });

  it('refuses one made with a key whose time is over', async () => {
    const ended = { key: 'a-key-of-last-year', until: gateway.clock.now() - 1_000 };
    await gateway.addControlKey(DEMO_MERCHANT_ID, 'ended', ended.key, { until: ended.until });
    expect(refused(await sale({ key: ended.key }))).toEqual(NOT_STRICT);
  });

  it('refuses one that is more than 300 seconds away, before or after', async () => {
    const now = Math.floor(gateway.clock.now() / 1000);
    for (const seconds of [now - 302, now + 302]) {
      const reply = await sale({ seconds });
      expect(refused(reply)).toEqual(NOT_STRICT);
      expect(reply.body['error-message']).toContain('300 s');
    }
    for (const seconds of [now - 290, now + 290]) expect((await sale({ seconds })).status).toBe(200);
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no time', `v1=${'0'.repeat(64)}`],
    ['a short digest', `t=1760000000,v1=${'0'.repeat(63)}`],
  ])('refuses %s and says how it should look', async (_, header) => {
    const reply = await sale({}, { headers: { 'x-signature': header } });
    expect(refused(reply)).toEqual(NOT_STRICT);
    expect(reply.body['error-message']).toContain('t=<unix seconds>');
  });

  /** A return of 1.00, on the endpoint it is sent to. */
  function refund(order: ReplyBody, endpoint: number, strict?: Strict, key?: string): Promise<Reply> {
    const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = order;
    const control = sha1(`${demo.login}${client_orderid}${orderid}100USD${demo.key}`);
    const body = encode({ login: demo.login, client_orderid, orderid, amount: '1.00', currency: 'USD', control });
    const headers = {
      ...(strict && { 'x-signature': signature(body, { operation: 'RETURN', endpoint, ...strict }) }),
      ...(key && { 'idempotency-key': key }),
    };
    return demo.post(`/api/v2/return/${endpoint}`, {}, { rawBody: body, headers });
  }

  it('protects its orders from requests through another endpoint', async () => {
    const order = await saleUntilFinal();
    expect(refused(await refund(order, 101))).toEqual(NOT_STRICT);
    const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = order;
    const control = sha1(`${demo.login}${client_orderid}${orderid}${demo.key}`);
    const fields = { login: demo.login, client_orderid, orderid, control };
    expect(refused(await demo.post('/api/v2/create-card-ref/101', fields))).toEqual(NOT_STRICT);
    expect(refused(await demo.post('/api/v2/status/101', fields))).toEqual(NOT_STRICT);
    expect((await refund(order, STRICT, {})).status).toBe(200);
  });

  it('does the same bytes once, however often they come, and other bytes anew', async () => {
    const order = await saleUntilFinal();
    const seconds = Math.floor(gateway.clock.now() / 1000);
    const replies = [await refund(order, STRICT, { seconds }), await refund(order, STRICT, { seconds })];
    expect(replies[1]?.text).toBe(replies[0]?.text);
    await gateway.untilAllFinal();
    expect((await gateway.bookedFor(order['paynet-order-id'])).filter(({ kind }) => kind === 'refund')).toHaveLength(1);
    const later = await refund(order, STRICT, { seconds: seconds + 1 });
    expect(later.body['serial-number']).not.toBe(replies[0]?.body['serial-number']);
  });

  it('does the same bytes once also when they lose their Idempotency-Key, or get another', async () => {
    const order = await saleUntilFinal();
    const seconds = Math.floor(gateway.clock.now() / 1000);
    const key = newOrderId();
    const first = await refund(order, STRICT, { seconds }, key);
    expect((await refund(order, STRICT, { seconds }, key)).text).toBe(first.text);
    for (const other of [undefined, newOrderId()]) {
      expect(refused(await refund(order, STRICT, { seconds }, other))).toEqual(NOT_STRICT);
    }
    const signedAnew = await refund(order, STRICT, { seconds: seconds + 1 }, key);
    expect(signedAnew.text).toBe(first.text);
  });

  it('still wants the control', async () => {
    const body = encode(demo.signedSale({}, { endpoint: STRICT, key: 'guessed' }));
    const headers = { 'x-signature': signature(body) };
    expect(refused(await demo.post(`/api/v2/sale/${STRICT}`, {}, { rawBody: body, headers }))).toEqual({
      status: 400,
      code: '20',
    });
  });

  /** A status request, strictly signed, at the endpoint it is sent to. */
  function strictStatus(clientOrderId: string, endpoint: number): Promise<Reply> {
    const control = sha1(`${demo.login}${clientOrderId}${demo.key}`);
    const body = encode({ login: demo.login, client_orderid: clientOrderId, control });
    const headers = { 'x-signature': signature(body, { operation: 'STATUS', endpoint }) };
    return demo.post(`/api/v2/status/${endpoint}`, {}, { rawBody: body, headers });
  }

  async function saleUntilFinal(): Promise<ReplyBody> {
    const { body } = await sale();
    const isFinal = async () => (await strictStatus(body['merchant-order-id'], STRICT)).body.status === 'approved';
    await until('the sale is approved', isFinal);
    return body;
  }

  it('demands it of status requests too', async () => {
    expect(refused(await demo.status({ client_orderid: newOrderId() }, { endpoint: STRICT }))).toEqual(NOT_STRICT);
  });

  it('demands it of status requests about its orders through any endpoint', async () => {
    const { 'merchant-order-id': clientOrderId } = await saleUntilFinal();
    for (const endpoint of [101, 102, 200]) {
      expect(refused(await demo.status({ client_orderid: clientOrderId }, { endpoint }))).toEqual(NOT_STRICT);
    }
    expect((await strictStatus(clientOrderId, STRICT)).body).toMatchObject({ type: 'status-response' });
  });

  it('demands it also behind a group, whatever else is in it', async () => {
    await gateway.addGroup({ groupId: 220, endpointIds: [101, STRICT] });
    expect(refused(await demo.sale({}, { endpoint: 220 }))).toEqual(NOT_STRICT);
  });

  it('is not asked for elsewhere', async () => {
    expect((await demo.sale({}, { headers: { 'x-signature': 'anything' } })).status).toBe(200);
  });
});
