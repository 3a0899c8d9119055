// Card references of the fourth version: one name for a card wherever a stored card is named.

import { expect, it } from 'vitest';
import { type Client, describeGateway, type Fields, type Reply, type ReplyBody } from '../harness.ts';

type Shop = { client: Client; id: number };

const create = ({ client, id }: Shop, fields: Fields): Promise<Reply> =>
  client.oauth('/api/v4/create-card-ref', fields, { endpoint: id });

const named = (order: ReplyBody): Fields => ({
  client_orderid: order['merchant-order-id'],
  orderid: order['paynet-order-id'],
});

const withoutSerial = ({ status, body }: Reply) => ({ status, body: { ...body, 'serial-number': '' } });

describeGateway('card references, version 4', {}, (gateway) => {
  const paid = ({ client, id }: Shop, overrides: Fields = {}) => client.saleUntilFinal(overrides, { endpoint: id });

  it('name the card of an approved order, always the same', async () => {
    const shop = await gateway.newMerchant();
    const sale = await paid(shop);
    const first = await create(shop, named(sale));
    expect(first).toMatchObject({
      status: 200,
      body: {
        type: 'create-card-ref-response',
        status: 'approved',
        'merchant-order-id': sale['merchant-order-id'],
        'paynet-order-id': sale['paynet-order-id'],
      },
    });
    const { body } = first;
    expect(body['recurring-payment-id']).toBe(body['card-ref-id']);
    expect(withoutSerial(await create(shop, named(sale)))).toEqual(withoutSerial(first));
  });

  it('tell by unq-card-ref-id which orders were paid with one card, to one merchant only', async () => {
    const [shop, other] = [await gateway.newMerchant(), await gateway.newMerchant()];
    const unique = async (from: Shop, overrides: Fields = {}) =>
      (await create(from, named(await paid(from, overrides)))).body['unq-card-ref-id'];
    const id = await unique(shop);
    expect(await unique(shop)).toBe(id);
    expect(await unique(shop, { credit_card_number: '5555555555554444' })).not.toBe(id);
    expect(await unique(other)).not.toBe(id);
  });

  it('are not made for orders that were declined, paid out, or are somebody else’s', async () => {
    const shop = await gateway.newMerchant();
    const declined = await paid(shop, { cvv2: '116' });
    expect((await create(shop, named(declined))).body).toMatchObject({ 'error-code': '51' });
    const sale = await paid(shop);
    const stranger = await gateway.newMerchant();
    const foreign = await create(stranger, named(sale));
    expect(foreign.body).toMatchObject({ 'error-code': '30' });
    expect(withoutSerial(foreign)).toEqual(withoutSerial(await create(stranger, { ...named(sale), orderid: '1' })));
    expect((await create(shop, {})).body.errors).toHaveLength(2);
  });
});
