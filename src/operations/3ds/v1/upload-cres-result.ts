import { acknowledged, asyncResponse } from '../../acknowledgement.ts';
import * as field from '../../fields.ts';
import { form } from '../../form.ts';
import { C1, defineOperation } from '../../operation.ts';

export const uploadCresResult = defineOperation({
  name: 'TDS_UPLOAD_CRES_RESULT',
  path: '/api/3ds/v1/upload-cres-result',
  summary: "Hand in the challenge result that the issuer sent to the payer's browser.",
  schema: 'TdsCResResultRequest',
  auth: C1,
  request: form({ ...field.threeDSecureUpload, challengeResponse: field.challengeResponse }),
  response: asyncResponse,
  handle: async ({ clientOrderId, orderId, challengeResponse: text }, caller, gateway) =>
    acknowledged(await gateway.takeUpload({ kind: 'cres', clientOrderId, orderId, text }, caller)),
});
