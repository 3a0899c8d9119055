// The end of a payer's way: where the browser is sent, and the signed fields it carries there (D-53).

import { createHash } from 'node:crypto';
import { meaningOf } from '../domain/action-codes.ts';
import { errors } from '../domain/errors.ts';
import { isValidAt, type Merchant } from '../domain/merchant.ts';
import { writeAmount } from '../domain/money.ts';
import type { OrderDetails } from '../domain/order/details.ts';
import type { Transaction } from '../domain/order/order.ts';
import { stages } from '../domain/order/stages.ts';
import type { OrderView } from '../storage/store.ts';

export type FinalRedirect = { readonly url: string; readonly fields: Readonly<Record<string, string>> };

/** Undefined when the merchant named no address. */
export function finalRedirect(
  view: OrderView,
  transaction: Transaction,
  { merchant, descriptor, now }: { merchant: Merchant; descriptor: string; now: number },
): FinalRedirect | undefined {
  const { status } = stages[transaction.stage];
  const url = redirectUrlOf(view.details, status);
  const key = merchant.controlKeys.findLast((one) => isValidAt(one, now))?.key;
  if (url === undefined || key === undefined) return undefined;
  const { order, details } = view;
  const orderId = String(order.orderId);
  const card = transaction.type === 'payout' ? view.targetCard : view.card;
  const failure = failureOf(transaction);
  const fields: Record<string, string | undefined> = {
    status,
    orderid: orderId,
    merchant_order: order.clientOrderId,
    client_orderid: order.clientOrderId,
    error_message: failure?.message,
    error_code: failure?.code,
    control: createHash('sha1')
      .update(`${status}${orderId}${order.clientOrderId}${key.reveal()}`, 'utf8')
      .digest('hex'),
    descriptor,
    'processor-tx-id': transaction.answer?.processorTxId,
    amount: writeAmount({ minor: transaction.amount, currency: order.currency }, order.notation),
    currency: order.currency,
    bin: card?.bin,
    type: transaction.type,
    'card-type': card?.brand,
    phone: details.phone ?? details.cellPhone,
    'last-four-digits': card?.lastFour,
    'card-holder-name': card?.holder,
    merchantdata: details.merchantData,
  };
  const known = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { url, fields: Object.fromEntries(known) };
}

function redirectUrlOf(details: OrderDetails, status: string): string | undefined {
  const { redirectUrl, redirectSuccessUrl, redirectFailUrl } = details;
  if (status === 'approved' || status === 'processing') return redirectSuccessUrl ?? redirectUrl;
  return redirectFailUrl ?? redirectUrl;
}

function failureOf({ stage, answer, filterReason }: Transaction): { code: string; message: string } | undefined {
  if (answer?.word === 'declined') return { code: answer.code, message: meaningOf(answer.code) };
  const ours = { expired: 'confirmed-too-late', abandoned: 'payer-too-late', error: 'outcome-unresolved' } as const;
  const name = filterReason ?? (stage in ours ? ours[stage as keyof typeof ours] : undefined);
  if (name === undefined) return undefined;
  const { code, text } = errors[name];
  return { code: String(code), message: text };
}
