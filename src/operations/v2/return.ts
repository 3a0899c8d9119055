import { acknowledged, asyncResponse } from '../acknowledgement.ts';
import { returnForm, returnRequest } from '../follow-up-form.ts';
import { C3, defineOperation } from '../operation.ts';

export const returnPayment = defineOperation({
  name: 'RETURN',
  path: '/api/v2/return',
  summary: 'Give all or part of a payment back, or release what a preauthorization holds.',
  schema: 'ReturnRequest',
  auth: C3,
  request: returnForm,
  response: asyncResponse,
  repeatsByBody: true,
  handle: async (values, caller, gateway) => acknowledged(await gateway.followUp(returnRequest(values), caller)),
});
