import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { C2, defineOperation } from '../operation.ts';
import { verification, verificationForm } from '../verification-order.ts';

export const accountVerification = defineOperation({
  name: 'ACCOUNT_VERIFICATION',
  path: '/api/v2/account-verification',
  summary: "Check that a payer's card is good without charging it.",
  schema: 'AccountVerificationRequest',
  auth: C2,
  request: verificationForm,
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => acknowledged(await verification(values, caller, gateway)),
});
