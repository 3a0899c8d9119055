import { orderAgain } from '../acknowledgement.ts';
import { checkoutFormRedirect, formRequest, redirected } from '../checkout-form.ts';
import { browserComplete } from '../checks.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { C2, defineOperation } from '../operation.ts';

export const accountVerificationForm = defineOperation({
  name: 'ACCOUNT_VERIFICATION_FORM',
  path: '/api/v2/account-verification-form',
  summary: 'Get a page on which the payer enters a card, to check that it is good without charging it.',
  schema: 'AccountVerificationFormRequest',
  auth: C2,
  request: form(
    {
      clientOrderId: field.clientOrderId,
      orderDescription: optional(field.orderDescription),
      currency: optional(field.verificationCurrency),
      ...field.payer,
      ...field.links,
      control: field.controlField,
    },
    browserComplete,
  ),
  response: checkoutFormRedirect,
  again: orderAgain(redirected),
  handle: async (values, caller, gateway) => {
    const amount = { minor: 0n, currency: values.currency ?? caller.endpoint?.currency ?? '' };
    return redirected(await gateway.openForm(formRequest('account-verification', { ...values, amount }), caller));
  },
});
