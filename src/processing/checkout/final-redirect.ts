// The end of a payer's way: where the browser is sent, carrying signed fields that tell how the order ended (D-53).

import type { Merchant } from '../../domain/merchant/merchant.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { Transaction } from '../../domain/order/order.ts';
import type { Stage } from '../../domain/order/stages.ts';
import type { OrderView } from '../../storage/store.ts';

export type FinalRedirect = { readonly url: string; readonly fields: readonly (readonly [string, string])[] };

/** The fields, signed with the merchant's key; undefined when it has none that is valid. */
export type RedirectFields = (
  told: OrderView & { readonly transaction: Transaction; readonly descriptor: string | undefined },
  merchant: Merchant,
) => FinalRedirect['fields'] | undefined;

/** Undefined when the merchant named no address. */
export function finalRedirect(
  view: OrderView,
  transaction: Transaction,
  { merchant, descriptor, fieldsOf }: { merchant: Merchant; descriptor: string; fieldsOf: RedirectFields },
): FinalRedirect | undefined {
  const url = redirectUrlOf(view.details, transaction.stage);
  const fields = url === undefined ? undefined : fieldsOf({ ...view, transaction, descriptor }, merchant);
  return url === undefined || fields === undefined ? undefined : { url, fields };
}

/** A payout that waits for its merchant's word has gone as well as it can for now. */
function redirectUrlOf(details: OrderDetails, stage: Stage): string | undefined {
  const { redirectUrl, redirectSuccessUrl, redirectFailUrl } = details;
  const wentWell = stage === 'approved' || stage === 'waiting';
  return (wentWell ? redirectSuccessUrl : redirectFailUrl) ?? redirectUrl;
}
