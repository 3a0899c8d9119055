import { orderAgain } from '../acknowledgement.ts';
import { checkoutFormRedirect, formRequest, redirected } from '../checkout-form.ts';
import * as field from '../fields.ts';
import { form } from '../form.ts';
import { defineOperation, oauth, open } from '../operation.ts';

export const payoutForm = defineOperation({
  name: 'PAYOUTFORM',
  path: '/api/v2/payout-form',
  summary: 'Get a page on which the payee enters the card that is to be paid to.',
  schema: 'PayoutFormRequest',
  auth: open(oauth('either')),
  request: form({ ...field.order, ...field.links }),
  response: checkoutFormRedirect,
  again: orderAgain(redirected),
  handle: async (values, caller, gateway) =>
    redirected(await gateway.openForm(formRequest('payout', values, caller.signed ? 'pays' : 'waits'), caller)),
});
