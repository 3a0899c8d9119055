// The demo shop as a merchant's program: it signs requests as the documentation says, remembers the answers, and
// believes nothing that comes back without a correct control. It uses nothing of the gateway but its interface.

import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';

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

/** A message that came back, and whether its control is correct. */
export type Arrival = { readonly fields: Readonly<Record<string, string>>; readonly isSigned: boolean };

export type Purchase = {
  readonly clientOrderId: string;
  readonly product: Product;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The text whose SHA-1 is the control, with a placeholder for the key. */
  readonly signed: string;
  readonly reply: Readonly<Record<string, unknown>>;
  returned?: Arrival;
  calledBack?: Arrival;
};

export type ShopMerchant = { readonly login: string; readonly key: string };

/** The shop forgets its oldest purchases. */
const MAX_PURCHASES = 200;

export class Purchases {
  readonly #merchant: ShopMerchant;
  readonly #kept = new Map<string, Purchase>();

  constructor(merchant: ShopMerchant) {
    this.#merchant = merchant;
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
      control: sha1([...formula, this.#merchant.key].join('')),
    };
    const url = `${api}/api/v2/sale-form/${endpointId}`;
    const reply = await post(url, fields);
    const signed = [...formula, '<MERCHANT_CONTROL_KEY>'].join(' + ');
    const purchase: Purchase = { clientOrderId, product, url, fields, signed, reply };
    this.#keep(purchase);
    return purchase;
  }

  /** Notes what a browser or a callback brings; undefined when it belongs to no purchase of ours. */
  arrived(by: 'returned' | 'calledBack', fields: Readonly<Record<string, string>>): Purchase | undefined {
    const purchase = this.#kept.get(fields.client_orderid ?? '');
    if (!purchase) return undefined;
    const isSigned = this.#isSigned(fields);
    // A forged message never replaces a true one.
    if (isSigned || !purchase[by]?.isSigned) purchase[by] = { fields, isSigned };
    return purchase;
  }

  #isSigned({
    status = '',
    orderid = '',
    client_orderid = '',
    control = '',
  }: Readonly<Record<string, string>>): boolean {
    const expected = Buffer.from(sha1(`${status}${orderid}${client_orderid}${this.#merchant.key}`));
    const given = Buffer.from(control);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #keep(purchase: Purchase): void {
    this.#kept.set(purchase.clientOrderId, purchase);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_PURCHASES && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function sha1(text: string): string {
  return createHash('sha1').update(text, 'utf8').digest('hex');
}

async function post(url: string, fields: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  return (await response.json()) as Record<string, unknown>;
}
