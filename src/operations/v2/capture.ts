import { acknowledged, asyncResponse } from '../acknowledgement.ts';
import { captureForm, followUpRequest } from '../follow-up-form.ts';
import { C3, defineOperation } from '../operation.ts';

export const capture = defineOperation({
  name: 'CAPTURE',
  path: '/api/v2/capture',
  summary: 'Take all or part of the amount a preauthorization holds.',
  schema: 'CaptureRequest',
  auth: C3,
  request: captureForm,
  response: asyncResponse,
  handle: async (values, caller, gateway) =>
    acknowledged(await gateway.followUp(followUpRequest('capture', values), caller)),
});
