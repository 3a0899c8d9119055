import { type Money, readAmount } from '../../domain/money/money.ts';
import { acknowledged, asyncResponse } from '../acknowledgement.ts';
import { currencyWithAmount } from '../checks.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { C1, defineOperation } from '../operation.ts';

export const voidPayment = defineOperation({
  name: 'VOID',
  path: '/api/v2/void',
  summary: 'Take back a sale or capture that is not yet in clearing, as if it had not been.',
  schema: 'VoidRequest',
  auth: C1,
  request: form(
    {
      ...field.orderReference,
      // An amount is allowed if it is the whole one; the control does not cover it, so either notation may be meant.
      amount: optional(field.unsignedAmount),
      currency: optional(field.currency),
      comment: optional(field.comment),
    },
    currencyWithAmount,
  ),
  response: asyncResponse,
  handle: async ({ clientOrderId, orderId, amount, currency, comment }, caller, gateway) => {
    const amounts = amount === undefined || currency === undefined ? [] : readings(amount, currency);
    return acknowledged(await gateway.followUp({ kind: 'void', clientOrderId, orderId, amounts, comment }, caller));
  },
});

/** A text that is no amount in either notation reads as zero, which is no order's amount. */
function readings(text: string, currency: string): Money[] {
  const minors = [readAmount(text, currency, 'minor'), readAmount(text, currency, 'major')];
  const readable = minors.filter((minor) => minor !== undefined);
  return (readable.length > 0 ? readable : [0n]).map((minor) => ({ minor, currency }));
}
