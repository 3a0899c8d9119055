// The merchant whose page it is, as the layout shows it.

import type { PayerOrder } from '../../processing/checkout/checkout.ts';
import type { Owner, ShopLink } from './layout.ts';

export function ownerOf({ endpoint, look, merchant }: Pick<PayerOrder, 'endpoint' | 'look' | 'merchant'>): Owner {
  const { endpointId, sandbox, frameAncestors } = endpoint;
  return { endpointId, name: look.name ?? merchant.name, look, sandbox, frameAncestors };
}

/** The link to the shop, if the merchant gave an address. */
export function shopOf(order: Pick<PayerOrder, 'endpoint' | 'look' | 'merchant' | 'shopUrl'>): ShopLink | undefined {
  return order.shopUrl === undefined ? undefined : { url: order.shopUrl, name: ownerOf(order).name };
}
