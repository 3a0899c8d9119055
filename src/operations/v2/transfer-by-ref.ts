import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { C7, defineOperation } from '../operation.ts';
import { transferByReferenceRequest } from '../transfer-order.ts';

export const transferByRefV2 = defineOperation({
  name: 'TRANSFER_BY_REF_V2',
  path: '/api/v2/transfer-by-ref',
  summary: 'Send money from one stored card to another; signed with a control.',
  schema: 'TransferByRefV2Request',
  isAddition: true,
  auth: C7,
  request: form({
    login: field.login,
    ...field.order,
    // Both are required, because the control covers no other source or destination.
    sourceCardReferenceId: field.payingCardReferenceId,
    destinationCardReferenceId: field.destinationCardReferenceId,
    ipAddress: optional(field.ipAddress),
    ...field.links,
    control: field.controlField,
  }),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => {
    const request = transferByReferenceRequest({ ...values, destinationCardNumber: undefined });
    return acknowledged(await gateway.transfer(request, caller));
  },
});
