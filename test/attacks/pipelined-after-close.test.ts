// The attack: a second request on a connection whose first one, or the reply to it, says that nothing follows. It was
// carried out and never answered: nobody who watches the answers would know that money moved.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { type Client, describeGateway, encode, FORM, MEDIA_TYPE, newOrderId } from '../harness.ts';

describeGateway('a request pipelined behind the end of its connection', {}, (gateway) => {
  const raw = (path: string, body: string, head: string, version = '1.1') =>
    [`POST /paynet${path} HTTP/${version}`, 'Host: localhost', `Accept: ${MEDIA_TYPE}`, `Content-Type: ${FORM}`]
      .concat(`Content-Length: ${Buffer.byteLength(body)}`, head === '' ? [] : head, '', body)
      .join('\r\n');

  const sale = (client: Client, id: string) => encode(client.signedSale({ client_orderid: id }));

  /** Requests that would have been carried out by now are: a later one, on another connection, has been answered. */
  const settled = () => gateway.demo.saleUntilFinal();

  /** Everything that is answered. The client ends its side last, so that a gateway that would serve on has served. */
  async function sent(...pieces: string[]): Promise<string> {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    const heard = text(socket).catch(() => '');
    for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
    await settled();
    socket.end();
    return heard;
  }

  const ordersNamed = async (id: string) =>
    (await gateway.query(`select order_id from orders where client_order_id = '${id}'`)).length;

  it.each([
    ['Connection: close', '1.1'],
    ['Connection: Close', '1.1'],
    ['Connection:\tclose\t', '1.1'],
    ['Connection: "close"', '1.1'],
    ['Connection: keep-alive, close', '1.1'],
    ['Connection: close\r\nConnection: keep-alive', '1.1'],
    ['Connection: keep-alive, close', '1.0'],
    ['', '1.0'],
  ])('is not carried out: %j in HTTP/%s', async (head, version) => {
    const [first, second] = [newOrderId(), newOrderId()];
    const requests = [
      raw('/api/v2/sale/101', sale(gateway.demo, first), head, version),
      raw('/api/v2/sale/101', sale(gateway.demo, second), ''),
    ];
    const heard = await sent(requests.join(''));
    expect(heard.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(heard).toContain(first);
    expect(await ordersNamed(first)).toBe(1);
    expect(await ordersNamed(second)).toBe(0);
  });

  it('is not carried out when the reply came before the whole body', async () => {
    const second = newOrderId();
    const [head = '', body = ''] = raw('/api/v2/nothing/101', 'x'.repeat(64), '').split(/(?<=\r\n\r\n)/);
    const heard = await sent(
      head,
      body.slice(1) + body.slice(0, 1) + raw('/api/v2/sale/101', sale(gateway.demo, second), ''),
    );
    expect(heard).not.toContain(second);
    expect(await ordersNamed(second)).toBe(0);
  });

  it('is answered where nothing says that the connection ends', async () => {
    const [first, second] = [newOrderId(), newOrderId()];
    const heard = await sent(
      raw('/api/v2/sale/101', sale(gateway.demo, first), ''),
      raw('/api/v2/sale/101', sale(gateway.demo, second), 'Connection: close'),
    );
    expect(heard.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(await ordersNamed(first)).toBe(1);
    expect(await ordersNamed(second)).toBe(1);
  });
});
