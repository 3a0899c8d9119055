import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { C4, defineOperation } from '../operation.ts';
import { rebill, rebillForm } from '../rebill-order.ts';

export const makeRebillSale = defineOperation({
  name: 'REBILL_SALE',
  path: '/api/v2/make-rebill-sale',
  summary: 'Charge a stored card again, as make-rebill does.',
  schema: 'RebillSaleRequest',
  isAddition: true,
  auth: C4,
  request: rebillForm,
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => acknowledged(await rebill('sale', values, caller, gateway)),
});
