// What the form operations ask of the gateway; they reply with the URL of the payer's page.

import { Refusal } from '../domain/errors.ts';
import type { FormRequest, OpenedForm } from '../processing/checkout/open-form.ts';
import { acknowledged, asyncResponse } from './acknowledgement.ts';
import { detailsOf } from './card-order.ts';
import { type Reply, reply, response } from './response.ts';

export const checkoutFormRedirect = response('AsyncCheckoutFormRedirect', 'async-form-response', {
  ...asyncResponse.fields,
  'redirect-url': "Where to send the payer's browser: the page that asks for the card.",
});

type FormValues = Parameters<typeof detailsOf>[0] & Pick<FormRequest, 'clientOrderId' | 'amount'>;

export function formRequest(
  purpose: FormRequest['purpose'],
  values: FormValues,
  form: FormRequest['form'] = 'pays',
): FormRequest {
  const { clientOrderId, amount } = values;
  return { purpose, form, clientOrderId, amount, details: detailsOf(values) };
}

export function redirected(opened: OpenedForm | Refusal): Reply<typeof checkoutFormRedirect> | Refusal {
  const taken = acknowledged(opened);
  if (opened instanceof Refusal || taken instanceof Refusal) return taken as Refusal;
  return reply(checkoutFormRedirect, { ...taken, 'redirect-url': opened.url });
}
