// Requests of the shapes that shops already send: paths, Accept headers, amounts and what their controls cover, as data
// in public-clients.json. Every one of them is taken.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeGateway, type Fields, MEDIA_TYPE, newOrderId, saleFields, sha1 } from '../harness.ts';

type Shape = {
  readonly path: string;
  /** A payer with a card, a payer alone, or an order that exists. */
  readonly form: 'card' | 'payer' | 'order';
  readonly amount?: string;
  readonly currency?: string;
  /** What the control covers: names of fields, `cents` for the amount times a hundred, or an id of the path. */
  readonly over: readonly string[];
  readonly fields?: Fields;
};

type PublicClient = { readonly client: string; readonly accept: string | null; readonly requests: readonly Shape[] };

const clients: readonly PublicClient[] = JSON.parse(
  readFileSync(new URL('public-clients.json', import.meta.url), 'utf8'),
);

const { credit_card_number, card_printed_name, expire_month, expire_year, cvv2, ...payer } = saleFields;
const card = { credit_card_number, card_printed_name, expire_month, expire_year, cvv2 };

/** Every public client computes the minor units so, whatever the currency. */
const cents = (amount: string) => String(Math.round(Number(amount) * 100));

describeGateway('a request as it is written by', {}, (gateway) => {
  const { demo } = gateway;
  let earlier: Fields;

  beforeAll(async () => {
    await gateway.addEndpoint({ endpointId: 123, currency: 'JPY', legacyReplies: true, signedInHundredths: true });
    await gateway.addGroup({ groupId: 323, endpointIds: [103, 123] });
    const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = await demo.saleUntilFinal();
    earlier = { login: demo.login, client_orderid, orderid };
  });

  function fieldsOf({ form, amount, currency, over, fields = {} }: Shape): Fields {
    const order = { ...payer, ...(form === 'card' ? card : {}), client_orderid: newOrderId(), amount, currency };
    const sent: Fields = { ...(form === 'order' ? earlier : order), ...fields };
    const signed = over.map((name) => {
      if (name === 'cents') return cents(amount ?? '');
      return /^\d+$/.test(name) ? name : (sent[name] ?? '');
    });
    return { ...sent, control: sha1(signed.join('') + demo.key) };
  }

  describe.each(clients)('$client', ({ accept, requests }) => {
    it.each(requests)('$path, $amount $currency', async (shape) => {
      const fields = fieldsOf(shape);
      const reply = await demo.post(shape.path, fields, { headers: { accept: accept ?? undefined } });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body.type, reply.text).toMatch(/^(async-response|async-form-response|status-response)$/);
      expect(reply.body['merchant-order-id']).toBe(fields.client_orderid);
      const isNew = accept === MEDIA_TYPE;
      expect(reply.headers['content-type']).toBe(isNew ? MEDIA_TYPE : 'text/html;charset=utf-8');
      if (shape.amount === undefined) return;
      const [row] = await gateway.query(
        `select amount::text, currency from orders where client_order_id = '${fields.client_orderid}'`,
      );
      const isMinor = shape.over.includes('amount');
      const expected = isMinor || shape.currency === 'JPY' ? Number(shape.amount) : Number(cents(shape.amount));
      expect(row).toMatchObject({ amount: String(expected), currency: shape.currency });
    });
  });
});
