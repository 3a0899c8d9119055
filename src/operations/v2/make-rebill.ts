import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { detailsOf } from '../card-order.ts';
import { alternativesWithinAmount } from '../checks.ts';
import * as field from '../fields.ts';
import { allOptional, form } from '../form.ts';
import { C4, defineOperation } from '../operation.ts';

export const makeRebill = defineOperation({
  name: 'REBILL',
  path: '/api/v2/make-rebill',
  summary: 'Charge a stored card again.',
  schema: 'RebillRequest',
  auth: C4,
  request: form(
    {
      login: field.login,
      cardReferenceId: field.cardReferenceId,
      ...field.order,
      ...allOptional({
        ipAddress: field.ipAddress,
        cvv2: field.cvv2,
        comment: field.comment,
        recurrentScenario: field.recurrentScenario,
        enumerateAmounts: field.enumerateAmounts,
      }),
      ...field.links,
      control: field.controlField,
    },
    alternativesWithinAmount,
  ),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => {
    const { clientOrderId, amount, cardReferenceId, cvv2, enumerateAmounts = [], comment, recurrentScenario } = values;
    const request = {
      operation: 'rebill',
      type: 'sale',
      clientOrderId,
      amount,
      alternatives: enumerateAmounts.map(({ minor }) => minor),
      reference: cardReferenceId,
      cvv: cvv2,
      details: { ...detailsOf(values), comment, recurrentScenario },
    } as const;
    return acknowledged(await gateway.rebill(request, caller));
  },
});
