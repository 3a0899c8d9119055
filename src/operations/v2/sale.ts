import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { cardOrder, cardOrderFields } from '../card-order.ts';
import { browserComplete, cardNotExpired } from '../checks.ts';
import { form } from '../form.ts';
import { C5, defineOperation } from '../operation.ts';

export const sale = defineOperation({
  name: 'SALE',
  path: '/api/v2/sale',
  summary: "Charge a payer's card at once.",
  schema: 'SaleRequest',
  auth: C5,
  request: form(cardOrderFields, cardNotExpired, browserComplete),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => acknowledged(await gateway.acceptOrder(cardOrder('sale', values), caller)),
});
