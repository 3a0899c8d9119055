// The status reply: everything that is known of an order and of the transaction asked about.

import type { CardEligibility, Eligibility } from '../domain/acquirer/acquirer-answer.ts';
import { type Money, writeAmount } from '../domain/money/money.ts';
import { failureOf } from '../domain/order/failure.ts';
import type { Order, Transaction } from '../domain/order/order.ts';
import { stages } from '../domain/order/stages.ts';
import type { Status } from '../processing/gateway.ts';
import { uniqueCardId } from './card-reference-reply.ts';
import type { Reply } from './responses.ts';
import { payerFields } from './three-d-secure-reply.ts';

export function statusReply(status: Status, bySerial: string | undefined): Reply {
  const { order, transaction, details, receiptId } = status;
  // The one card of a payout is the payee's.
  const [card, payee] = order.operation === 'payout' ? [status.targetCard] : [status.card, status.targetCard];
  const { answer } = transaction;
  const approval = answer?.word === 'approved' ? answer : undefined;
  const name = [details.firstName, details.lastName].filter(Boolean).join(' ');
  return {
    'merchant-order-id': order.clientOrderId,
    'paynet-order-id': String(order.orderId),
    'end-point-id': String(order.endpointId),
    status: stages[transaction.stage].status,
    'transaction-type': transaction.type,
    'order-stage': orderStage(transaction),
    amount: written(order, transaction.amount),
    'initial-amount': written(order, order.amount),
    currency: order.currency,
    descriptor: status.descriptor,
    'original-gate-descriptor': status.descriptor,
    'gate-partial-reversal': 'enabled',
    'gate-partial-capture': 'enabled',
    name: card?.holder ?? name,
    'cardholder-name': card?.holder,
    'card-exp-month': card?.expireMonth?.toString().padStart(2, '0'),
    'card-exp-year': card?.expireYear?.toString(),
    email: details.email,
    phone: details.phone ?? details.cellPhone,
    'first-name': details.firstName,
    'last-name': details.lastName,
    bin: card?.bin,
    'last-four-digits': card?.lastFour,
    'card-type': card?.brand,
    'card-hash-id': card && uniqueCardId(card),
    'card-ref-id': status.cardReferenceId === undefined ? undefined : String(status.cardReferenceId),
    'approval-code': approval?.approvalCode,
    'processor-rrn': answer?.rrn,
    'processor-tx-id': answer?.processorTxId,
    'terminal-id': approval?.terminalId,
    'receipt-id': receiptId,
    'paynet-processing-date': processingDate(transaction.changedAt),
    'verified-3d-status': status.authenticated?.verified ?? 'UNKNOWN',
    eci: status.authenticated?.eci,
    ...payerFields(status.payer),
    'by-request-sn': bySerial ?? transaction.requestSerial,
    'dest-bin': payee?.bin,
    'dest-last-four-digits': payee?.lastFour,
    'dest-card-type': payee?.brand,
    'destination-card-ref-id': details.payeeCardReference,
    'dest-account-number': details.payeeAccount,
    ...eligibilityFields('sending', approval?.eligibility?.sending),
    ...eligibilityFields('receiving', approval?.eligibility?.receiving),
    ...failure(transaction),
  };
}

/** `sale_3d_validating` while the payer proves to be the cardholder. */
function orderStage({ type, stage }: Transaction): string {
  return `${type}_${stage === 'authenticating' ? '3d_validating' : stages[stage].status}`;
}

function written(order: Order, minor: bigint): string {
  return writeAmount({ minor, currency: order.currency } satisfies Money, order.notation);
}

function eligibilityFields(side: keyof Eligibility, card: CardEligibility | undefined): Record<string, string> {
  if (!card) return {};
  const { eligible, network, product, country, issuer } = card;
  return {
    [`${side}-eligible`]: String(eligible),
    [`${side}-network`]: network,
    [`${side}-product`]: product,
    [`${side}-country`]: country,
    [`${side}-issuer`]: issuer,
  };
}

function failure(transaction: Transaction): Record<string, string> {
  const failed = failureOf(transaction);
  return failed ? { 'error-code': failed.code, 'error-message': failed.message } : {};
}

/** As in `2026-03-20 08:51:03 UTC`. */
function processingDate(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
