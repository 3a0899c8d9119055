// Refunds: how they read, how ours is found among those of a payment, and how a whole payment is given back.

import type { Approval, Decline, Pending, ReversalAnswer, Trace, Unknown } from '../acquirer.ts';
import { failedRefundCode } from './decline-codes.ts';
import { refusalOf, retrievalNumber, shortCode, unclear, unknown } from './judgement.ts';
import type { Talk } from './stripe-line.ts';
import { listAt, type StripeObject, textAt } from './stripe-object.ts';

const REFUNDS = '/v1/refunds';
const MOST_LISTED = 100;

export function judgeRefund(refund: StripeObject, trace: Trace): Approval | Decline | Pending | Unknown {
  const id = textAt(refund, 'id');
  if (textAt(refund, 'object') !== 'refund' || id === undefined) {
    return { ...unknown('Stripe answered with something that is no refund'), fault: 'unreadable' };
  }
  switch (textAt(refund, 'status')) {
    case 'succeeded':
      return { word: 'approved', approvalCode: shortCode(id), rrn: retrievalNumber(trace), processorTxId: id };
    case 'pending':
    case 'requires_action':
      return { word: 'pending' };
    case 'failed':
    case 'canceled':
      return { word: 'declined', code: failedRefundCode(refund), processorTxId: id };
    default:
      return unknown(`${id} has a status that is not known`);
  }
}

/** The refund of this payment that we made under this reference; `not-found` when the payment has none. */
export async function findRefund(
  talk: Talk,
  payment: string,
  { reference, trace }: { readonly reference: string; readonly trace: Trace },
): Promise<ReturnType<typeof judgeRefund> | { readonly word: 'not-found' }> {
  const fields = { payment_intent: payment, limit: MOST_LISTED };
  const heard = await talk({ method: 'GET', path: REFUNDS, fields });
  if (!heard.heard || refusalOf(heard) || textAt(heard.body, 'object') !== 'list') return unclear(heard);
  const ours = listAt(heard.body, 'data').find((one) => textAt(one, 'metadata', 'reference') === reference);
  if (ours) return judgeRefund(ours, trace);
  return heard.body.has_more === false ? { word: 'not-found' } : unknown('the payment has too many refunds to list');
}

/**
 * Gives back whatever is left of a payment. Without a key: Stripe never gives back more than was paid, and says so when
 * it is asked a second time.
 */
export async function refundWhole(talk: Talk, payment: string, reference: string): Promise<ReversalAnswer> {
  const fields = { payment_intent: payment, metadata: { reversal: reference } };
  const heard = await talk({ method: 'POST', path: REFUNDS, fields });
  if (!heard.heard) return unclear(heard);
  if (refusalOf(heard)?.code === 'charge_already_refunded') return { word: 'reversed' };
  const isTaken = /^(succeeded|pending|requires_action)$/.test(textAt(heard.body, 'status') ?? '');
  return heard.status === 200 && isTaken ? { word: 'reversed' } : unclear(heard);
}
