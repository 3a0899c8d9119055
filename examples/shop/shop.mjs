// A shop: it sends payers to a hosted form and believes verified callbacks only; start.mjs opens it.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { TenderClient, verifyCallback, verifyRedirect } from 'tender/client';

const PAGE = '<form method="post" action="/buy"><button>Socks, 24.90 USD</button></form>';
const CHECKED = 'Your payment is being checked. We will write to you.';
const NOTHING = 'Nothing was charged.';
const ENDS = { approved: 'Thank you! Your socks come.', declined: NOTHING, filtered: NOTHING, error: NOTHING };

/** `tender`: baseUrl, endpoint, login, controlKey and privateKey of the merchant. */
export async function startShop(tender, { port = 3000, now = Date.now } = {}) {
  const client = new TenderClient({ now, ...tender });
  const orders = new Map();
  const pages = { 'POST /buy': buy, 'GET /callback': callback, 'POST /back': back };
  const server = createServer(async (request, response) => {
    const page = pages[`${request.method} ${request.url.split('?')[0]}`] ?? (async () => [200, PAGE]);
    const [status, content, location] = await page(request).catch(({ message }) => [500, message]);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...(location && { location }) });
    response.end(content);
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://localhost:${server.address().port}`;

  async function buy() {
    const order = { client_orderid: `socks-${randomUUID()}`, amount: '24.90', currency: 'USD' };
    orders.set(order.client_orderid, { ...order, status: 'open', payments: new Set() });
    const there = { redirect_url: `${url}/back`, server_callback_url: `${url}/callback` };
    const form = await client.saleForm({ ...order, ...there, order_desc: 'Socks', email: 'ann@example.com' });
    orders.get(order.client_orderid).orderid = form['paynet-order-id'];
    return [303, '', form['redirect-url']];
  }

  async function callback({ url, headers }) {
    const { ok, params, whyNot } = verifyCallback(url, tender.controlKey, { headers, now });
    const order = orders.get(params.merchantdata || params.client_orderid);
    if (!ok || !order) return [400, whyNot ?? 'no order of ours'];
    const isWhole = params.amount === order.amount && params.currency === order.currency;
    // A notify_url is told of later returns too, which are approved and may be of the same amount.
    if (params.type !== 'sale') order.followUps = [...(order.followUps ?? []), `${params.type} ${params.status}`];
    else order.status = params.status === 'approved' && isWhole ? 'paid' : params.status;
    // A callback may come twice: its serial-number is the same.
    if (params.type === 'sale' && order.status === 'paid') order.payments.add(params['serial-number']);
    return [200, 'OK'];
  }

  /** The browser's word delivers nothing: the callback does. */
  async function back(request) {
    const body = await text(request);
    const order = orders.get(new URLSearchParams(body).get('client_orderid'));
    const expected = { orderid: order?.orderid, client_orderid: order?.client_orderid };
    const { ok, params } = verifyRedirect(body, tender.controlKey, { expected });
    return [200, (ok && ENDS[params.status]) || CHECKED];
  }

  return { url, orders, client, close: () => new Promise((resolve) => server.close(resolve)) };
}
