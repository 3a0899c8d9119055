// What the form operations ask of the gateway, and how they answer: with the address of the payer's page.

import { Refusal } from '../domain/errors.ts';
import type { FormRequest, OpenedForm } from '../processing/checkout/open-form.ts';
import { acknowledged } from './acknowledgement.ts';
import { detailsOf } from './card-order.ts';
import type { Reply } from './responses.ts';

type FormValues = Parameters<typeof detailsOf>[0] & Pick<FormRequest, 'clientOrderId' | 'amount'>;

export function formRequest(
  purpose: FormRequest['purpose'],
  values: FormValues,
  form: FormRequest['form'] = 'pays',
): FormRequest {
  const { clientOrderId, amount } = values;
  return { purpose, form, clientOrderId, amount, details: detailsOf(values) };
}

export function redirected(opened: OpenedForm | Refusal): Reply | Refusal {
  const reply = acknowledged(opened);
  if (opened instanceof Refusal || reply instanceof Refusal) return reply;
  return { ...reply, 'redirect-url': opened.url };
}
