import { orderAgain } from '../acknowledgement.ts';
import { checkoutFormRedirect, formRequest, redirected } from '../checkout-form.ts';
import { browserComplete } from '../checks.ts';
import * as field from '../fields.ts';
import { form } from '../form.ts';
import { C5, defineOperation } from '../operation.ts';

export const preauthForm = defineOperation({
  name: 'PREAUTHFORM',
  path: '/api/v2/preauth-form',
  summary: 'Get a page on which the payer enters a card, to hold an amount on it.',
  schema: 'AuthFormRequest',
  auth: C5,
  request: form({ ...field.order, ...field.payer, ...field.links, control: field.controlField }, browserComplete),
  response: checkoutFormRedirect,
  again: orderAgain(redirected),
  handle: async (values, caller, gateway) => redirected(await gateway.openForm(formRequest('preauth', values), caller)),
});
