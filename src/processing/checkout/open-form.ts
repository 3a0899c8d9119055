// Opening a hosted form: an order without a card, and the address of the page on which the payer enters one.

import { addressBlock } from '../../domain/address/address-blocks.ts';
import { type Fault, fault, Refusal, refuse } from '../../domain/errors.ts';
import { mayGoTo } from '../../domain/merchant/form-addresses.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { HostedForm } from '../../domain/order/order.ts';
import type { FormStore } from '../../storage/orders/forms.ts';
import { type AcceptParts, acceptOrder } from '../orders/accept-order.ts';
import type { Accepted, OrderRequest } from '../orders/order-request.ts';
import type { Caller } from '../requests/caller.ts';
import { MAX_UNSIGNED_FORMS } from './form-cards.ts';
import type { PayerPages } from './payer-pages.ts';

export type FormRequest = Pick<OrderRequest, 'clientOrderId' | 'amount' | 'details'> & {
  readonly purpose: 'sale' | 'preauth' | 'account-verification' | 'payout';
  readonly form: HostedForm;
};

/** `url`: where the payer's browser is to be sent. */
export type OpenedForm = Accepted & { readonly url: string };

export type OpenFormParts = AcceptParts & { readonly forms: FormStore; readonly payerPages: PayerPages };

export async function openForm(
  parts: OpenFormParts,
  { purpose, ...order }: FormRequest,
  caller: Caller,
): Promise<OpenedForm | Refusal> {
  const refusal = await unsignedRefusal(parts, order.details, caller);
  if (refusal) return refusal;
  const accepted = await acceptOrder(parts, { operation: purpose, type: purpose, ...order }, caller);
  if (accepted instanceof Refusal) return accepted;
  return { ...accepted, url: parts.payerPages.addressOf(accepted.order) };
}

/** Anybody can ask for an unsigned form: it goes only where the merchant says, and nobody gets very many. */
async function unsignedRefusal(
  { clock, forms }: OpenFormParts,
  details: OrderDetails,
  { signed, endpoint, address = '' }: Caller,
): Promise<Refusal | undefined> {
  if (signed || !endpoint) return undefined;
  const asked = await forms.countRequest(endpoint.endpointId, addressBlock(address), clock.now());
  if (asked > MAX_UNSIGNED_FORMS) return refuse('too-many-forms');
  const [first, ...more] = foreignUrls(endpoint, details);
  return first && new Refusal(first, ...more);
}

function foreignUrls(endpoint: Endpoint, details: OrderDetails): Fault[] {
  const given = [
    ['redirect_url', details.redirectUrl],
    ['redirect_success_url', details.redirectSuccessUrl],
    ['redirect_fail_url', details.redirectFailUrl],
    ['server_callback_url', details.serverCallbackUrl],
    ['notify_url', details.notifyUrl],
  ] as const;
  return given.flatMap(([field, url]) =>
    url === undefined || mayGoTo(url, endpoint) ? [] : [fault('address-not-registered', { field })],
  );
}
