// What every promise must have left behind, looked up without the gateway's code: orders, follow-ups, confirmations,
// kept cards and uploads in the database, and a payout that was confirmed at most once in the bank's books.

import type { BookEntry } from '../../src/acquirers/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import type { Query } from '../crash/place.ts';
import { type Acknowledgement, isOfOrder, type OrderAcknowledgement } from './acknowledgements.ts';

/** Every promise without its trace, in words. */
export async function missingTraces(
  query: Query,
  books: readonly BookEntry[],
  promised: readonly Acknowledgement[],
): Promise<string[]> {
  const kept = new Set((await Promise.all(TRACES.map(query))).flat().map(({ trace }) => trace));
  const lost = promised.filter((one) => tracesOf(one).some((trace) => !kept.has(trace)));
  return [
    ...lost.map((one) => `${one.operation} ${nameOf(one)} was acknowledged and is gone`),
    ...paidTwice(books, promised),
  ];
}

const TRACES = [
  `select 'order ' || client_order_id || ' ' || order_id as trace from orders`,
  `select 'request ' || request_serial as trace from transactions`,
  `select 'confirmation ' || order_id as trace from confirmations`,
  `select 'card ' || reference_id as trace from card_references where deleted_at is null`,
  `select 'recurring ' || recurring_payment_id as trace from recurring_payments`,
  // An issuer that forgot its question has an Erro in the place of the CRes.
  `select 'upload ' || order_id || ' ' || replace(line->'message'->>'messageType', 'Erro', 'CRes') as trace
   from authentications, jsonb_array_elements(transcript) as line where line->>'from' = 'merchant'`,
];

function tracesOf(one: Acknowledgement): string[] {
  if (!isOfOrder(one)) return [`${one.operation === 'CREATE_RP_V4' ? 'recurring' : 'card'} ${one.reference}`];
  const { operation, clientOrderId, orderId, serial } = one;
  return [
    `order ${clientOrderId} ${orderId}`,
    ...(serial === undefined ? [] : [`request ${serial}`]),
    ...(operation === 'PAYOUT_V4_PAY' ? [`confirmation ${orderId}`] : []),
    ...(UPLOADED[operation] === undefined ? [] : [`upload ${orderId} ${UPLOADED[operation]}`]),
  ];
}

/** Which message of an authentication is the merchant's. */
const UPLOADED: Partial<Record<OperationName, string>> = {
  TDS_UPLOAD_METHOD_URL_RESULT: 'method-url-result',
  TDS_UPLOAD_CRES_RESULT: 'CRes',
  TDS_UPLOAD_PARES_RESULT: 'PARes',
};

const nameOf = (one: Acknowledgement) => (isOfOrder(one) ? one.clientOrderId : one.reference);

/** However many hands confirmed it, and however many cards were tried. */
function paidTwice(books: readonly BookEntry[], promised: readonly Acknowledgement[]): string[] {
  const confirmed = promised.filter(isOfOrder).filter(({ operation }) => operation === 'PAYOUT_V4_PAY');
  const orders = new Map(confirmed.map((one) => [one.orderId, one]));
  const paid = (orderId: string) =>
    books.filter(({ reference, outcome }) => reference.startsWith(`${orderId}-`) && outcome === 'approved').length;
  return [...orders.values()].flatMap(({ orderId, clientOrderId }: OrderAcknowledgement) =>
    paid(orderId) > 1 ? [`payout ${clientOrderId} was paid ${paid(orderId)} times`] : [],
  );
}
