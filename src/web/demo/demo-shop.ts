// The demo shop's routes, in sandboxes only: a newcomer buys something and sees every message of the purchase.

import type { Assets } from '../design/assets.ts';
import { seeOther, type WebReply, type WebRequest, type WebRoute } from '../route.ts';
import { notFoundPage, purchasePage, shopPage, stateOf } from './demo-pages.ts';
import { Purchases, productOf, type ShopMerchant } from './purchase.ts';

export type DemoShopParts = {
  readonly assets: Assets;
  readonly basePath: string;
  /** The public address of the interface: where browsers find the shop. */
  readonly baseUrl: () => string;
  /** Where the shop itself calls the interface, and where callbacks find the shop: both are in this process. */
  readonly api: () => string;
  /** An address of the gateway as the browser that is being answered reaches it. */
  readonly asReached: (url: string) => string;
  readonly merchant: ShopMerchant;
  /** The sandbox's time, which callbacks are sent at. */
  readonly now: () => number;
};

export function demoShopRoute(parts: DemoShopParts): WebRoute {
  const purchases = new Purchases(parts.merchant, parts.now);
  return { prefix: '/demo', handle: (request) => answer(parts, purchases, request) };
}

async function answer(parts: DemoShopParts, purchases: Purchases, request: WebRequest): Promise<WebReply> {
  const { basePath, assets } = parts;
  const context = { basePath, assets };
  const [, action = '', clientOrderId = '', below] = request.rest.split('/', 4);
  const asked = `${request.method} ${action}`;
  if (asked === 'GET ') return shopPage(context);
  if (asked === 'POST buy') return buy(parts, purchases, request);
  if (asked === 'POST back') return back(parts, purchases, request);
  if (asked === 'GET callback') return callback(purchases, request);
  const purchase = asked === 'GET orders' ? purchases.find(clientOrderId) : undefined;
  if (!purchase) return notFoundPage(context);
  if (below === undefined) {
    const payAt = purchase.reply['redirect-url'];
    return purchasePage(context, purchase, typeof payAt === 'string' ? parts.asReached(payAt) : undefined);
  }
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ state: stateOf(purchase) }),
  };
}

async function buy(
  { basePath, baseUrl, api }: DemoShopParts,
  purchases: Purchases,
  { body }: WebRequest,
): Promise<WebReply> {
  const product = productOf(fieldsOf(body).endpoint ?? '');
  if (!product) return seeOther(`${basePath}/demo`);
  const places = { api: api(), shop: `${baseUrl()}/demo`, callback: `${api()}/demo/callback` };
  const { clientOrderId } = await purchases.begin(product, places);
  return seeOther(`${basePath}/demo/orders/${clientOrderId}`);
}

/** The final redirect: the browser posts it, and is then shown the order. */
function back({ basePath }: DemoShopParts, purchases: Purchases, { body }: WebRequest): WebReply {
  const purchase = purchases.cameBack(fieldsOf(body));
  return seeOther(purchase ? `${basePath}/demo/orders/${purchase.clientOrderId}` : `${basePath}/demo`);
}

function callback(purchases: Purchases, { search, headers }: WebRequest): WebReply {
  const isKnown = purchases.calledBack(search, headers) !== undefined;
  return { status: isKnown ? 200 : 404, headers: { 'Content-Type': 'text/plain' }, body: isKnown ? 'OK' : 'Not ours' };
}

function fieldsOf(body: Buffer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}
