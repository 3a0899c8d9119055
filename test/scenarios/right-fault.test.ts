// Whoever signed a request rightly is told what is wrong with it, all of it at once, and not that the signature is
// wrong. Nobody else is told more than that the signature does not fit and what the formula covers.

import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  DEMO,
  describeGateway,
  encode,
  type Fields,
  newOrderId,
  type Reply,
  sha1,
  until,
} from '../harness.ts';

const KEY = '<MERCHANT_CONTROL_KEY>';
const PRIVATE = 'http://10.0.0.1/paid';

const told = ({ body }: Reply) =>
  (body.errors as { field?: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);

describeGateway('the right fault', {}, (gateway) => {
  const { demo } = gateway;

  beforeAll(async () => {
    await gateway.addEndpoint({ endpointId: 116, currency: 'KWD' });
    await gateway.addEndpoint({ endpointId: 117, signedForms: true });
    await gateway.addEndpoint({ endpointId: 118, signedForms: true, sandbox: false });
    await gateway.addEndpoint({ endpointId: 119, requiredFields: ['customer_browser_language'] });
  });

  describe.each([
    ['is missing', undefined, '1'],
    ['is in lower case', 'usd', '2'],
    ['is unknown', 'ZZZ', '2'],
  ])('of a request whose currency %s', (_, currency, code) => {
    it.each([
      ['10.42', '1042', 101],
      ['1042', '1042', 101],
      ['1042', '104200', 101],
      ['1000', '1000', 104],
      ['1.234', '1234', 116],
      ['1.2', '1200', 116],
      ['10.42', '1042', 200],
    ])('is that of the currency: %s signed as %s at %s', async (amount, signed, endpoint) => {
      const reply = await demo.sale({ amount, currency }, { endpoint, signs: { amount: signed } });
      expect(told(reply)).toEqual([`currency ${code}`]);
      expect(reply.body).not.toHaveProperty('expected-string');
    });

    it('is that of the currency in captures and rebills too', async () => {
      const order = { 'merchant-order-id': newOrderId(), 'paynet-order-id': '7' };
      const captured = await demo.followUp('capture', order, { amount: '10.42', currency });
      expect(told(captured)).toEqual([`currency ${code}`]);
      const fields = { login: demo.login, client_orderid: newOrderId(), cardrefid: '7', amount: '10.42', currency };
      const control = sha1(`${demo.login}${fields.client_orderid}71042${currency ?? ''}${demo.key}`);
      expect(told(await demo.post('/api/v2/make-rebill/101', { ...fields, control }))).toEqual([`currency ${code}`]);
    });

    it('is told beside all others', async () => {
      const more = { email: 'nobody', credit_card_number: '1', cvv2: 'x', server_callback_url: PRIVATE };
      const reply = await demo.sale({ amount: '10.42', currency, ...more });
      expect(told(reply).sort()).toEqual(
        [`currency ${code}`, 'credit_card_number 2', 'cvv2 2', 'email 2', 'server_callback_url 60'].sort(),
      );
    });

    it('is that of the control where the control is wrong, with what should have been signed', async () => {
      const client_orderid = newOrderId();
      const reply = await demo.sale({ client_orderid, amount: '10.42', currency, cvv2: 'x' }, { key: 'guessed' });
      expect(told(reply)).toEqual(['control 20', `currency ${code}`]);
      expect(reply.body['expected-string']).toBe(`101${client_orderid}1042ann@example.com${KEY}`);
    });
  });

  describe('of a malformed amount', () => {
    it.each([
      ['10.421', '1042'],
      ['10.425', '1043'],
      ['10.421', '10421'],
      ['10,42', '1042'],
      ['-5', '-500'],
      ['-5', '-5'],
      ['1e3', '1e3'],
      ['.5', '50'],
      ['1,042.00', '104200'],
      ['ten', 'ten'],
    ])('%s signed as %s is its own, beside all others', async (amount, signed) => {
      const reply = await demo.sale({ amount, expire_month: '13' }, { signs: { amount: signed } });
      expect(told(reply)).toEqual(['amount 2', 'expire_month 2']);
    });

    it('comes with what should have been signed where the control is wrong', async () => {
      const reply = await demo.sale({ amount: '10.421', expire_month: '13' }, { key: 'guessed' });
      expect(told(reply)).toEqual(['control 20', 'amount 2']);
      expect(reply.body['expected-string']).toMatch(/10\.421ann@example\.com<MERCHANT_CONTROL_KEY>$/);
    });
  });

  describe('of a private callback address', () => {
    it.each<[string, Fields, string[]]>([
      ['a field', { email: 'nobody' }, ['email 2', 'server_callback_url 60']],
      ['two addresses', { notify_url: 'http://[fe80::1]/' }, ['server_callback_url 60', 'notify_url 60']],
      ['the currency of the endpoint', { currency: 'EUR' }, ['currency 11', 'server_callback_url 60']],
      ['nothing', {}, ['server_callback_url 60']],
      ['an address that is none', { notify_url: 'nowhere' }, ['notify_url 2', 'server_callback_url 60']],
    ])('is told together with %s', async (_, fields, expected) => {
      expect(told(await demo.sale({ server_callback_url: PRIVATE, ...fields }))).toEqual(expected);
    });

    it('is not told to a stranger', async () => {
      const reply = await demo.sale({ server_callback_url: PRIVATE }, { key: 'guessed' });
      expect(told(reply)).toEqual(['control 20']);
    });
  });

  describe('names one field each', () => {
    it('when a field is demanded twice', async () => {
      const reply = await demo.sale({ customer_browser_info: 'true' }, { endpoint: 119 });
      const fields = told(reply);
      expect(fields).toContain('customer_browser_language 1');
      expect(new Set(fields).size).toBe(fields.length);
    });

    it('when an upload lacks all of the browser', async () => {
      const sale = await demo.sale({ currency: 'EUR', cvv2: '321' }, { endpoint: 102 });
      const order = sale.body;
      let transactionId: string | undefined;
      await until('the order waits for the method page', async () => {
        const { body } = await demo.status({ client_orderid: order['merchant-order-id'] }, { endpoint: 102 });
        transactionId = body['tds-method-url-frame-3ds-server-trans-id'];
        return transactionId !== undefined;
      });
      const upload = await demo.upload('method-url', order, { threeDSServerTransID: transactionId });
      expect(told(upload)).toEqual(['browserAcceptHeader 1', 'browserUserAgent 1', 'browserLanguage 1']);
    });
  });

  describe('of a wrong signature tells what should have been signed', () => {
    it('for an empty request', async () => {
      const reply = await demo.post('/api/v2/sale/101', {});
      expect(told(reply)).toEqual(['control 20', 'control 1']);
      expect(reply.body['expected-string']).toBe(`101${KEY}`);
    });

    it('for a request that lacks its control or login', async () => {
      const names = { client_orderid: 'x', orderid: '7' };
      const reply = await demo.post('/api/v2/status/101', names);
      expect(told(reply)).toEqual(['control 20', 'login 1', 'control 1']);
      expect(reply.body['expected-string']).toBe(`x7${KEY}`);
    });

    it('for a form without a signature, where one is demanded or the login is wrong', async () => {
      const fields = { client_orderid: 'x', amount: '10.42', currency: 'USD', email: 'ann@example.com' };
      const unsigned = await demo.post('/api/v2/payment-form/117', fields);
      expect(unsigned.body).toMatchObject({ 'error-code': '20', 'expected-string': `117x1042ann@example.com${KEY}` });
      const foreign = await demo.post('/api/v2/payment-form/101', { ...fields, login: 'nobody' });
      expect(foreign.body).toMatchObject({ 'error-code': '20', 'expected-string': `101x1042ann@example.com${KEY}` });
      const payout = await demo.post('/api/v2/payout-form/101', { ...fields, login: 'nobody' });
      expect(payout.body['error-code']).toBe('20');
      for (const reply of [foreign, payout]) expect(told(reply)).toContain('login 63');
      expect(payout.body['expected-string']).toMatch(/^POST&http.*payout-form%2F101&amount%3D10\.42%26client_orderid/);
    });

    it('for a payout, without its card', async () => {
      const fields = { client_orderid: 'x', amount: '1', currency: 'USD', credit_card_number: '4111111111111111' };
      const { body } = await demo.oauth('/api/v2/payout', fields, { key: 'guessed' });
      expect(body['error-code']).toBe('20');
      expect(body['expected-string']).toMatch(/^POST&.*credit_card_number%3D~hidden~/);
    });

    it('with the number of a published test card, and never a security code', async () => {
      const card = { credit_card_number: '4444555566661111', cvv2: '123' };
      const fields = { client_orderid: 'x', amount: '1', currency: 'USD', ...card };
      const { body } = await demo.oauth('/api/v2/payout', fields, { key: 'guessed' });
      expect(body['expected-string']).toMatch(
        /credit_card_number%3D4444555566661111%26currency%3DUSD%26cvv2%3D~hidden~/,
      );
    });

    it('and names the mistake, where it is one of the usual', async () => {
      const fields = { client_orderid: 'x', amount: '10.42', currency: 'USD', email: 'ann@example.com' };
      const signed = (text: string) => sha1(text + DEMO.key);
      const wrong = await demo.post('/api/v2/payment-form/101', {
        ...fields,
        control: signed('101x10.42ann@example.com'),
      });
      expect(wrong.body['signing-mistake']).toBe('amount is signed as "10.42": it must be "1042".');
      const other = await demo.post('/api/v2/payment-form/101', { ...fields, control: signed('something else') });
      expect(other.body).toMatchObject({ 'error-code': '20' });
      expect(other.body).not.toHaveProperty('signing-mistake');
      const hidden = await demo.post('/api/v2/payment-form/118', {
        ...fields,
        control: signed('118x10.42ann@example.com'),
      });
      expect(hidden.body['error-code']).toBe('20');
      expect(hidden.body).not.toHaveProperty('signing-mistake');
    });

    it('and only on sandbox endpoints', async () => {
      const fields = { client_orderid: 'x', amount: '10.42', currency: 'USD', email: 'ann@example.com' };
      const { body } = await demo.post('/api/v2/payment-form/118', fields);
      expect(body['error-code']).toBe('20');
      expect(body).not.toHaveProperty('expected-string');
    });
  });

  describe('is no oracle', () => {
    let other: Client;

    beforeAll(async () => {
      other = await gateway.addMerchant({ merchantId: 8, login: 'other' }, 'a-key-of-its-own');
      await gateway.addEndpoint({ endpointId: 801, merchantId: 8, sandbox: false });
    });

    it.each<[string, Fields]>([
      ['nothing wrong', {}],
      ['wrong fields', { cvv2: 'x', email: 'nobody', server_callback_url: PRIVATE }],
      ['a currency the endpoint does not take', { currency: 'EUR' }],
    ])('for a stranger whose request has %s', async (_, fields) => {
      const reply = await other.sale(fields, { endpoint: 801, key: 'guessed' });
      expect(told(reply)).toEqual(['control 20']);
      expect(reply.body).not.toHaveProperty('expected-string');
    });

    it.each<[string, Fields, string[]]>([
      ['no currency', { currency: undefined, cvv2: 'x' }, ['control 20', 'currency 1']],
      ['a malformed amount', { amount: '1.001', cvv2: 'x' }, ['control 20', 'amount 2']],
    ])('for a stranger whose request has %s: only what the formula covers is told', async (_, fields, expected) => {
      const reply = await other.sale(fields, { endpoint: 801, key: 'guessed' });
      expect(told(reply)).toEqual(expected);
      expect(reply.body).not.toHaveProperty('expected-string');
    });

    it('for somebody who changes the amount of a request that another has signed', async () => {
      const signed = other.signedSale({ amount: '10.42' }, { endpoint: 801 });
      for (const amount of ['10.43', '104.2', '1.042', '1041.9']) {
        const reply = await other.post('/api/v2/sale/801', {}, { rawBody: encode({ ...signed, amount, cvv2: 'x' }) });
        expect(told(reply)[0], amount).toBe(amount === '1.042' ? 'amount 2' : 'control 20');
      }
    });
  });
});
