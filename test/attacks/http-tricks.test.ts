// The attack: requests that a proxy in front and the gateway read differently, at both ports. So many headers that the
// proxy's own, at their end, were forgotten; something broken behind a verb, which was answered in the verb's place;
// and chunks in HTTP/1.0.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeGateway, encode, FORM, MEDIA_TYPE, newOrderId } from '../harness.ts';
import { askBy, localNote } from '../scenarios/person-browser.ts';

/** More than Node keeps by itself, and less than the 16 KiB that a head may have. */
const MANY_HEADERS = Array<string>(1_500).fill('A:');

const linesOf = (first: string, headers: readonly string[], body: string) =>
  [first, 'Host: 127.0.0.1', ...headers, '', body].join('\r\n');

/** Everything that is answered until the other side closes the connection, or says nothing any more. */
async function heard(url: string, sent: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const all = text(socket);
  socket.write(sent);
  return all.catch(() => '');
}

describeGateway('behind a proxy, more headers than anybody reads', {}, (gateway) => {
  const NEAR = '10.7.7.7';
  const setAddresses = async (allowedAddresses: readonly string[]) => {
    const { url, token } = await localNote(gateway.dataFolder);
    const reply = await askBy(url, token, 'setMerchant', { login: 'demo', allowedAddresses });
    expect(reply.status).toBe(200);
  };

  beforeAll(async () => {
    await gateway.restart({ trustedProxies: ['127.0.0.1'] });
    await setAddresses([NEAR]);
  });
  afterAll(() => setAddresses([]));

  const saleFrom = (claimed: string, between: readonly string[], byProxy: string) => {
    const id = newOrderId();
    const body = encode(gateway.demo.signedSale({ client_orderid: id }));
    const own = [`Accept: ${MEDIA_TYPE}`, `Content-Type: ${FORM}`, `Content-Length: ${Buffer.byteLength(body)}`];
    const headers = [...own, 'Connection: close', `X-Forwarded-For: ${claimed}`, ...between];
    const first = 'POST /paynet/api/v2/sale/101 HTTP/1.1';
    return heard(gateway.origin, linesOf(first, [...headers, `X-Forwarded-For: ${byProxy}`], body));
  };

  it('hide no address that the proxy told at their end', async () => {
    expect(await saleFrom('192.0.2.1', [], NEAR)).toContain('"type":"async-response"');
    expect(await saleFrom(NEAR, [], '203.0.113.9')).toContain('"error-code":"22"');
    expect(await saleFrom(NEAR, MANY_HEADERS, '203.0.113.9')).toContain('"error-code":"22"');
    expect(await saleFrom('192.0.2.1', MANY_HEADERS, NEAR)).toContain('"type":"async-response"');
  });

  it("hide no second token at the administrators' door", async () => {
    const { url, token } = await localNote(gateway.dataFolder);
    const headers = [`Authorization: Bearer ${token}`, 'Content-Length: 2', 'Connection: close', ...MANY_HEADERS];
    const both = [...headers, 'Authorization: Bearer another'];
    expect(await heard(url, linesOf('POST /admin/api/listMerchants HTTP/1.1', headers, '{}'))).toMatch(
      /^HTTP\/1.1 200 /,
    );
    expect(await heard(url, linesOf('POST /admin/api/listMerchants HTTP/1.1', both, '{}'))).toMatch(/^HTTP\/1.1 400 /);
  });
});

describeGateway('what a browser is shown that is no page', {}, (gateway) => {
  const NOTHING = /\r\nContent-Security-Policy: default-src 'none';[\s\S]*\r\nX-Content-Type-Options: nosniff\r\n/;
  const asked = (path: string) => linesOf(`GET ${path} HTTP/1.1`, ['Connection: close'], '');

  it('runs nothing: old replies, the way to the demo shop, figures, and answers to administrators', async () => {
    const body = 'client_orderid=<script>alert(1)</script>';
    const head = [`Content-Type: ${FORM}`, `Content-Length: ${body.length}`, 'Connection: close'];
    const old = await heard(gateway.origin, linesOf('POST /paynet/api/v2/sale/103 HTTP/1.1', head, body));
    expect(old).toContain('Content-Type: text/html');
    expect(old).toMatch(NOTHING);
    expect(old).not.toContain('<script>');
    for (const path of ['/demo', '/metrics', '/healthz', '/openapi.json']) {
      expect(await heard(gateway.origin, asked(path))).toMatch(NOTHING);
    }
    expect(await heard(gateway.adminUrl, asked('/admin/api/listOrders'))).toMatch(NOTHING);
  });
});

describeGateway("at the administrators' door", {}, (gateway) => {
  const verb = async (name: string, given: object, { version = '1.1', head = [] as string[] } = {}) => {
    const { token } = await localNote(gateway.dataFolder);
    const body = JSON.stringify(given);
    const headers = [`Authorization: Bearer ${token}`, `Content-Length: ${body.length}`, ...head];
    return linesOf(`POST /admin/api/${name} HTTP/${version}`, headers, body);
  };

  it('what is broken behind a verb is not answered in its place', async () => {
    const { url } = await localNote(gateway.dataFolder);
    const sent = await verb('addPerson', { name: 'ida', role: 'viewer' });
    const answers = await heard(url, `${sent}\0 this is no request\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(answers).toContain('"name":"ida"');
  });

  it.each([
    ['a word that is no request', '\0nothing\r\n\r\n', 400],
    ['a head of 20 KB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0', 400],
  ])('%s gets an answer that programs read, and the end', async (_, sent, status) => {
    const answer = await heard((await localNote(gateway.dataFolder)).url, sent);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*Content-Type: application/json.*"error":`, 's'));
  });

  it('nothing is served behind chunks in HTTP/1.0', async () => {
    const { url, token } = await localNote(gateway.dataFolder);
    const head = [`Authorization: Bearer ${token}`, 'Transfer-Encoding: chunked', 'Connection: keep-alive'];
    const chunked = linesOf('POST /admin/api/listMerchants HTTP/1.0', head, '2\r\n{}\r\n0\r\n\r\n');
    const behind = await verb('addPerson', { name: 'jon', role: 'viewer' });
    const answers = await heard(url, chunked + behind);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(await heard(url, await verb('listPeople', {}, { head: ['Connection: close'] }))).not.toContain('"jon"');
  });
});
