import { orderAgain } from '../acknowledgement.ts';
import { checkoutFormRedirect, formRequest, redirected } from '../checkout-form.ts';
import { browserComplete } from '../checks.ts';
import * as field from '../fields.ts';
import { allOptional, form, optional } from '../form.ts';
import { C5, defineOperation, open } from '../operation.ts';

export const paymentForm = defineOperation({
  name: 'PAYMENTFORM',
  path: '/api/v2/payment-form',
  summary: 'Get a page on which the payer enters whatever is missing, and pays.',
  schema: 'PaymentFormRequest',
  auth: open(C5),
  request: form(
    {
      ...field.order,
      ...allOptional(field.payer),
      ...field.links,
      transactionType: optional(field.transactionType),
      control: optional(field.controlField),
    },
    browserComplete,
  ),
  response: checkoutFormRedirect,
  asksPayer: true,
  again: orderAgain(redirected),
  handle: async (values, caller, gateway) =>
    redirected(await gateway.openForm(formRequest(values.transactionType ?? 'sale', values), caller)),
});
