import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { C4, defineOperation } from '../operation.ts';
import { rebill, rebillForm } from '../rebill-order.ts';

export const makeRebillPreauth = defineOperation({
  name: 'REBILL_PREAUTH',
  path: '/api/v2/make-rebill-preauth',
  summary: 'Hold money on a stored card, to capture it later.',
  schema: 'RebillPreauthRequest',
  isAddition: true,
  auth: C4,
  request: rebillForm,
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => acknowledged(await rebill('preauth', values, caller, gateway)),
});
