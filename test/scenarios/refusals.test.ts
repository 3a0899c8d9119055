// Every way a request can be wrong: each is a 400 in the interface's own media type that names what is wrong, and the
// gateway goes on serving.

import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  DEMO_MERCHANT_ID,
  describeGateway,
  encode,
  type Fields,
  FORM,
  MEDIA_TYPE,
  newOrderId,
  type PostOptions,
  type Reply,
  saleFields,
  sha1,
} from '../harness.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_BODY = 128 * 1024;
const KEY = '<MERCHANT_CONTROL_KEY>';

type Expected = { code: string; field?: string; says: string | RegExp };

function expectRefusal({ status, headers, body }: Reply, { code, field, says }: Expected, httpStatus = 400): void {
  expect(headers['content-type']).toBe(MEDIA_TYPE);
  expect(body.type).toBe('validation-error');
  expect(body['serial-number']).toMatch(UUID);
  const errors = body.errors as { field?: string; code: string; message: string }[];
  expect({ status, code: body['error-code'], field: errors[0]?.field }).toEqual({ status: httpStatus, code, field });
  expect(body['error-message']).toMatch(says);
  for (const { code: each, message } of errors) {
    expect(each).toMatch(/^\d+$/);
    expect(body['error-message']).toContain(message);
  }
  for (const [name, value] of Object.entries(body)) if (name !== 'errors') expect(typeof value).toBe('string');
}

const INVALID: Expected = { code: '20', field: 'control', says: 'INVALID_CONTROL_CODE' };

