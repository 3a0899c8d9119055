// Links to what has a page here, for those who may open it.

import { html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';

/** Who may list orders and not look at one sees its number alone. */
export function orderLink(visit: Visit, orderId: number | null): Piece {
  if (orderId === null) return undefined;
  return visit.may('showOrder') ? html`<a href="/console/orders/${orderId}">${orderId}</a>` : String(orderId);
}

export const merchantLink = ({ login }: { readonly login: string | null }): Piece =>
  login !== null && html`<a href="/console/merchants/${encodeURIComponent(login)}">${login}</a>`;

export const endpointLink = ({ endpointId }: { readonly endpointId: number }) =>
  html`<a href="/console/endpoints/${endpointId}">${endpointId}</a>`;

export const terminalLink = (name: string) =>
  html`<a href="/console/terminals/${encodeURIComponent(name)}">${name}</a>`;
