import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { cardOrder, unsignedCardOrderFields } from '../card-order.ts';
import { browserComplete, cardNotExpired } from '../checks.ts';
import { form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';

export const saleV4 = defineOperation({
  name: 'SALE_V4',
  path: '/api/v4/sale',
  summary: "Charge a payer's card at once; signed with the merchant's private key.",
  schema: 'SaleV4Request',
  isAddition: true,
  auth: oauth('RSA-SHA256'),
  request: form(unsignedCardOrderFields, cardNotExpired, browserComplete),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => acknowledged(await gateway.acceptOrder(cardOrder('sale', values), caller)),
});