describeGateway('a request that is refused', {}, (gateway) => {
  const { demo } = gateway;

  afterEach(async () => expect((await demo.sale()).status).toBe(200));
  afterAll(() => expect(gateway.log.filter((line) => line.includes('"level":"error"'))).toEqual([]));

  it('is written down under its serial number, like every other', async () => {
    const { body } = await demo.sale({ amount: '-1' });
    expect(await gateway.journalLine(body)).toMatchObject({
      operation: 'SALE',
      path_id: '101',
      http_status: 400,
      error_code: 2,
    });
  });

  describe('for its headers', () => {
    it.each<[string, PostOptions['headers'], Expected]>([
      ['no Accept', { accept: undefined }, { code: '9', says: 'Accept must be application/vnd.pay+json' }],
      ['any Accept', { accept: '*/*' }, { code: '9', says: 'Accept' }],
      ['another Accept', { accept: 'application/json' }, { code: '9', says: 'Accept' }],
      ['a list in Accept', { accept: `text/html, ${MEDIA_TYPE}` }, { code: '9', says: 'Accept' }],
      ['no Content-Type', { 'content-type': undefined }, { code: '6', says: /form-urlencoded.*missing/ }],
      ['JSON', { 'content-type': 'application/json' }, { code: '6', says: /form-urlencoded.*another type/ }],
      ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }, { code: '6', says: 'another type' }],
      ['another charset', { 'content-type': `${FORM}; charset=iso-8859-1` }, { code: '6', says: 'UTF-8' }],
    ])('%s', async (_, headers, expected) => {
      expectRefusal(await demo.sale({}, { headers: headers! }), expected);
    });

    it.each<[string, PostOptions['headers']]>([
      ['capitals and parameters in Accept', { accept: 'Application/VND.pay+json; q=0.9' }],
      ['a charset of UTF-8', { 'content-type': `${FORM}; charset="utf-8"` }],
      ['capitals in Content-Type', { 'content-type': 'Application/X-WWW-Form-URLencoded;charset=UTF8' }],
    ])('but not for %s', async (_, headers) => {
      expect((await demo.sale({}, { headers: headers! })).status).toBe(200);
    });
  });

  describe('for its body', () => {
    const send = (rawBody: string | Buffer) => demo.post('/api/v2/sale/101', {}, { rawBody });
    const signed = (overrides: Fields = {}) => encode(demo.signedSale(overrides));

    it.each<[string, () => string | Buffer, Expected]>([
      ['a field sent twice', () => `${signed()}&amount=1042`, { code: '4', field: 'amount', says: 'more than once' }],
      [
        'a field sent in two spellings with different values',
        () => `${signed()}&client-order-id=other`,
        { code: '5', field: 'client-order-id', says: 'client_orderid' },
      ],
      [
        'a second spelling sent twice',
        () => `${signed({ client_orderid: 'a' })}&client-order-id=a&client-order-id=a`,
        { code: '4', field: 'client-order-id', says: 'more than once' },
      ],
      [
        'bytes that are not UTF-8',
        () => Buffer.concat([Buffer.from(signed()), Buffer.from('&city=M\xfcnchen', 'latin1')]),
        { code: '8', says: 'not UTF-8' },
      ],
      ['escaped bytes that are not UTF-8', () => `${signed()}&city=M%FCnchen`, { code: '8', says: 'UTF-8' }],
      ['a percent sign without a code', () => `${signed()}&city=100%`, { code: '8', says: 'percent' }],
      ['a percent sign with a wrong code', () => `${signed()}&city=%zz`, { code: '8', says: 'percent' }],
      [
        'too many parameters',
        () => `${signed()}${Array.from({ length: 400 }, (_, place) => `&a${place}=1`).join('')}`,
        { code: '7', says: '400' },
      ],
      ['a NUL', () => signed({ order_desc: 'a\0b' }), { code: '2', field: 'order_desc', says: 'control characters' }],
      ['an escape', () => signed({ city: '\u001b[2J' }), { code: '2', field: 'city', says: 'control characters' }],
      [
        'a C1 control',
        () => signed({ email: 'a\u0085@b.c' }),
        { code: '2', field: 'email', says: 'control characters' },
      ],
      ['a NUL in a name', () => `${signed()}&a%00b=1`, { code: '2', field: 'name', says: 'control characters' }],
      ['a line break in a line', () => signed({ city: 'a\nb' }), { code: '2', field: 'city', says: 'one line' }],
    ])('%s', async (_, body, expected) => {
      expectRefusal(await send(body()), expected);
    });

    it.each<[string, string]>([
      ['a NUL', 'a%00b=%00&client_orderid=%00&%00=1&%00=2'],
      ['half a character, by cutting a long text', `order_desc=${'x'.repeat(511)}${encodeURIComponent('😀')}`],
      ['backslashes before what looks like an escape', `order_desc=${encodeURIComponent('\\\\u0000 \\\\ud800')}`],
      ['text that is no JSON', `order_desc=${encodeURIComponent('"}{\\')}&a[b]="`],
    ])('with %s is in the journal all the same', async (_, body) => {
      const refused = await send(body);
      expect(refused.status).toBe(400);
      expect(await gateway.journalLine(refused.body)).toMatchObject({ http_status: 400 });
    });

    it('but not for the same value in two spellings, nor for line breaks in a description', async () => {
      const client_orderid = newOrderId();
      const twice = `${signed({ client_orderid })}&client-order-id=${client_orderid}`;
      expect((await send(twice)).status).toBe(200);
      expect((await send(signed({ order_desc: 'one\r\n\ttwo' }))).status).toBe(200);
    });

    it('of a mebibyte, and the sender hears it', async () => {
      const reply = await send(`${signed()}&order_desc=${'x'.repeat(1024 * 1024)}`);
      expectRefusal(reply, { code: '7', says: 'at most 128 KiB' });
    });

    it('one byte over the limit, and not for one at the limit', async () => {
      const start = `${signed()}&padding=`;
      const padded = (length: number) => start + 'x'.repeat(length - start.length);
      expect((await send(padded(MAX_BODY))).status).toBe(200);
      expectRefusal(await send(padded(MAX_BODY + 1)), { code: '7', says: '128 KiB' });
    });

    it('that is empty', async () => {
      expectRefusal(await send(''), { code: '20', field: 'control', says: 'INVALID_CONTROL_CODE' });
    });

    it('that ends early, without harm to anybody else', async () => {
      await new Promise<void>((resolve) => {
        const call = request(`${gateway.origin}/paynet/api/v2/sale/101`, {
          method: 'POST',
          headers: { accept: MEDIA_TYPE, 'content-type': FORM, 'content-length': '1000' },
        });
        call.on('error', () => resolve());
        call.write('amount=1', () => call.destroy());
      });
    });
  });

  describe('for its fields', () => {
    it.each<[string, Fields, Expected]>([
      ['a negative amount', { amount: '-1' }, { code: '2', field: 'amount', says: 'positive' }],
      ['an exponent', { amount: '1e3' }, { code: '2', field: 'amount', says: 'positive number' }],
      ['no number', { amount: 'NaN' }, { code: '2', field: 'amount', says: 'positive number' }],
      ['infinity', { amount: 'Infinity' }, { code: '2', field: 'amount', says: 'positive number' }],
      ['a comma', { amount: '10,42' }, { code: '2', field: 'amount', says: 'positive number' }],
      ['hexadecimal', { amount: '0x10' }, { code: '2', field: 'amount', says: 'positive number' }],
      ['nothing', { amount: '0' }, { code: '2', field: 'amount', says: 'more than zero' }],
      ['a leading zero', { amount: '01042' }, { code: '2', field: 'amount', says: 'leading zeros' }],
      ['eleven digits', { amount: '10000000000' }, { code: '3', field: 'amount', says: 'at most 10 digits' }],
      [
        'a mistyped card number',
        { credit_card_number: '4111111111111112' },
        { code: '2', field: 'credit_card_number', says: 'check digit' },
      ],
      [
        'a short card number',
        { credit_card_number: '411111111111' },
        { code: '2', field: 'credit_card_number', says: '13 to 19' },
      ],
      [
        'an expired card',
        { expire_month: '01', expire_year: '2020' },
        { code: '33', field: 'expire_year', says: 'expired' },
      ],
      ['month 13', { expire_month: '13' }, { code: '2', field: 'expire_month', says: '01 to 12' }],
      ['letters in cvv2', { cvv2: '12a' }, { code: '2', field: 'cvv2', says: '3 or 4 digits' }],
      ['no e-mail address', { email: 'ann' }, { code: '2', field: 'email', says: 'ann@example.com' }],
      ['a made-up country', { country: 'ZZ' }, { code: '2', field: 'country', says: 'ISO 3166-1' }],
      ['a made-up address', { ipaddress: '300.1.1.1' }, { code: '2', field: 'ipaddress', says: 'IPv4 or IPv6' }],
      [
        'a link to a script',
        { redirect_url: 'javascript:alert(1)' },
        { code: '2', field: 'redirect_url', says: 'https://' },
      ],
      [
        'a long order id',
        { client_orderid: 'x'.repeat(129) },
        { code: '3', field: 'client_orderid', says: 'at most 128' },
      ],
      [
        'a long e-mail',
        { email: `${'x'.repeat(120)}@example.com` },
        { code: '3', field: 'email', says: 'at most 128' },
      ],
      ['a long description', { order_desc: 'x'.repeat(65_537) }, { code: '3', field: 'order_desc', says: '65536' }],
      [
        'a card number for a name',
        { card_printed_name: '4111 1111 1111 1111' },
        { code: '2', field: 'card_printed_name', says: 'not a card number' },
      ],
      [
        'half a browser',
        { customer_browser_info: 'true' },
        { code: '1', field: 'customer_browser_accept_header', says: 'customer_browser_user_agent' },
      ],
    ])('%s', async (_, fields, expected) => {
      expectRefusal(await demo.sale(fields), expected);
    });

    it.each([
      ['10.001', 'USD', 101, 'USD has at most 2 decimals'],
      ['10.421', 'USD', 101, 'USD has at most 2 decimals'],
      ['0.00', 'USD', 101, 'it must be more than zero'],
      ['10.5', 'JPY', 104, 'JPY has no decimals'],
      ['10.42', 'JPY', 104, 'JPY has no decimals'],
    ])('%s %s says what is wrong with it', async (amount, currency, endpoint, hint) => {
      const reply = await demo.sale({ amount, currency }, { endpoint });
      expectRefusal(reply, { code: '2', field: 'amount', says: hint });
      expect(reply.body.errors).toHaveLength(1);
    });

    it.each(['100000000.00', '100000000'])(
      '%s USD, signed as ten thousand million cents, is too long',
      async (amount) => {
        const signs = { amount: '10000000000' };
        expectRefusal(await demo.sale({ amount }, { signs }), { code: '3', field: 'amount', says: 'too long' });
      },
    );

    it('a missing currency', async () => {
      const reply = await demo.sale({ amount: '10.42', currency: undefined }, { signs: { amount: '1042' } });
      expectRefusal(reply, { code: '1', field: 'currency', says: 'currency is required' });
      expect(reply.body.errors).toHaveLength(1);
    });

    it.each(['XXX', 'usd', 'US', '840'])('currency %s', async (currency) => {
      expectRefusal(await demo.sale({ currency }), { code: '2', field: 'currency', says: 'ISO 4217 code in capitals' });
    });

    it('all of them at once, each named', async () => {
      const { status, body } = await demo.sale({
        amount: '-1',
        credit_card_number: '1',
        cvv2: 'x',
        country: 'ZZ',
        email: undefined,
        phone: 'call me',
        expire_month: '0',
      });
      expect(status).toBe(400);
      const fields = (body.errors as { field: string }[]).map(({ field }) => field).sort();
      expect(fields).toEqual(['amount', 'country', 'credit_card_number', 'cvv2', 'email', 'expire_month', 'phone']);
      for (const field of fields) expect(body['error-message']).toContain(field);
    });

    it('everything required that is missing, each named', async () => {
      const { status, body } = await demo.post('/api/v2/sale/101', { control: sha1(`101${demo.key}`) });
      expect(status).toBe(400);
      const errors = body.errors as { field: string; code: string }[];
      expect(errors.map(({ field }) => field).sort()).toEqual([
        'amount',
        'client_orderid',
        'credit_card_number',
        'currency',
        'cvv2',
        'email',
        'expire_month',
        'expire_year',
      ]);
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['1']));
    });

    it('empty values like missing ones', async () => {
      expectRefusal(await demo.sale({ cvv2: '  ' }), { code: '1', field: 'cvv2', says: 'cvv2 is required' });
    });

    it('an orderid that cannot be one', async () => {
      for (const orderid of ['0', '-1', 'abc', '9007199254740992', '1e3']) {
        const reply = await demo.status({ client_orderid: 'x', orderid });
        expectRefusal(reply, { code: '2', field: 'orderid', says: 'order id' });
      }
    });
  });

  describe('for its address', () => {
    it.each(['0', '-1', 'abc', '0101', '1e2', '999', '9223372036854775807', '9'.repeat(60)])(
      'endpoint %s',
      async (id) => {
        expectRefusal(await demo.sale({}, { endpoint: id }), { code: '10', says: /End point with id .* not found/ });
      },
    );

    it.each([
      ['POST', '/api/v2/no-such-operation/101'],
      ['POST', '/api/v2/sale'],
      ['POST', '/api/v2/sale/'],
      ['POST', '/api/v2/sale/101/extra'],
      ['GET', '/api/v2/'],
      // With GET it is the first page of a sandbox; what production answers is tried with the first sign-in.
      ['POST', '/'],
    ])('%s %s is no operation: 404', async (method, path) => {
      expectRefusal(await demo.post(path, {}, { method }), { code: '18', says: 'no operation' }, 404);
    });

    it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s on an operation: 405', async (method) => {
      const reply = await demo.post('/api/v2/sale/101', {}, { method });
      expectRefusal(reply, { code: '19', says: 'POST' }, 405);
      expect(reply.headers.allow).toBe('POST');
    });

    it('a query string does not matter', async () => {
      expect((await demo.sale({}, { endpoint: '101?utm=1', signs: { endpointId: '101' } })).status).toBe(200);
    });
  });

  describe('for its signature', () => {
    it('is told in a sandbox what exactly should have been signed', async () => {
      const client_orderid = newOrderId();
      const reply = await demo.sale({ client_orderid }, { key: 'guessed' });
      expectRefusal(reply, INVALID);
      const expected = reply.body['expected-string'] as string;
      expect(expected).toBe(`101${client_orderid}1042${saleFields.email}${KEY}`);
      const control = sha1(expected.replace(KEY, demo.key));
      expect((await demo.sale({ client_orderid, control })).status).toBe(200);
    });

    it('is told on sandbox endpoints only', async () => {
      await gateway.addEndpoint({ endpointId: 150, sandbox: false });
      const reply = await demo.sale({}, { endpoint: 150, key: 'guessed' });
      expectRefusal(reply, INVALID);
      expect(reply.body).not.toHaveProperty('expected-string');
    });

    it('is told for a status request too', async () => {
      const { body } = await demo.status({ client_orderid: 'mine', orderid: '12' }, { key: 'guessed' });
      expect(body['expected-string']).toBe(`demomine12${KEY}`);
    });

    it.each<[string, (client: Client) => Promise<Reply>]>([
      ['a wrong key', (client) => client.status({ client_orderid: 'x' }, { key: 'guessed' })],
      ['a wrong signature', (client) => client.status({ client_orderid: 'x', control: '0'.repeat(40) })],
      ['a signature of another length', (client) => client.status({ client_orderid: 'x', control: 'abc' })],
    ])('has the same text for %s', async (_, send) => {
      const reply = await send(demo);
      expectRefusal(reply, INVALID);
      expect(reply.body['error-message']).toBe(
        'INVALID_CONTROL_CODE: login, end point, key or signature do not fit this request',
      );
    });

    it('says in a sandbox that nobody has the login, without what looks like a card number', async () => {
      const { body } = await demo.status({ client_orderid: 'x', login: 'nobody' });
      expect(body['error-code']).toBe('20');
      const message = 'No merchant of this sandbox has the login "nobody"; check login';
      expect(body.errors[1]).toEqual({ field: 'login', code: '63', message });
      expect(body['error-message']).toBe(`${body.errors[0].message}. ${message}`);
      const card = await demo.sale({ login: '4111111111111111' });
      expect(card.body.errors[1].message).toContain('"411111******1111"');
    });

    it.each(['control', 'login'])('without %s says that it is missing', async (field) => {
      const { status, body } = await demo.status({ client_orderid: 'x', [field]: undefined });
      expect({ status, code: body['error-code'] }).toEqual({ status: 400, code: '20' });
      expect(body.errors[1]).toEqual({ field, code: '1', message: `Parameter ${field} is required` });
      expect(body['expected-string']).toBe(field === 'login' ? `x${KEY}` : `demox${KEY}`);
    });

    it("beside another merchant's login, though it is right", async () => {
      const { client: rival } = await gateway.newMerchant();
      expectRefusal(await demo.sale({ login: rival.login }), INVALID);
      expect((await demo.sale({ login: demo.login })).status).toBe(200);
    });

    it("for another merchant's endpoint, also with a key of one's own", async () => {
      const rival = await gateway.addMerchant({ merchantId: 7, login: 'rival' }, 'the-rivals-key');
      await gateway.addEndpoint({ endpointId: 701, merchantId: 7 });
      // What a sale and a status say of an endpoint, but for its number and their own.
      const told = async (client: Client, endpoint: number, options: { key?: string } = {}) => {
        const replies = [
          await client.sale({}, { endpoint, ...options }),
          await client.status({ client_orderid: 'x' }, { endpoint, ...options }),
        ];
        return replies.map(({ status, body: { 'serial-number': _, 'merchant-order-id': __, ...body } }) => ({
          status,
          ...body,
          'expected-string': typeof body['expected-string'],
          'error-message': body['error-message'].replace(String(endpoint), '…'),
          errors: JSON.stringify(body.errors).replace(String(endpoint), '…'),
        }));
      };
      for (const [client, foreign] of [[demo, 701] as const, [rival, 101] as const]) {
        const unknown = await told(client, 999);
        expect(unknown).toMatchObject([{ 'error-code': '10' }, { 'error-code': '10' }]);
        expect(await told(client, foreign)).toEqual(unknown);
        const guessed = { key: 'guessed' };
        const unsigned = await told(client, 999, guessed);
        expect(unsigned).toMatchObject([{ 'error-code': '20' }, { 'error-code': '20' }]);
        expect(await told(client, foreign, guessed)).toEqual(unsigned);
      }
    });

    it('says nothing about the order behind it', async () => {
      const { body } = await demo.sale();
      const known = await demo.status({ client_orderid: body['merchant-order-id'] }, { key: 'guessed' });
      expectRefusal(known, INVALID);
    });
  });
});

