// References to cards: made from approved orders, shown without the number, and nobody else's business.

import { expect, it } from 'vitest';
import { cardReferenceStore } from '../../src/storage/cards/card-references.ts';
import {
  CARD,
  type Client,
  DEMO_MERCHANT_ID,
  describeGateway,
  newOrderId,
  type Reply,
  type ReplyBody,
  sha1,
} from '../harness.ts';
import { rebillUntilFinal } from './stored-cards.ts';

const refused = ({ status, body }: Reply) => ({ status, code: body['error-code'] });
const withoutSerial = ({ status, text, body }: Reply) => `${status} ${text.replace(body['serial-number'], '')}`;

function createReference(client: Client, order: ReplyBody, endpoint: number | string = 101): Promise<Reply> {
  const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = order;
  const control = sha1(`${client.login}${client_orderid}${orderid}${client.key}`);
  return client.post(`/api/v2/create-card-ref/${endpoint}`, { login: client.login, client_orderid, orderid, control });
}

function cardInfo(client: Client, cardrefid: string, endpoint: number | string = 101): Promise<Reply> {
  const control = sha1(`${client.login}${cardrefid}${client.key}`);
  return client.post(`/api/v2/get-card-info/${endpoint}`, { login: client.login, cardrefid, control });
}

describeGateway('a card reference', {}, (gateway) => {
  const { demo } = gateway;

  it('is made from an approved sale or preauthorization, and is the same every time', async () => {
    for (const order of [await demo.saleUntilFinal(), await demo.preauthUntilFinal()]) {
      const first = await createReference(demo, order);
      expect(first).toMatchObject({ status: 200 });
      expect(first.body).toEqual({
        type: 'create-card-ref-response',
        'serial-number': expect.any(String),
        status: 'approved',
        'card-ref-id': expect.stringMatching(/^[1-9]\d{0,15}$/),
        'merchant-order-id': order['merchant-order-id'],
        'paynet-order-id': order['paynet-order-id'],
      });
      const again = await Promise.all(Array.from({ length: 8 }, () => createReference(demo, order)));
      for (const reply of again) expect(withoutSerial(reply)).toBe(withoutSerial(first));
      expect(await rebillUntilFinal(demo, first.body['card-ref-id'])).toMatchObject({ status: 'approved' });
    }
  });

  it('is made through my group and my other endpoints too', async () => {
    const order = await demo.saleUntilFinal();
    const [own, ...others] = await Promise.all(
      [101, 104, 200, 'group/200'].map((endpoint) => createReference(demo, order, endpoint)),
    );
    for (const reply of others) expect(reply.body['card-ref-id']).toBe(own?.body['card-ref-id']);
  });

  it('is still made after the payment was returned', async () => {
    const order = await demo.saleUntilFinal();
    await demo.followUpUntilFinal('return', order);
    expect((await createReference(demo, order)).status).toBe(200);
  });

  it('is not made from an order that was declined or is not yet decided', async () => {
    const declined = await demo.saleUntilFinal({ cvv2: '116' });
    const { body: unfinished } = await demo.sale({ cvv2: '217' });
    for (const order of [declined, unfinished]) {
      expect(refused(await createReference(demo, order))).toEqual({ status: 400, code: '51' });
    }
  });

  it("is not made from another merchant's order, exactly as from one that does not exist", async () => {
    const order = await demo.saleUntilFinal();
    const { client: rival, id } = await gateway.newMerchant();
    const foreign = await createReference(rival, order, id);
    expect(refused(foreign)).toEqual({ status: 400, code: '30' });
    const nobodys = { ...order, 'paynet-order-id': String(Number(order['paynet-order-id']) + 1) };
    expect(withoutSerial(foreign)).toBe(withoutSerial(await createReference(rival, nobodys, id)));
    const mixed = { ...order, 'merchant-order-id': newOrderId() };
    expect(refused(await createReference(demo, mixed))).toEqual({ status: 400, code: '30' });
  });

  it('tells what is known of the card, and never its number', async () => {
    const order = await demo.saleUntilFinal({ expire_month: '3', expire_year: '32' });
    const { body } = await createReference(demo, order);
    const info = await cardInfo(demo, body['card-ref-id']);
    expect(info.body).toEqual({
      type: 'get-card-info-response',
      'serial-number': expect.any(String),
      'card-printed-name': 'ANN EXAMPLE',
      bin: '411111',
      'last-four-digits': '1111',
      'expire-month': '03',
      'expire-year': '2032',
      'card-type': 'VISA',
    });
    expect(info.text).not.toContain(CARD);
    expect((await cardInfo(demo, body['card-ref-id'], 200)).status).toBe(200);
  });

  it('that was deleted stays so: the same order gives a new one', async () => {
    const order = await demo.saleUntilFinal();
    const { 'card-ref-id': deleted } = (await createReference(demo, order)).body;
    await cardReferenceStore(gateway.database).remove(DEMO_MERCHANT_ID, Number(deleted), gateway.clock.now());
    const { 'card-ref-id': made } = (await createReference(demo, order)).body;
    expect(made).not.toBe(deleted);
    expect((await cardInfo(demo, made)).status).toBe(200);
    expect(refused(await cardInfo(demo, deleted))).toEqual({ status: 400, code: '50' });
  });

  it('of another merchant tells me what one that does not exist tells', async () => {
    const { body } = await createReference(demo, await demo.saleUntilFinal());
    const { client: rival, id } = await gateway.newMerchant();
    const foreign = await cardInfo(rival, body['card-ref-id'], id);
    expect(refused(foreign)).toEqual({ status: 400, code: '50' });
    for (const reference of ['999999999999999', 'no-such-reference', '0']) {
      expect(withoutSerial(await cardInfo(rival, reference, id))).toBe(withoutSerial(foreign));
    }
  });

  it('is asked about with a control of its own', async () => {
    const order = await demo.saleUntilFinal();
    const { body } = await createReference(demo, order);
    const fields = { login: demo.login, cardrefid: body['card-ref-id'] };
    const control = sha1(`101${body['card-ref-id']}${demo.key}`);
    expect(refused(await demo.post('/api/v2/get-card-info/101', { ...fields, control }))).toMatchObject({ code: '20' });
  });
});
