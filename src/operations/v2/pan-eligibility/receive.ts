import { acknowledged, asyncResponse, orderAgain } from '../../acknowledgement.ts';
import { receivingCardChosen } from '../../checks.ts';
import { chosenReceivingCard, eligibilityRequest } from '../../eligibility-order.ts';
import * as field from '../../fields.ts';
import { form } from '../../form.ts';
import { defineOperation, oauth } from '../../operation.ts';

export const panEligibilityReceive = defineOperation({
  name: 'PAN_ELIGIBILITY_RECEIVE',
  path: '/api/v2/pan-eligibility/receive',
  summary: 'Ask whether money can be sent to a card.',
  schema: 'PanEligibilityReceiveRequest',
  auth: oauth('HMAC-SHA1'),
  request: form({ ...field.eligibility, ...field.receivingCard }, receivingCardChosen),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => {
    const request = eligibilityRequest(values, { receiving: chosenReceivingCard(values) });
    return acknowledged(await gateway.askEligibility(request, caller));
  },
});
