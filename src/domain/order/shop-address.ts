// The shop a payer may go back to while nothing has ended yet: the site that the merchant named, else the front page of
// where its browsers return to. Never that address itself: who comes there without an outcome may be taken for one.

import type { OrderDetails } from './details.ts';
import type { Order } from './order.ts';

type Links = Pick<OrderDetails, 'siteUrl' | 'redirectUrl' | 'redirectSuccessUrl' | 'redirectFailUrl'>;

export function shopAddressOf(
  { siteUrl, redirectUrl, redirectSuccessUrl, redirectFailUrl }: Links,
  { unsigned }: Pick<Order, 'unsigned'>,
): string | undefined {
  // Of an order that nobody signed only the redirects are checked, so a stranger's site is not linked to.
  const site = unsigned ? undefined : webAddress(siteUrl);
  if (site) return site.href;
  const back = [redirectUrl, redirectFailUrl, redirectSuccessUrl].map(webAddress).find((one) => one !== undefined);
  return back && `${back.origin}/`;
}

/** Undefined when a browser should not be led there. */
function webAddress(text = ''): URL | undefined {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url?.username === '' && url.password === '' ? url : undefined;
}
