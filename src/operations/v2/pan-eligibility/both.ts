import { acknowledged, asyncResponse, orderAgain } from '../../acknowledgement.ts';
import { cardNotExpired, receivingCardChosen, sendingCardChosen } from '../../checks.ts';
import { chosenReceivingCard, chosenSendingCard, eligibilityRequest } from '../../eligibility-order.ts';
import * as field from '../../fields.ts';
import { form } from '../../form.ts';
import { defineOperation, oauth } from '../../operation.ts';

export const panEligibilityBoth = defineOperation({
  name: 'PAN_ELIGIBILITY_BOTH',
  path: '/api/v2/pan-eligibility/both',
  summary: 'Ask whether money can be sent from one card to another.',
  schema: 'PanEligibilityBothRequest',
  auth: oauth('HMAC-SHA1'),
  request: form(
    { ...field.eligibility, ...field.sendingCard, ...field.receivingCard },
    sendingCardChosen,
    cardNotExpired,
    receivingCardChosen,
  ),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => {
    const request = eligibilityRequest(values, {
      sending: chosenSendingCard(values),
      receiving: chosenReceivingCard(values),
    });
    return acknowledged(await gateway.askEligibility(request, caller));
  },
});
