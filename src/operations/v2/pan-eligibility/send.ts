import { acknowledged, asyncResponse, orderAgain } from '../../acknowledgement.ts';
import { cardNotExpired, sendingCardChosen } from '../../checks.ts';
import { chosenSendingCard, eligibilityRequest } from '../../eligibility-order.ts';
import * as field from '../../fields.ts';
import { form } from '../../form.ts';
import { defineOperation, oauth } from '../../operation.ts';

export const panEligibilitySend = defineOperation({
  name: 'PAN_ELIGIBILITY_SEND',
  path: '/api/v2/pan-eligibility/send',
  summary: 'Ask whether money can be sent from a card.',
  schema: 'PanEligibilitySendRequest',
  auth: oauth('HMAC-SHA1'),
  request: form({ ...field.eligibility, ...field.sendingCard }, sendingCardChosen, cardNotExpired),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => {
    const request = eligibilityRequest(values, { sending: chosenSendingCard(values) });
    return acknowledged(await gateway.askEligibility(request, caller));
  },
});
