// Operations beside the specification that public clients call: each does what its sibling does.

import { expect, it } from 'vitest';
import {
  describeGateway,
  type Fields,
  minorUnits,
  newOrderId,
  type Reply,
  type ReplyBody,
  saleFields,
  sha1,
} from '../harness.ts';
import { rebill, recurringPayment, storeCard } from './stored-cards.ts';

const refused = ({ status, body }: Reply) => ({ status, code: body['error-code'] });

describeGateway('an operation beside the specification', {}, (gateway) => {
  const { demo } = gateway;

  const rebilled = (operation: string, reference: string, fields: Fields = {}) =>
    rebill(demo, reference, fields, 101, operation);

  it('make-rebill-sale charges a stored card, once for the same request', async () => {
    const reference = await storeCard(demo);
    const order = { client_orderid: newOrderId() };
    const first = await rebilled('make-rebill-sale', reference, order);
    expect(first).toMatchObject({ status: 200, body: { type: 'async-response' } });
    const again = await rebilled('make-rebill-sale', reference, order);
    expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    expect(await demo.untilFinal(order.client_orderid)).toMatchObject({
      ...{ status: 'approved', 'transaction-type': 'sale', amount: '10.00', 'card-ref-id': reference },
    });
    expect(await gateway.bookedFor(first.body['paynet-order-id'])).toMatchObject([{ kind: 'sale' }]);
    expect(refused(await rebilled('make-rebill-sale', '999'))).toEqual({ status: 400, code: '50' });
  });

  it('make-rebill-preauth holds money on a stored card, to be captured or given back', async () => {
    const reference = await storeCard(demo);
    const { body } = await rebilled('make-rebill-preauth', reference);
    const held = await demo.untilFinal(body['merchant-order-id']);
    expect(held).toMatchObject({ status: 'approved', 'transaction-type': 'preauth' });
    const part = { amount: '4.00', currency: 'USD' };
    expect(await demo.followUpUntilFinal('capture', held, part)).toMatchObject({ status: 'approved' });
    const rest = { amount: '6.00', currency: 'USD' };
    expect(await demo.followUpUntilFinal('return', held, rest)).toMatchObject({ 'transaction-type': 'cancel' });
  });

  function verify(overrides: Fields = {}): Promise<Reply> {
    const { amount: _, currency: __, ...withoutMoney } = saleFields;
    const fields: Fields = { ...withoutMoney, client_orderid: newOrderId(), ...overrides };
    const control = sha1(`101${fields.client_orderid}${fields.email}${demo.key}`);
    return demo.post('/api/v2/sync/account-verification/101', { ...fields, control });
  }

  it('sync/account-verification answers with the outcome at once', async () => {
    const client_orderid = newOrderId();
    const good = await verify({ client_orderid });
    expect(good.body).toMatchObject({
      ...{ type: 'status-response', status: 'approved', 'transaction-type': 'account-verification' },
      ...{ 'merchant-order-id': client_orderid, 'card-ref-id': expect.stringMatching(/^\d+$/), bin: '411111' },
    });
    const again = await verify({ client_orderid });
    expect(again.body).toMatchObject({ status: 'approved', 'card-ref-id': good.body['card-ref-id'] });
    expect((await verify({ cvv2: '116' })).body).toMatchObject({ status: 'declined', 'error-code': '116' });
    expect(refused(await verify({ cvv2: 'abc' }))).toMatchObject({ status: 400 });
  });

  it('sync/account-verification does not wait for ever for a bank that is silent', async () => {
    gateway.bank.faults.set({ loseRequestRate: 1 });
    const asked = verify();
    const passing = setInterval(() => gateway.clock.advance(1_000), 20);
    const { body } = await asked.finally(() => clearInterval(passing));
    expect(body).toMatchObject({ type: 'status-response', status: expect.stringMatching(/^(processing|unknown)$/) });
    gateway.bank.faults.set({});
    expect(await demo.untilFinal(body['merchant-order-id'])).toMatchObject({ status: 'approved' });
  });

  const twoCards = async () => [
    await storeCard(demo),
    await storeCard(demo, { credit_card_number: '5555555555554444' }),
  ];

  function transfer(from: string | undefined, to: string | undefined, overrides: Fields = {}): Promise<Reply> {
    const order = { client_orderid: newOrderId(), amount: '10.00', currency: 'USD', ...overrides };
    const minor = minorUnits(order.amount, order.currency);
    const control = sha1(
      `${demo.login}${order.client_orderid}${from ?? ''}${to ?? ''}${minor}${order.currency}${demo.key}`,
    );
    const cards = { 'source-card-ref-id': from, 'destination-card-ref-id': to };
    return demo.post('/api/v2/transfer-by-ref/101', { control, login: demo.login, ...order, ...cards });
  }

  it('transfer-by-ref sends money from one stored card to another', async () => {
    const [from, to] = await twoCards();
    const { status, body } = await transfer(from, to);
    expect(status).toBe(200);
    expect(await demo.untilFinal(body['merchant-order-id'])).toMatchObject({
      ...{ status: 'approved', 'transaction-type': 'transfer', 'last-four-digits': '1111' },
      ...{ 'dest-last-four-digits': '4444', 'destination-card-ref-id': to },
    });
    expect(refused(await transfer(from, undefined))).toEqual({ status: 400, code: '1' });
    expect(refused(await transfer(undefined, to))).toEqual({ status: 400, code: '1' });
  });

  it('transfer-by-ref does not let digits move from one card reference to the other', async () => {
    const [from = '', to = ''] = await twoCards();
    const client_orderid = newOrderId();
    const { status } = await transfer(from, to, { client_orderid });
    expect(status).toBe(200);
    const moved = await transfer(`${from}${to.charAt(0)}`, to.slice(1), { client_orderid });
    expect(moved.status).toBe(400);
  });

  const sale = (overrides: Fields = {}) => {
    const fields: Fields = { ...saleFields, client_orderid: newOrderId(), amount: '10.42', ...overrides };
    return demo.oauth('/api/v4/sale', fields);
  };

  it('v4/sale charges a card in major units, signed with the private key', async () => {
    const order = { client_orderid: newOrderId() };
    const first = await sale(order);
    expect(first).toMatchObject({ status: 200, body: { type: 'async-response', 'end-point-id': '101' } });
    expect((await sale(order)).body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    expect(await demo.untilFinal(order.client_orderid)).toMatchObject({ status: 'approved', amount: '10.42' });
    expect(
      refused(await demo.oauth('/api/v4/sale', { ...saleFields, ...order }, { method: 'HMAC-SHA1' })),
    ).toMatchObject({ status: 400 });
    expect(refused(await sale({ credit_card_number: '4111111111111112' }))).toMatchObject({ status: 400 });
  });

  it('v4/status tells what STATUS tells, signed with the private key', async () => {
    const { body } = await sale();
    const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid, 'serial-number': serial } = body;
    const plain = await demo.untilFinal(client_orderid);
    const same = ({ 'serial-number': _, ...rest }: ReplyBody) => rest;
    for (const fields of [{ client_orderid }, { client_orderid, orderid }, { 'client-order-id': client_orderid }]) {
      const asked = await demo.oauth('/api/v4/status', fields);
      expect(same(asked.body)).toEqual(same(plain));
    }
    const bySerial = await demo.oauth('/api/v4/status', { client_orderid, 'by-request-sn': serial });
    expect(bySerial.body).toMatchObject({ status: 'approved', 'by-request-sn': serial });
    expect(refused(await demo.oauth('/api/v4/status', { client_orderid: newOrderId() }))).toEqual({
      ...{ status: 400, code: '30' },
    });
    expect(refused(await demo.post('/api/v4/status/101', { client_orderid, orderid }))).toMatchObject({ status: 400 });
  });

  it('is known as an addition in OpenAPI', async () => {
    const response = await fetch(`${gateway.origin}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, { post: ReplyBody }> };
    const added = Object.keys(paths).filter((path) => paths[path]?.post['x-addition'] === true);
    expect(added.map((path) => path.replace('/{endpointId}', ''))).toEqual([
      '/api/v2/make-rebill-sale',
      '/api/v2/make-rebill-preauth',
      '/api/v2/sync/account-verification',
      '/api/v2/transfer-by-ref',
      '/api/v4/sale',
      '/api/v4/status',
    ]);
  });

  it('takes recurring payments by their ids where cards are named', async () => {
    const id = await recurringPayment(demo, { amount: '10.00' });
    expect((await rebilled('make-rebill-sale', id)).status).toBe(200);
  });
});
