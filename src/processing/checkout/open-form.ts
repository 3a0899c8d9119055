// Opening a hosted form: an order without a card, and the address of the page on which the payer enters one.

import { fault, Refusal, refuse } from '../../domain/errors.ts';
import type { HostedForm } from '../../domain/order/order.ts';
import type { FormStore } from '../../storage/orders/forms.ts';
import { type AcceptParts, acceptOrder } from '../orders/accept-order.ts';
import type { Accepted, OrderRequest } from '../orders/order-request.ts';
import type { Caller } from '../requests/caller.ts';
import type { PayerPages } from './payer-pages.ts';

export type FormRequest = Pick<OrderRequest, 'clientOrderId' | 'amount' | 'details'> & {
  readonly purpose: 'sale' | 'preauth' | 'account-verification' | 'payout';
  readonly form: HostedForm;
};

/** `url`: where the payer's browser is to be sent. */
export type OpenedForm = Accepted & { readonly url: string };

/** How many unsigned forms one internet address may ask an endpoint for in a minute. */
export const MAX_UNSIGNED_FORMS = 60;

export type OpenFormParts = AcceptParts & { readonly forms: FormStore; readonly payerPages: PayerPages };

export async function openForm(
  parts: OpenFormParts,
  { purpose, ...order }: FormRequest,
  caller: Caller,
): Promise<OpenedForm | Refusal> {
  const refusal = await unsignedRefusal(parts, purpose, caller);
  if (refusal) return refusal;
  const accepted = await acceptOrder(parts, { operation: purpose, type: purpose, ...order }, caller);
  if (accepted instanceof Refusal) return accepted;
  return { ...accepted, url: parts.payerPages.addressOf(accepted.order) };
}

/** Anybody can ask for an unsigned form: an endpoint may forbid it, and nobody gets very many. */
async function unsignedRefusal(
  { clock, forms }: OpenFormParts,
  purpose: FormRequest['purpose'],
  { signed, endpoint, address = '' }: Caller,
): Promise<Refusal | undefined> {
  if (signed || !endpoint) return undefined;
  if (endpoint.signedForms) return signatureMissing(purpose);
  const asked = await forms.countRequest(endpoint.endpointId, address, clock.now());
  return asked > MAX_UNSIGNED_FORMS ? refuse('too-many-forms') : undefined;
}

/** Payouts are signed with OAuth, payments with a control. */
function signatureMissing(purpose: FormRequest['purpose']): Refusal {
  if (purpose === 'payout')
    return refuse('authorization-malformed', { hint: 'this end point takes signed forms only' });
  return new Refusal(
    fault('invalid-control-code', { field: 'control' }),
    fault('parameter-required', { field: 'control' }),
  );
}
