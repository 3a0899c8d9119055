// Requests made to do harm, from people who hold no key: each is answered, costs little, leaves little behind, and the
// gateway goes on.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { DEMO_MERCHANT_ID, describeGateway, encode } from '../harness.ts';

const LEGACY = 103;
/** Its last character is a pair of surrogates, which a cut at 64 or 40 characters goes through. */
const halved = (length: number) => `${'a'.repeat(length)}😀`;

describeGateway('a hostile request', {}, (gateway) => {
  const { demo } = gateway;
  afterEach(async () => {
    expect((await demo.sale()).status).toBe(200);
  });

  it('that has a name cut within a character gets a reply in the old flavour too', async () => {
    const name = encodeURIComponent(halved(63));
    const reply = await demo.post(
      `/api/v2/sale/${LEGACY}`,
      {},
      { rawBody: `${name}=1&${name}=2`, headers: { accept: '*/*' } },
    );
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(/type=validation-error\n[\s\S]*occurs\+more\+than\+once/);
    const oauth = encodeURIComponent(`oauth_${halved(33)}`);
    const headers = { accept: '*/*', authorization: `OAuth ${oauth}="1", ${oauth}="2"` };
    const signed = await demo.post(`/api/v2/payout/${LEGACY}`, {}, { rawBody: 'a=1', headers });
    expect(signed.text).toMatch(/type=validation-error\n[\s\S]*occurs\+more\+than\+once/);
  });

  it('that repeats a name hundreds of times is told so fifty times', async () => {
    const rawBody = `a=${'%41'.repeat(40_000)}${'&a='.repeat(399)}`;
    const { status, body } = await demo.post('/api/v2/sale/101', {}, { rawBody });
    expect({ status, code: body['error-code'] }).toEqual({ status: 400, code: '4' });
    expect(body.errors).toHaveLength(51);
  });

  it('with long and many unknown names leaves a short line in the journal', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}${'x'.repeat(index < 9 ? 13_000 : 10)}=1`);
    const { body } = await demo.post('/api/v2/sale/101', {}, { rawBody: `${names.join('&')}&city=Springfield` });
    const { request } = await gateway.journalLine(body);
    // Of a request that is not signed rightly less is kept than of others: three unknown names, and the city.
    expect(Object.keys(request as object)).toHaveLength(4);
    expect(JSON.stringify(request).length).toBeLessThan(400);
    expect(request).toMatchObject({ city: 'Springfield' });
  });

  /** What comes back on a connection of its own. */
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1', () => socket.write(text));
      let reply = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        reply += chunk;
      });
      socket.on('end', () => resolve(reply)).on('error', reject);
    });

  it.each([
    ['is none', 'NONSENSE\r\n\r\n', 400, '16'],
    ['has two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, '16'],
    ['has a head without end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, '16'],
    ['expects the unknown', 'POST / HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n', 417, '17'],
  ])('that %s is refused in our own words', async (_, text, status, code) => {
    const reply = await raw(text);
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(reply).toMatch(/content-type: application\/vnd\.pay\+json/i);
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toMatchObject({
      type: 'validation-error',
      'serial-number': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'error-code': code,
    });
  });

  it('that is none holds no connection, also when its sender never closes it', async () => {
    const accepted: Socket[] = [];
    const onSocket = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
    subscribe('net.server.socket', onSocket);
    const port = Number(new URL(gateway.origin).port);
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => client.write('NONSENSE\r\n\r\n'));
    await new Promise((resolve) => client.resume().on('end', resolve));
    unsubscribe('net.server.socket', onSocket);
    await expect.poll(() => accepted.map(({ destroyed }) => destroyed)).toEqual([true]);
    client.destroy();
  });

  it('that follows a good one does not take its answer', async () => {
    const body = encode(demo.signedSale());
    const head = [
      'POST /paynet/api/v2/sale/101 HTTP/1.1',
      'Host: a',
      'Accept: application/vnd.pay+json',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const reply = await raw(`${head.join('\r\n')}\r\n\r\n${body}NONSENSE\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1.1 200 /);
    expect(reply).toContain('"async-response"');
    expect(reply).toMatch(/connection: close/i);
  });

  it('that breaks off within its body is refused, and nothing waits for the rest', async () => {
    const reply = await raw(
      'POST /paynet/api/v2/sale/101 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense',
    );
    expect(reply).toMatch(/^HTTP\/1.1 400 /);
    expect(reply).toContain('"16"');
  });

  it('that names the whole address is understood', async () => {
    const reply = await raw(
      'GET http://pay.example/healthz?x=1 HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n',
    );
    expect(reply).toMatch(/^HTTP\/1.1 200 /);
  });
});

describeGateway('behind a proxy', {}, (gateway) => {
  it('the address the proxy names counts, if the proxy was made known', async () => {
    const { demo } = gateway;
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { allowedAddresses: ['203.0.113.7'] });
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
    expect((await demo.sale({}, { headers })).body['error-code']).toBe('22');
    await gateway.restart({ trustedProxies: ['127.0.0.0/8', '::1'] });
    expect((await demo.sale({}, { headers })).status).toBe(200);
    expect((await demo.sale()).body['error-code']).toBe('22');
  });
});
