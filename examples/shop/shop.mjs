// A shop of two pages: it sends payers to a hosted form, believes verified callbacks only, and sells a magazine by the
// month. Start it with `node shop.mjs` beside a sandbox (`npx tender start`), and open http://localhost:3000.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { TenderClient, verifyCallback, verifyRedirect } from 'tender/client';

const PRICE = { amount: '24.90', currency: 'USD' };

/** What the payer reads when the browser brings a verified end; whatever else it brings says nothing of the money. */
const ENDS = {
  approved: 'Thank you! Your socks are on the way.',
  declined: 'Nothing was charged.',
  filtered: 'Nothing was charged.',
  error: 'Nothing was charged.',
};

/** `tender`: baseUrl, endpoint, login, controlKey and privateKey of the merchant. */
export async function startShop(tender, { port = 3000, now = Date.now } = {}) {
  const client = new TenderClient({ now, ...tender });
  const orders = new Map();
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => reply(response, 500, `${error.message} ${error.remedy ?? ''}`));
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://localhost:${server.address().port}`;

  async function serve(request, response) {
    const { pathname } = new URL(request.url, url);
    if (pathname === '/buy' && request.method === 'POST') return buy(response);
    if (pathname === '/callback') return callback(request, response);
    if (pathname === '/back') return back(await textOf(request), response);
    return reply(response, 200, '<form method="post" action="/buy"><button>Socks, 24.90 USD</button></form>');
  }

  async function buy(response) {
    const id = `socks-${randomUUID()}`;
    orders.set(id, { ...PRICE, type: 'sale', status: 'open' });
    const form = await client.saleForm({
      ...{ client_orderid: id, order_desc: 'Socks', ...PRICE, email: 'ann@example.com' },
      ...{ redirect_url: `${url}/back`, server_callback_url: `${url}/callback` },
    });
    orders.get(id).orderid = form['paynet-order-id'];
    response.writeHead(303, { location: form['redirect-url'] }).end();
  }

  function callback(request, response) {
    const { ok, params, whyNot } = verifyCallback(request.url, tender.controlKey, { headers: request.headers, now });
    const order = orders.get(params.merchantdata || params.client_orderid);
    if (!ok || !order) return reply(response, 400, whyNot ?? 'no order of ours');
    // A notify_url is told of later returns too, which are approved and may be of the same amount.
    if (params.type !== order.type) {
      order.followUps = [...(order.followUps ?? []), `${params.type} ${params.status}`];
      return reply(response, 200, 'OK');
    }
    const isWhole = params.amount === order.amount && params.currency === order.currency;
    order.status = params.status === 'approved' && isWhole ? 'paid' : params.status;
    // A callback may come twice: its serial-number is the same.
    if (order.status === 'paid') order.payments = (order.payments ?? new Set()).add(params['serial-number']);
    reply(response, 200, 'OK');
  }

  function back(body, response) {
    const id = new URLSearchParams(body).get('client_orderid');
    const expected = { orderid: orders.get(id)?.orderid, client_orderid: id };
    const { ok, params } = verifyRedirect(body, tender.controlKey, { expected });
    // The browser's word delivers nothing: the callback does.
    reply(response, 200, (ok && ENDS[params.status]) || 'Your payment is being checked. We will write to you.');
  }

  async function subscribe(card) {
    const id = `magazine-${randomUUID()}`;
    orders.set(id, { amount: '9.00', currency: 'USD', type: 'sale', status: 'open' });
    await client.createRecurringPayment({
      ...{ client_orderid: id, merchant_data: id, rp_card_type: 'SRC', amount: '9.00', currency: 'USD', ...card },
      ...{ interval: 1, interval_unit: 'month', notify_url: `${url}/callback` },
    });
    return id;
  }

  return { url, orders, subscribe, close: () => new Promise((resolve) => server.close(resolve)) };
}

function reply(response, status, text) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);
}

async function textOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

if (process.argv[1] === import.meta.filename) {
  // The demo merchant's key, which every sandbox has; a real one belongs in the environment only.
  const { TENDER_KEY: controlKey = '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638' } = process.env;
  const { TENDER_URL: baseUrl = 'http://localhost:8080/paynet' } = process.env;
  const shop = await startShop({ baseUrl, endpoint: 101, login: 'demo', controlKey });
  process.stdout.write(`The shop is open at ${shop.url}\n`);
}
