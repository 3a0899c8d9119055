import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { detailsOf, typedCard } from '../card-order.ts';
import { browserComplete, cardNotExpired } from '../checks.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { C2, defineOperation } from '../operation.ts';

export const accountVerification = defineOperation({
  name: 'ACCOUNT_VERIFICATION',
  path: '/api/v2/account-verification',
  summary: "Check that a payer's card is good without charging it.",
  schema: 'AccountVerificationRequest',
  auth: C2,
  request: form(
    {
      clientOrderId: field.clientOrderId,
      orderDescription: optional(field.orderDescription),
      currency: optional(field.verificationCurrency),
      ...field.payer,
      ...field.card,
      ...field.links,
      control: field.controlField,
    },
    cardNotExpired,
    browserComplete,
  ),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => {
    const { clientOrderId, currency } = values;
    const request = { clientOrderId, currency, card: { typed: typedCard(values) }, details: detailsOf(values) };
    return acknowledged(await gateway.verifyAccount(request, caller));
  },
});
