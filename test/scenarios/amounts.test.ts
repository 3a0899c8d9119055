// Amounts as shops write them: zeros beyond the currency's decimals change nothing, and an endpoint may be set to read
// controls as clients sign them that multiply yen by a hundred.

import { beforeAll, describe, expect, it } from 'vitest';
import { describeGateway, type Fields, newOrderId, sha1 } from '../harness.ts';

const HUNDREDTHS = 114;
const PLAIN = 115;
const KUWAIT = 116;
const GROUP = 310;

describeGateway('an amount', {}, (gateway) => {
  const { demo } = gateway;

  beforeAll(async () => {
    await gateway.addEndpoint({ endpointId: HUNDREDTHS, currency: 'JPY', signedInHundredths: true });
    await gateway.addEndpoint({ endpointId: PLAIN, currency: 'JPY' });
    await gateway.addEndpoint({ endpointId: KUWAIT, currency: 'KWD' });
    await gateway.addGroup({ groupId: GROUP, endpointIds: [101, HUNDREDTHS] });
  });

  const moneyOf = async (clientOrderId: unknown) => {
    const [row] = await gateway.query(
      `select amount::text, currency from orders where client_order_id = '${clientOrderId}'`,
    );
    return `${row?.amount} ${row?.currency}`;
  };

  describe('with zeros beyond the decimals of its currency', () => {
    const cases = [
      ['105.0000', 'USD', 101, '10500'],
      ['105.0', 'USD', 101, '10500'],
      ['0.500', 'USD', 101, '50'],
      ['1000.0', 'JPY', 104, '1000'],
      ['1000.00', 'JPY', 104, '1000'],
      ['1.2340', 'KWD', KUWAIT, '1234'],
    ] as const;

    it.each(cases)('%s %s is the same in a sale signed with a control', async (amount, currency, endpoint, minor) => {
      const reply = await demo.saleUntilFinal({ amount, currency }, { endpoint, signs: { amount: minor } });
      expect(reply.status).toBe('approved');
      expect(await moneyOf(reply['merchant-order-id'])).toBe(`${minor} ${currency}`);
    });

    it.each(cases)('%s %s is the same in a payout signed with OAuth', async (amount, currency, endpoint, minor) => {
      await gateway.changeEndpoint(endpoint, { creditLimit: 1_000_000n });
      const client_orderid = newOrderId();
      const fields = { client_orderid, amount, currency, credit_card_number: '4111111111111111' };
      const reply = await demo.oauth('/api/v2/payout', fields, { endpoint });
      expect(reply.status, reply.text).toBe(200);
      expect(await moneyOf(client_orderid)).toBe(`${minor} ${currency}`);
    });

    it.each(cases)('%s %s is the same in an unsigned form', async (amount, currency, endpoint, minor) => {
      const client_orderid = newOrderId();
      const reply = await demo.post(`/api/v2/payment-form/${endpoint}`, { client_orderid, amount, currency });
      expect(reply.status, reply.text).toBe(200);
      expect(await moneyOf(client_orderid)).toBe(`${minor} ${currency}`);
    });

    it('is the same request as without them', async () => {
      const client_orderid = newOrderId();
      const first = await demo.sale({ client_orderid, amount: '105.00' });
      const again = await demo.sale({ client_orderid, amount: '105.0000' }, { signs: { amount: '10500' } });
      expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    });

    it('captures and returns that amount', async () => {
      const held = await demo.preauthUntilFinal({ amount: '100.0000' }, { signs: { amount: '10000' } });
      const part = { amount: '40.000', currency: 'USD' };
      const captured = await demo.followUpUntilFinal('capture', held, part, { signs: { amount: '4000' } });
      expect(captured).toMatchObject({ status: 'approved', amount: '40.00' });
      const returned = await demo.followUpUntilFinal('return', held, part, { signs: { amount: '4000' } });
      expect(returned).toMatchObject({ status: 'approved', amount: '40.00' });
    });

    it('means major units, and never a hundredth of them', async () => {
      const reply = await demo.sale({ amount: '1042.00' }, { signs: { amount: '1042' } });
      expect(reply.body['error-code']).toBe('20');
      expect(reply.body['expected-string']).toContain('104200');
    });

    it('is a fault with any other digit there, in every scheme', async () => {
      const fields: Fields = { client_orderid: newOrderId(), amount: '105.0001', currency: 'USD' };
      const card = { credit_card_number: '4111111111111111' };
      for (const reply of [
        await demo.sale({ amount: '105.0001' }, { signs: { amount: '10500' } }),
        await demo.oauth('/api/v2/payout', { ...fields, ...card }),
        await demo.post('/api/v2/payment-form/101', fields),
      ]) {
        expect(reply.body.errors).toEqual([
          { field: 'amount', code: '2', message: 'Parameter amount is malformed: USD has at most 2 decimals' },
        ]);
      }
    });
  });

  describe('of yen at an endpoint whose clients sign by hundredths', () => {
    it.each([HUNDREDTHS, GROUP, `group/${GROUP}`])('is what the body says, at %s', async (endpoint) => {
      for (const amount of ['1000', '1000.0', '1000.00']) {
        const options = { endpoint, signs: { amount: '100000' } };
        const reply = await demo.saleUntilFinal({ amount, currency: 'JPY' }, options);
        expect(reply).toMatchObject({ status: 'approved', amount: '1000', 'end-point-id': String(HUNDREDTHS) });
        expect(await moneyOf(reply['merchant-order-id'])).toBe('1000 JPY');
      }
    });

    it('is read in no other way', async () => {
      for (const endpoint of [HUNDREDTHS, GROUP]) {
        const reply = await demo.sale({ amount: '1000', currency: 'JPY' }, { endpoint, signs: { amount: '1000' } });
        expect(reply.body['error-code']).toBe('20');
        expect(reply.body['expected-string']).toMatch(/100000ann@example\.com/);
      }
      const minor = await demo.sale({ amount: '100000', currency: 'JPY' }, { endpoint: HUNDREDTHS });
      expect(minor.body['error-code']).toBe('20');
    });

    it('and of other currencies in its group is read as ever', async () => {
      const reply = await demo.saleUntilFinal({ amount: '10.42' }, { endpoint: GROUP });
      expect(await moneyOf(reply['merchant-order-id'])).toBe('1042 USD');
    });

    it('is read so in captures and returns, also when it is left out and signed all the same', async () => {
      const options = { endpoint: HUNDREDTHS, signs: { amount: '100000' } };
      const held = await demo.preauthUntilFinal({ amount: '1000', currency: 'JPY' }, options);
      const part = { endpoint: HUNDREDTHS, signs: { amount: '40000' } };
      const captured = await demo.followUpUntilFinal('capture', held, { amount: '400', currency: 'JPY' }, part);
      expect(captured).toMatchObject({ status: 'approved', amount: '400' });
      const whole = { endpoint: HUNDREDTHS, signs: { amount: '100000', currency: 'JPY' } };
      const signedWhole = await demo.followUp('return', held, {}, whole);
      expect(signedWhole.status, signedWhole.text).toBe(200);
    });

    it('has one meaning per control: an endpoint that reads it plainly refuses a control used here', async () => {
      const options = { endpoint: HUNDREDTHS, signs: { amount: '100000' } };
      const paid = await demo.saleUntilFinal({ amount: '1000', currency: 'JPY' }, options);
      const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = paid;
      const control = sha1(`${demo.login}${client_orderid}${orderid}1000JPY${demo.key}`);
      const names = { login: demo.login, client_orderid, orderid, currency: 'JPY', control };
      const here = await demo.post(`/api/v2/return/${HUNDREDTHS}`, { ...names, amount: '10' });
      expect(here.status, here.text).toBe(200);
      await gateway.changeEndpoint(HUNDREDTHS, { signedInHundredths: false });
      const switched = await demo.post(`/api/v2/return/${HUNDREDTHS}`, { ...names, amount: '1000' });
      expect(switched.body['error-code']).toBe('29');
      await gateway.changeEndpoint(HUNDREDTHS, { signedInHundredths: true });
    });

    it.each([PLAIN, 101, 200])(
      'is read by the endpoint of its order, and not by %s which was called',
      async (called) => {
        const options = { endpoint: HUNDREDTHS, signs: { amount: '100000' } };
        const paid = await demo.saleUntilFinal({ amount: '1000', currency: 'JPY' }, options);
        const part = { endpoint: called, signs: { amount: '1000' } };
        const hundredfold = await demo.followUp('return', paid, { amount: '1000', currency: 'JPY' }, part);
        expect(hundredfold.body['error-code']).toBe('20');
        expect(hundredfold.body['expected-string']).toContain('100000JPY');
        const returned = await demo.followUpUntilFinal('return', paid, { amount: '10', currency: 'JPY' }, part);
        expect(returned).toMatchObject({ status: 'approved', amount: '10' });
      },
    );

    it('is not read so for the order of another endpoint', async () => {
      const paid = await demo.saleUntilFinal({ amount: '1000', currency: 'JPY' }, { endpoint: PLAIN });
      const tenth = { amount: '10', currency: 'JPY' };
      const by = { endpoint: HUNDREDTHS, signs: { amount: '1000' } };
      expect((await demo.followUp('return', paid, tenth, by)).body['error-code']).toBe('20');
      expect((await demo.followUp('return', paid, tenth, { endpoint: HUNDREDTHS })).status).toBe(200);
    });

    it('is read so through its group when it is left out and signed all the same', async () => {
      const options = { endpoint: GROUP, signs: { amount: '100000' } };
      const paid = await demo.saleUntilFinal({ amount: '1000', currency: 'JPY' }, options);
      const plain = { endpoint: GROUP, signs: { amount: '1000', currency: 'JPY' } };
      expect((await demo.followUp('return', paid, {}, plain)).body['error-code']).toBe('20');
      const whole = { endpoint: GROUP, signs: { amount: '100000', currency: 'JPY' } };
      const returned = await demo.followUp('return', paid, {}, whole);
      expect(returned.status, returned.text).toBe(200);
    });

    it('is switched by an operator', async () => {
      await gateway.changeEndpoint(HUNDREDTHS, { signedInHundredths: false });
      const reply = await demo.sale({ amount: '1000', currency: 'JPY' }, { endpoint: HUNDREDTHS });
      expect(reply.status, reply.text).toBe(200);
      await gateway.changeEndpoint(HUNDREDTHS, { signedInHundredths: true });
    });
  });
});
