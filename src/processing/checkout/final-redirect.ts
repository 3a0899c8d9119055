// The last redirect: where the payer's browser is sent, with signed fields that say how the order ended (D-53).

import type { Merchant } from '../../domain/merchant/merchant.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { Transaction } from '../../domain/order/order.ts';
import type { Stage } from '../../domain/order/stages.ts';
import type { OrderView } from '../../storage/store.ts';

export type FinalRedirect = { readonly url: string; readonly fields: readonly (readonly [string, string])[] };

/** Makes the fields, signed with the merchant's key; undefined when the merchant has no valid key. */
export type RedirectFields = (
  told: OrderView & { readonly transaction: Transaction; readonly descriptor: string | undefined },
  merchant: Merchant,
) => FinalRedirect['fields'] | undefined;

/** Undefined when the merchant gave no URL. */
export function finalRedirect(
  view: OrderView,
  transaction: Transaction,
  { merchant, descriptor, fieldsOf }: { merchant: Merchant; descriptor: string; fieldsOf: RedirectFields },
): FinalRedirect | undefined {
  const url = redirectUrlOf(view.details, transaction.stage);
  const fields = url === undefined ? undefined : fieldsOf({ ...view, transaction, descriptor }, merchant);
  return url === undefined || fields === undefined ? undefined : { url, fields };
}

/** A payout that waits for its merchant's confirmation counts as a success for the payee. */
export function redirectUrlOf(details: OrderDetails, stage: Stage): string | undefined {
  const { redirectUrl, redirectSuccessUrl, redirectFailUrl } = details;
  const wentWell = stage === 'approved' || stage === 'waiting';
  return (wentWell ? redirectSuccessUrl : redirectFailUrl) ?? redirectUrl;
}
