import { Refusal } from '../../../domain/errors.ts';
import { C2, defineOperation } from '../../operation.ts';
import { statusReply, statusResponse } from '../../status-reply.ts';
import { verification, verificationForm } from '../../verification-order.ts';

export const syncAccountVerification = defineOperation({
  name: 'SYNC_ACCOUNT_VERIFICATION',
  path: '/api/v2/sync/account-verification',
  summary:
    "Check that a payer's card is good and get the outcome at once; `processing` if it takes more than 15 seconds or the payer is needed.",
  schema: 'SyncAccountVerificationRequest',
  isAddition: true,
  auth: C2,
  request: verificationForm,
  response: statusResponse,
  again: async (clientOrderId, caller, gateway) => {
    const earlier = await gateway.earlierOrder(clientOrderId, caller);
    return earlier && statusReply(await gateway.statusInTime(earlier), undefined);
  },
  handle: async (values, caller, gateway) => {
    const accepted = await verification(values, caller, gateway);
    return accepted instanceof Refusal ? accepted : statusReply(await gateway.statusInTime(accepted), undefined);
  },
});
