// What the form operations ask of the gateway, and how they answer: with the address of the payer's page.

import { Refusal } from '../domain/errors.ts';
import type { Caller } from '../processing/caller.ts';
import type { Gateway } from '../processing/gateway.ts';
import type { FormRequest, OpenedForm } from '../processing/open-form.ts';
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

/** `again` of an operation that opens a form. */
export async function redirectedAgain(
  clientOrderId: string,
  caller: Caller,
  gateway: Gateway,
): Promise<Reply | Refusal | undefined> {
  const earlier = await gateway.earlierOrder(clientOrderId, caller);
  return earlier && redirected(earlier);
}

export function redirected(opened: OpenedForm | Refusal): Reply | Refusal {
  const reply = acknowledged(opened);
  if (opened instanceof Refusal || reply instanceof Refusal) return reply;
  return { ...reply, 'redirect-url': opened.url };
}
