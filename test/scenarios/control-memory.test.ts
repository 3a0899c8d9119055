// A control has one reading. Its formulas join values without separators, so one digest can fit two requests: whoever
// has seen one of them must not be able to send the other.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describeGateway, newOrderId, type Reply, sha1 } from '../harness.ts';
import { storeCard } from './stored-cards.ts';

const refused = ({ status, body }: Reply) => ({ status, code: body['error-code'] });
const OTHER_READING = { status: 400, code: '29' };

describeGateway('a control that was accepted', {}, (gateway) => {
  const { demo } = gateway;
  const unique = () => randomUUID().slice(0, 8);

  it('for order inv-1 of 110.00 does not pass for order inv-11 of 10.00', async () => {
    const prefix = `${unique()}-inv-1`;
    const first = { client_orderid: prefix, amount: '11000' };
    const second = { client_orderid: `${prefix}1`, amount: '1000' };
    expect(demo.signedSale(first).control).toBe(demo.signedSale(second).control);
    expect((await demo.sale(first)).status).toBe(200);
    expect(refused(await demo.sale(second))).toEqual(OTHER_READING);
    expect(refused(await demo.sale({ ...second, amount: '10.00' }))).toEqual(OTHER_READING);
    expect((await demo.sale(first)).status).toBe(200);
  });

  it('works the other way round too, and when both come at once', async () => {
    const prefix = `${unique()}-inv-1`;
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        demo.sale(
          index % 2 === 0
            ? { client_orderid: prefix, amount: '11000' }
            : { client_orderid: `${prefix}1`, amount: '1000' },
        ),
      ),
    );
    const taken = new Set(replies.filter(({ status }) => status === 200).map(({ body }) => body['paynet-order-id']));
    expect(taken.size).toBe(1);
    for (const reply of replies) if (reply.status !== 200) expect(refused(reply)).toEqual(OTHER_READING);
  });

  it('does not pass where the amount ends and the e-mail begins elsewhere', async () => {
    const client_orderid = unique();
    const first = { client_orderid, amount: '1000', email: '1ann@example.com' };
    const second = { client_orderid: `${client_orderid}1`, amount: '0001', email: 'ann@example.com' };
    expect((await demo.sale(first)).status).toBe(200);
    const third = { client_orderid, amount: '10001', email: 'ann@example.com' };
    expect(demo.signedSale(third).control).toBe(demo.signedSale(first).control);
    expect(refused(await demo.sale(third))).toEqual({ status: 400, code: '31' });
    expect((await demo.sale(second)).status).toBe(400);
  });

  it('does not pass on another endpoint whose id runs into the order id', async () => {
    await gateway.addEndpoint({ endpointId: 10 });
    const rest = unique();
    const first = { client_orderid: `1${rest}` };
    const second = { client_orderid: rest };
    expect(demo.signedSale(first, { endpoint: 10 }).control).toBe(demo.signedSale(second, { endpoint: 101 }).control);
    expect((await demo.sale(first, { endpoint: 10 })).status).toBe(200);
    expect(refused(await demo.sale(second, { endpoint: 101 }))).toEqual(OTHER_READING);
  });

  describe('for a status request', () => {
    it('by my own id alone does not pass for the order a longer id would name', async () => {
      const { body } = await demo.sale();
      const [mine, theirs] = [body['merchant-order-id'], body['paynet-order-id']] as [string, string];
      const joined = { client_orderid: `${mine}${theirs}` };
      const apart = { client_orderid: mine, orderid: theirs };
      expect((await demo.status(apart)).status).toBe(200);
      expect(refused(await demo.status(joined))).toEqual(OTHER_READING);
      expect((await demo.status(apart)).status).toBe(200);
    });

    it('keeps its first reading even when that one named no order', async () => {
      const { body } = await demo.sale();
      const [mine, theirs] = [body['merchant-order-id'], body['paynet-order-id']] as [string, string];
      expect(refused(await demo.status({ client_orderid: `${mine}${theirs}` }))).toEqual({ status: 400, code: '30' });
      expect(refused(await demo.status({ client_orderid: mine, orderid: theirs }))).toEqual(OTHER_READING);
      expect((await demo.status({ client_orderid: mine })).status).toBe(200);
    });

    it('does not pass for a merchant whose login is longer', async () => {
      const longer = await gateway.addMerchant({ merchantId: 8, login: 'demo1' }, 'another-key');
      await gateway.addEndpoint({ endpointId: 801, merchantId: 8 });
      const client_orderid = newOrderId();
      const { status } = await longer.status({ client_orderid }, { endpoint: 801, key: demo.key });
      expect(status).toBe(400);
      expect(refused(await demo.status({ client_orderid: `1${client_orderid}` }))).toEqual({ status: 400, code: '30' });
    });

    it('is remembered when many come at once', async () => {
      const { body } = await demo.sale();
      const [mine, theirs] = [body['merchant-order-id'], body['paynet-order-id']] as [string, string];
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          demo.status(
            index % 2 === 0 ? { client_orderid: mine, orderid: theirs } : { client_orderid: `${mine}${theirs}` },
          ),
        ),
      );
      const readings = new Set(replies.map((reply) => refused(reply).code ?? 'found'));
      // Whichever came first is answered, the other reading never.
      expect([new Set(['found', '29']), new Set(['30', '29'])]).toContainEqual(readings);
    });
  });

  describe('for a capture', () => {
    const money = { amount: '10.00', currency: 'USD' };
    const signed = (text: string) => ({ ...money, login: demo.login, control: sha1(`demo${text}1000USD${demo.key}`) });

    /** Requests with one control: the ids of an order, of a stored card and of two stored cards are the same digits. */
    async function alike() {
      const client_orderid = newOrderId();
      const [one, other] = [await storeCard(demo), await storeCard(demo)];
      const common = {
        order_desc: 'A magazine',
        ipaddress: '203.0.113.7',
        ...signed(`${client_orderid}9${one}${other}`),
      };
      const ask = (path: string, fields: Record<string, string>) => demo.post(path, { ...common, ...fields });
      const owner = `${client_orderid}9`;
      return {
        capture: () => ask('/api/v2/capture/101', { client_orderid, orderid: `9${one}${other}` }),
        rebill: () => ask('/api/v2/make-rebill/101', { client_orderid: `${owner}${one}`, cardrefid: other }),
        transfer: () =>
          ask('/api/v2/transfer-by-ref/101', {
            ...{ client_orderid: owner, 'source-card-ref-id': one, 'destination-card-ref-id': other },
          }),
      };
    }

    it('does not pass for a charge of a stored card, nor for a transfer between two', async () => {
      const { capture, rebill, transfer } = await alike();
      expect(refused(await capture())).toEqual({ status: 400, code: '30' });
      expect(refused(await rebill())).toEqual(OTHER_READING);
      expect(refused(await transfer())).toEqual(OTHER_READING);
    });

    it.each(['rebill', 'transfer'] as const)('is not that of a %s', async (made) => {
      const asked = await alike();
      expect((await asked[made]()).status).toBe(200);
      expect(refused(await asked.capture())).toEqual(OTHER_READING);
      expect((await asked[made]()).status).toBe(200);
    });
  });

  it('is remembered across a restart', async () => {
    const { body } = await demo.sale();
    const [mine, theirs] = [body['merchant-order-id'], body['paynet-order-id']] as [string, string];
    const prefix = `${unique()}-inv-1`;
    expect((await demo.sale({ client_orderid: prefix, amount: '11000' })).status).toBe(200);
    expect((await demo.status({ client_orderid: mine, orderid: theirs })).status).toBe(200);
    await gateway.restart();
    expect(refused(await demo.status({ client_orderid: `${mine}${theirs}` }))).toEqual(OTHER_READING);
    expect(refused(await demo.sale({ client_orderid: `${prefix}1`, amount: '1000' }))).toEqual(OTHER_READING);
  });
});
