// Questions about cards: whether money can be sent from one, to one, or from one to another.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  CARD,
  type Client,
  describeGateway,
  type Fields,
  newOrderId,
  type OAuthOptions,
  type Reply,
} from '../harness.ts';

type Kind = 'send' | 'receive' | 'both';
type Shop = { client: Client; id: number };

const ask = ({ client, id }: Shop, kind: Kind, fields: Fields, options: OAuthOptions = {}) =>
  client.oauth(`/api/v2/pan-eligibility/${kind}`, fields, { endpoint: id, ...options });

const sending = (number = CARD): Fields => ({
  'sending-card-number': number,
  'card-printed-name': 'ANN EXAMPLE',
  expire_month: '12',
  expire_year: '2031',
});

const codes = ({ body }: Reply) => body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`);

const withoutSerial = ({ status, body }: Reply) => ({ status, body: { ...body, 'serial-number': '' } });

describeGateway('card eligibility', { acquirerTimeoutMs: 500, holdMs: 200 }, (gateway) => {
  async function answered(shop: Shop, kind: Kind, fields: Fields) {
    const orderId = newOrderId();
    const accepted = await ask(shop, kind, { 'client-order-id': orderId, ...fields });
    expect(accepted.body).toMatchObject({ type: 'async-response', status: 'processing', 'merchant-order-id': orderId });
    await gateway.untilAllFinal();
    return shop.client.untilFinal(orderId, { endpoint: shop.id });
  }

  async function storedCard({ client, id }: Shop, overrides: Fields = {}): Promise<string> {
    const sale = await client.saleUntilFinal(overrides, { endpoint: id });
    const named = { client_orderid: sale['merchant-order-id'], orderid: sale['paynet-order-id'] };
    const { body } = await client.oauth('/api/v4/create-card-ref', named, { endpoint: id });
    return body['card-ref-id'];
  }

  it('tells of a card that sends', async () => {
    const status = await answered(await gateway.newMerchant(), 'send', sending());
    expect(status).toMatchObject({
      status: 'approved',
      'transaction-type': 'pan-eligibility',
      bin: '411111',
      'sending-eligible': 'true',
      'sending-network': 'VISA',
      'sending-product': 'CREDIT',
      'sending-country': 'USA',
      'sending-issuer': 'Tender Test Bank',
    });
    expect(Object.keys(status).filter((name) => name.startsWith('receiving-'))).toEqual([]);
  });

  it('tells of a card that cannot receive', async () => {
    const number = '5105105105105100';
    const status = await answered(await gateway.newMerchant(), 'receive', { 'receiving-card-number': number });
    expect(status).toMatchObject({
      status: 'approved',
      'dest-bin': '510510',
      'dest-last-four-digits': '5100',
      'receiving-eligible': 'false',
      'receiving-product': 'PREPAID',
    });
    expect(status).not.toHaveProperty('bin');
  });

  it('tells of both by their references, and moves no money', async () => {
    const shop = await gateway.newMerchant();
    const from = await storedCard(shop, { credit_card_number: '378282246310005', cvv2: '1234' });
    const to = await storedCard(shop, { credit_card_number: '5200828282828210' });
    const before = await gateway.balances(shop.id);
    const status = await answered(shop, 'both', { 'sending-card-ref-id': from, 'receiving-card-ref-id': to });
    expect(status).toMatchObject({
      'sending-eligible': 'true',
      'sending-network': 'AMEX',
      'receiving-eligible': 'true',
      'receiving-country': 'DEU',
    });
    expect(await gateway.balances(shop.id)).toEqual(before);
  });

  it('waits for an answer that is in doubt first', async () => {
    const status = await answered(await gateway.newMerchant(), 'send', sending('4012888888881881'));
    expect(status).toMatchObject({ status: 'approved', 'sending-country': 'CAN' });
  });

  it('asks again when the question was lost', async () => {
    const shop = await gateway.newMerchant();
    gateway.bank.faults.set({ messages: ['instruct'], refuseRate: 1 });
    const orderId = newOrderId();
    const both = { ...sending(), 'receiving-card-number': '5555555555554444' };
    await ask(shop, 'both', { 'client-order-id': orderId, ...both });
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
    const status = await shop.client.untilFinal(orderId, { endpoint: shop.id });
    expect(status).toMatchObject({ 'sending-eligible': 'true', 'receiving-eligible': 'true' });
  });

  it('gives a repeated question the same order', async () => {
    const shop = await gateway.newMerchant();
    const idempotencyKey = randomUUID();
    const fields = { 'client-order-id': newOrderId(), ...sending() };
    const first = await ask(shop, 'send', fields, { idempotencyKey });
    expect((await ask(shop, 'send', fields, { idempotencyKey })).body).toEqual(first.body);
    expect((await ask(shop, 'send', fields)).body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    expect(codes(await ask(shop, 'send', { ...fields, expire_year: '2032' }))).toEqual(['client_orderid 31']);
  });

  it('makes no card reference of a question', async () => {
    const shop = await gateway.newMerchant();
    const status = await answered(shop, 'send', sending());
    const named = { client_orderid: status['merchant-order-id'], orderid: status['paynet-order-id'] };
    expect(codes(await shop.client.oauth('/api/v4/create-card-ref', named, { endpoint: shop.id }))).toEqual([
      'orderid 51',
    ]);
  });

  it('knows no card of another merchant', async () => {
    const foreign = await storedCard(await gateway.newMerchant());
    const shop = await gateway.newMerchant();
    const orderId = newOrderId();
    const attempt = (reference: string) =>
      ask(shop, 'both', {
        'client-order-id': orderId,
        'sending-card-ref-id': reference,
        'receiving-card-ref-id': reference,
      });
    const refused = await attempt(foreign);
    expect(codes(refused)).toEqual(['sending-card-ref-id 50', 'receiving-card-ref-id 50']);
    expect(withoutSerial(refused)).toEqual(withoutSerial(await attempt('4711')));
  });

  it.each<[Kind, string, Fields, string[]]>([
    ['send', 'nothing', {}, ['client-order-id 1', 'sending-card-ref-id 1']],
    ['receive', 'nothing', {}, ['client-order-id 1', 'receiving-card-ref-id 1']],
    [
      'send',
      'a number alone',
      { 'client-order-id': 'a', 'sending-card-number': CARD },
      ['card-printed-name 1', 'expire_month 1', 'expire_year 1'],
    ],
    [
      'both',
      'one side only, expired',
      { 'client-order-id': 'a', ...sending(), expire_year: '2020' },
      ['expire_year 33', 'receiving-card-ref-id 1'],
    ],
    [
      'receive',
      'two cards',
      { 'client-order-id': 'a', 'receiving-card-ref-id': '1', 'receiving-card-number': CARD },
      ['receiving-card-number 5'],
    ],
  ])('refuses %s with %s', async (kind, _, fields, faults) => {
    expect(codes(await ask(await gateway.newMerchant(), kind, fields))).toEqual(faults);
  });

  it('leaves no card number in clear anywhere', async () => {
    const shop = await gateway.newMerchant();
    const [from, to] = ['4000056655665556', '5200828282828210'];
    await answered(shop, 'both', { ...sending(from), 'receiving-card-number': to });
    const stored = await gateway.everythingStored();
    for (const secret of [from, to]) expect(stored.includes(secret)).toBe(false);
    expect(await gateway.discrepancies()).toEqual([]);
  });
});
