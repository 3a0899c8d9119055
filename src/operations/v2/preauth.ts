import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { cardOrder, cardOrderFields } from '../card-order.ts';
import { browserComplete, cardNotExpired } from '../checks.ts';
import { form } from '../form.ts';
import { C5, defineOperation } from '../operation.ts';

export const preauth = defineOperation({
  name: 'PREAUTH',
  path: '/api/v2/preauth',
  summary: "Hold an amount on a payer's card, to be captured or released later.",
  schema: 'AuthRequest',
  auth: C5,
  request: form(cardOrderFields, cardNotExpired, browserComplete),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) =>
    acknowledged(await gateway.acceptOrder(cardOrder('preauth', values), caller)),
});
