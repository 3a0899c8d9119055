// The demo shop as a merchant's program: it asks by the client that every merchant has, remembers what went over the
// wire, and believes nothing that comes back unless it is signed and about the order it made. It uses nothing of the
// gateway but its interface.

import { randomUUID } from 'node:crypto';
import {
  type CallbackHeaders,
  type ClientRequests,
  TenderClient,
  TenderError,
  verifyCallback,
  verifyRedirect,
} from '../../client/index.ts';

export type Product = {
  readonly endpointId: number;
  readonly amount: string;
  readonly minor: string;
  readonly currency: string;
};

export const PRODUCTS = {
  '101': { endpointId: 101, amount: '24.90', minor: '2490', currency: 'USD' },
  '102': { endpointId: 102, amount: '24.90', minor: '2490', currency: 'EUR' },
} satisfies Readonly<Record<string, Product>>;

/** The product that a form of ours, or somebody else's, asks for. */
export function productOf(endpoint: string): Product | undefined {
  return Object.entries(PRODUCTS).find(([id]) => id === endpoint)?.[1];
}

/** A message that came back, and why the shop does not believe it. */
export type Arrival = { readonly fields: Readonly<Record<string, string>>; readonly whyNot: string | undefined };

/** A request and its reply, as they went over the wire. */
type Exchange = {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly reply: Readonly<Record<string, unknown>>;
};

export type Purchase = Exchange & {
  readonly clientOrderId: string;
  readonly product: Product;
  /** The text whose SHA-1 is the control, with a placeholder for the key. */
  readonly signed: string;
  returned?: Arrival;
  calledBack?: Arrival;
};

export type ShopMerchant = { readonly login: string; readonly key: string };

/** The shop forgets its oldest purchases. */
const MAX_PURCHASES = 200;

export class Purchases {
  readonly #merchant: ShopMerchant;
  readonly #now: () => number;
  readonly #kept = new Map<string, Purchase>();

  constructor(merchant: ShopMerchant, now: () => number) {
    this.#merchant = merchant;
    this.#now = now;
  }

  find(clientOrderId: string): Purchase | undefined {
    return this.#kept.get(clientOrderId);
  }

  /** `api` is the address of the interface, `shop` what the browser comes back to, and `callback` what is told. */
  async begin(
    product: Product,
    { api, shop, callback }: { api: string; shop: string; callback: string },
  ): Promise<Purchase> {
    const clientOrderId = `socks-${randomUUID().slice(0, 8)}`;
    const email = 'ann@example.com';
    const { endpointId, amount, minor, currency } = product;
    const formula = [String(endpointId), clientOrderId, minor, email];
    const fields = {
      client_orderid: clientOrderId,
      order_desc: 'Merino socks, one pair, size 39–42',
      amount,
      currency,
      email,
      first_name: 'Ann',
      last_name: 'Example',
      ipaddress: '203.0.113.7',
      site_url: shop,
      redirect_url: `${shop}/back`,
      server_callback_url: callback,
    };
    const exchange = await this.#asked(api, endpointId, fields);
    const signed = [...formula, '<MERCHANT_CONTROL_KEY>'].join(' + ');
    const purchase: Purchase = { clientOrderId, product, signed, ...exchange };
    this.#keep(purchase);
    return purchase;
  }

  /** Notes what a browser brings; undefined when it belongs to no purchase of ours. */
  cameBack(fields: Readonly<Record<string, string>>): Purchase | undefined {
    const purchase = this.#kept.get(fields.client_orderid ?? '');
    if (!purchase) return undefined;
    const { whyNot } = verifyRedirect(fields, this.#merchant.key, { expected: expectedOf(purchase) });
    return note(purchase, 'returned', { fields, whyNot });
  }

  /** Notes what a callback tells, by the query as it arrived; undefined when it belongs to no purchase of ours. */
  calledBack(query: string, headers: CallbackHeaders): Purchase | undefined {
    const fields = Object.fromEntries(new URLSearchParams(query));
    const purchase = this.#kept.get(fields.client_orderid ?? '');
    if (!purchase) return undefined;
    const checks = { headers, expected: expectedOf(purchase), now: this.#now };
    const { whyNot } = verifyCallback(query, this.#merchant.key, checks);
    return note(purchase, 'calledBack', { fields, whyNot });
  }

  /** Asks for a form, and keeps what went over the wire; a request that was refused is shown as well. */
  async #asked(baseUrl: string, endpoint: number, request: ClientRequests['saleForm']): Promise<Exchange> {
    let seen: Exchange | undefined;
    const watched: typeof fetch = async (url, sent) => {
      const response = await fetch(url, sent);
      const fields = Object.fromEntries(new URLSearchParams(String(sent?.body)));
      seen = { url: String(url), fields, reply: (await response.clone().json()) as Exchange['reply'] };
      return response;
    };
    const { login, key: controlKey } = this.#merchant;
    const client = new TenderClient({ baseUrl, endpoint, login, controlKey, fetch: watched });
    await client.saleForm(request).catch((error) => {
      if (!(error instanceof TenderError) || !seen) throw error;
    });
    return seen as Exchange;
  }

  #keep(purchase: Purchase): void {
    this.#kept.set(purchase.clientOrderId, purchase);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_PURCHASES && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function expectedOf({ clientOrderId, product: { amount, currency }, reply }: Purchase) {
  return { orderid: String(reply['paynet-order-id'] ?? ''), client_orderid: clientOrderId, amount, currency };
}

/** A forged message never replaces a true one. */
function note(purchase: Purchase, by: 'returned' | 'calledBack', arrival: Arrival): Purchase {
  const before = purchase[by];
  if (arrival.whyNot === undefined || !before || before.whyNot !== undefined) purchase[by] = arrival;
  return purchase;
}
