// Where a payer's browser is sent: the address of the pages of one order, good for as long as its hosted form is.

import { payableUntil } from '../domain/order/hosted-form.ts';
import type { Order } from '../domain/order/order.ts';
import type { PayerLinks } from './payer-links.ts';

export type PayerPages = {
  /** The same for the same order, however often it is asked for. */
  tokenOf(order: Order): string;
  addressOf(order: Order): string;
};

export function payerPages(links: PayerLinks, baseUrl: () => string): PayerPages {
  const tokenOf = (order: Order) => links.tokenOf({ ...order, until: payableUntil(order) });
  return { tokenOf, addressOf: (order) => `${baseUrl()}/pay/${tokenOf(order)}` };
}
