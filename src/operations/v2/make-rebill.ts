import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { C4, defineOperation } from '../operation.ts';
import { rebill, rebillForm } from '../rebill-order.ts';

export const makeRebill = defineOperation({
  name: 'REBILL',
  path: '/api/v2/make-rebill',
  summary: 'Charge a stored card again.',
  schema: 'RebillRequest',
  auth: C4,
  request: rebillForm,
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => acknowledged(await rebill('sale', values, caller, gateway)),
});
