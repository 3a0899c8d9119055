// The attack: two Authorization headers on one request. A proxy in front may judge by one of them and we by the other.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { describeGateway, encode, FORM, MEDIA_TYPE, newOrderId, oauthHeader } from '../harness.ts';

describeGateway('two headers where one is meant', {}, (gateway) => {
  async function heard(port: number, path: string, headers: readonly string[], body: string) {
    const socket = connect(port, '127.0.0.1');
    const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
    socket.write([...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'));
    const [status = '', answer = ''] = (await text(socket)).split('\r\n\r\n', 2);
    return { status: Number(status.split(' ')[1]), answer };
  }

  const port = () => Number(new URL(gateway.origin).port);
  const ours = [`Accept: ${MEDIA_TYPE}`, `Content-Type: ${FORM}`];

  const ordersNamed = async (id: string) =>
    (await gateway.query(`select order_id from orders where client_order_id = '${id}'`)).length;

  it.each([
    ['a right one before a wrong one', (right: string) => [right, 'OAuth oauth_consumer_key="other"']],
    ['a right one behind a wrong one', (right: string) => ['OAuth oauth_consumer_key="other"', right]],
    ['the same one twice', (right: string) => [right, right]],
  ])('Authorization is refused: %s', async (_how, both) => {
    const fields = { login: 'demo', order_desc: 'x', amount: '10.42', currency: 'USD', client_orderid: newOrderId() };
    const path = '/api/v4/pan-eligibility/101';
    const signer = {
      login: 'demo',
      key: gateway.demo.privateKey,
      method: 'RSA-SHA256',
      now: gateway.clock.now(),
    } as const;
    const url = `${gateway.origin.replace('127.0.0.1', 'localhost')}/paynet${path}`;
    const authorizations = both(oauthHeader(url, fields, signer)).map((value) => `Authorization: ${value}`);
    const { status, answer } = await heard(port(), `/paynet${path}`, [...ours, ...authorizations], encode(fields));
    expect(status).toBe(400);
    expect(JSON.parse(answer)).toMatchObject({ 'error-code': '90' });
    expect(answer).toContain('authorization');
  });

  it.each(['Content-Type', 'Idempotency-Key', 'X-Signature'])(
    '%s is refused, and nothing is carried out',
    async (name) => {
      const id = newOrderId();
      const body = encode(gateway.demo.signedSale({ client_orderid: id }));
      const twice = [`${name}: ${FORM}`, `${name.toLowerCase()}: ${FORM}`];
      const headers = [
        `Accept: ${MEDIA_TYPE}`,
        ...(name === 'Content-Type' ? [] : [`Content-Type: ${FORM}`]),
        ...twice,
      ];
      const { status, answer } = await heard(port(), '/paynet/api/v2/sale/101', headers, body);
      expect(status).toBe(400);
      expect(JSON.parse(answer)).toMatchObject({ 'error-code': '90' });
      expect(await ordersNamed(id)).toBe(0);
      const { status: alone } = await gateway.demo.sale({ client_orderid: id });
      expect(alone).toBe(200);
    },
  );

  it("Authorization at the administrators' door is refused too", async () => {
    const { url, token } = JSON.parse(await readFile(join(gateway.dataFolder, 'admin.json'), 'utf8'));
    const door = Number(new URL(url).port);
    const both = [`Authorization: Bearer ${token}`, `Authorization: Bearer ${randomUUID()}`];
    const { status, answer } = await heard(door, '/admin/api/listMerchants', both, '{}');
    expect([status, JSON.parse(answer).error]).toEqual([
      400,
      'header authorization occurs more than once; send it once',
    ]);
    expect((await heard(door, '/admin/api/listMerchants', both.slice(0, 1), '{}')).status).toBe(200);
  });
});