describeGateway('in production mode a refused request', {}, (gateway) => {
  let shop: Client;

  beforeAll(async () => {
    shop = await gateway.addMerchant({ merchantId: 7, login: 'shop' }, 'a-key-of-its-own');
    await gateway.addEndpoint({ endpointId: 701, merchantId: 7 });
    await gateway.addEndpoint({ endpointId: 702, merchantId: 7, sandbox: false });
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production' });
  });

  it('is not told what should have been signed, sandbox endpoint or not', async () => {
    for (const endpoint of [701, 702]) {
      const reply = await shop.sale({}, { endpoint, key: 'guessed' });
      expectRefusal(reply, { code: '20', field: 'control', says: 'INVALID_CONTROL_CODE' });
      expect(reply.body).not.toHaveProperty('expected-string');
    }
  });

  it('is not told whether the endpoint exists, or whose it is', async () => {
    for (const endpoint of [101, 701, 200, 999]) {
      const reply = await shop.sale({}, { endpoint, key: 'guessed' });
      expectRefusal(reply, INVALID);
      expect(reply.body).not.toHaveProperty('expected-string');
    }
    for (const endpoint of [101, 999]) expectRefusal(await shop.sale({}, { endpoint }), INVALID);
  });

  it('and one that is right is taken', async () => {
    expect(await shop.saleUntilFinal({}, { endpoint: 701 })).toMatchObject({ status: 'approved' });
  });
});
