import { acknowledged, asyncResponse } from '../../acknowledgement.ts';
import * as field from '../../fields.ts';
import { form, optional } from '../../form.ts';
import { C1, defineOperation } from '../../operation.ts';

export const uploadParesResult = defineOperation({
  name: 'TDS_UPLOAD_PARES_RESULT',
  path: '/api/3ds/v1/upload-pares-result',
  summary: "Hand in the authentication result of 3-D Secure 1 that the issuer sent to the payer's browser.",
  schema: 'TdsPaResResultRequest',
  auth: C1,
  request: form({
    ...field.threeDSecureUpload,
    payerAuthenticationResponse: field.payerAuthenticationResponse,
    merchantData3ds: optional(field.merchantData3ds),
  }),
  response: asyncResponse,
  handle: async ({ clientOrderId, orderId, payerAuthenticationResponse: text, merchantData3ds }, caller, gateway) => {
    const upload = { kind: 'pares', clientOrderId, orderId, text, merchantData: merchantData3ds } as const;
    return acknowledged(await gateway.takeUpload(upload, caller));
  },
});
