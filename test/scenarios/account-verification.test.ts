// Asking whether a card is good, without charging it, and keeping it for later.

import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import {
  type Client,
  describeGateway,
  type Fields,
  newOrderId,
  type Reply,
  type SignOptions,
  saleFields,
  sha1,
} from '../harness.ts';
import { rebillUntilFinal } from './stored-cards.ts';

const refused = ({ status, body }: Reply) => ({ status, code: body['error-code'] });

/** The fields of a rightly signed verification. */
function verification(client: Client, overrides: Fields, endpoint: number | string): Fields {
  const { amount: _, currency: __, ...withoutMoney } = saleFields;
  const fields: Fields = { ...withoutMoney, client_orderid: newOrderId(), ...overrides };
  const pathId = String(endpoint).replace('group/', '');
  return { ...fields, control: sha1(`${pathId}${fields.client_orderid}${fields.email}${client.key}`) };
}

function verify(client: Client, overrides: Fields = {}, { endpoint = 101 }: SignOptions = {}): Promise<Reply> {
  return client.post(`/api/v2/account-verification/${endpoint}`, verification(client, overrides, endpoint));
}

describeGateway('an account verification', {}, (gateway) => {
  const { demo } = gateway;

  async function verified(overrides: Fields = {}, options: SignOptions = {}) {
    const accepted = await verify(demo, overrides, options);
    expect(accepted).toMatchObject({ status: 200, body: { type: 'async-response', status: 'processing' } });
    return demo.untilFinal(accepted.body['merchant-order-id'], options);
  }

  afterAll(async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  it('of a good card is approved, moves no money, and gives me a reference to charge', async () => {
    const before = await gateway.balances();
    const status = await verified();
    expect(status).toMatchObject({
      status: 'approved',
      'transaction-type': 'account-verification',
      'order-stage': 'account-verification_approved',
      'card-ref-id': expect.stringMatching(/^[1-9]\d{0,15}$/),
      bin: '411111',
      'last-four-digits': '1111',
    });
    expect(await gateway.bookedFor(status['paynet-order-id'])).toMatchObject([
      { kind: 'verification', outcome: 'approved', amount: { minor: 0n, currency: 'USD' } },
    ]);
    expect(await gateway.balances()).toEqual(before);
    const again = await demo.status({ client_orderid: status['merchant-order-id'] });
    expect(again.body['card-ref-id']).toBe(status['card-ref-id']);
    const rebill = await rebillUntilFinal(demo, status['card-ref-id']);
    expect(rebill).toMatchObject({ status: 'approved', amount: '10.00', 'last-four-digits': '1111' });
  });

  it.each([
    ['116', '116'],
    ['209', '209'],
    ['999', '100'],
  ])('of a card the bank answers %s about is declined and gives no reference', async (cvv2, code) => {
    const status = await verified({ cvv2 });
    expect(status).toMatchObject({ status: 'declined', 'error-code': code });
    expect(status).not.toHaveProperty('card-ref-id');
  });

  it.each([200, 'group/200'])('works through the group at %s, signed for by the id in the path', async (endpoint) => {
    const status = await verified({}, { endpoint });
    expect(status).toMatchObject({ status: 'approved', 'end-point-id': '101' });
    expect(await rebillUntilFinal(demo, status['card-ref-id'])).toMatchObject({ status: 'approved' });
    const wrong = verification(demo, {}, 101);
    const reply = await demo.post(`/api/v2/account-verification/${endpoint}`, wrong);
    expect(refused(reply)).toEqual({ status: 400, code: '20' });
  });

  it.each([
    ['JPY', '104'],
    ['USD', '101'],
  ])('through a group goes to the endpoint of the currency I name: %s', async (currency, chosen) => {
    const status = await verified({ currency }, { endpoint: 200 });
    expect(status).toMatchObject({ status: 'approved', 'end-point-id': chosen, currency });
    expect(await gateway.bookedFor(status['paynet-order-id'])).toMatchObject([{ amount: { minor: 0n, currency } }]);
  });

  it.each([
    ['a group without it', 200, 'GBP'],
    ['an endpoint of another', 101, 'EUR'],
  ])('in a currency is refused by %s', async (_, endpoint, currency) => {
    const reply = await verify(demo, { currency }, { endpoint });
    expect(refused(reply)).toEqual({ status: 400, code: '11' });
    expect(reply.body.errors).toMatchObject([{ field: 'currency' }]);
    expect(refused(await verify(demo, { currency: 'dollar' }, { endpoint }))).toMatchObject({ status: 400 });
  });

  it('has nothing to capture, return or void', async () => {
    const order = await verified();
    for (const kind of ['capture', 'return', 'void'] as const) {
      expect(refused(await demo.followUp(kind, order))).toEqual({ status: 400, code: '40' });
    }
  });

  it('sent again is the same order, and with another card refused', async () => {
    const client_orderid = newOrderId();
    const [first, again] = [await verify(demo, { client_orderid }), await verify(demo, { client_orderid })];
    expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    const other = await verify(demo, { client_orderid, credit_card_number: '5555555555554444' });
    expect(refused(other)).toEqual({ status: 400, code: '31' });
    await demo.untilFinal(client_orderid);
  });

  it('of order inv1042 has a control that does not pass for a sale of inv over 10.42, nor the other way round', async () => {
    for (const verifiesFirst of [true, false]) {
      const prefix = `${randomUUID().slice(0, 8)}-inv`;
      const asks = [
        () => verify(demo, { client_orderid: `${prefix}1042` }),
        () => demo.sale({ client_orderid: prefix, amount: '1042' }),
      ];
      const control = verification(demo, { client_orderid: `${prefix}1042` }, 101).control;
      expect(control).toBe(demo.signedSale({ client_orderid: prefix, amount: '1042' }).control);
      const [first, second] = (verifiesFirst ? asks : asks.reverse()) as [() => Promise<Reply>, () => Promise<Reply>];
      expect((await first()).status).toBe(200);
      expect(refused(await second())).toEqual({ status: 400, code: '29' });
      expect((await first()).status).toBe(200);
    }
  });
});
