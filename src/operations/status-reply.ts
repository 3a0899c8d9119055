// The status reply: everything that is known of an order and of the transaction asked about. A field is documented and
// filled in this file.

import type { Eligibility } from '../domain/acquirer/acquirer-answer.ts';
import { Refusal } from '../domain/errors.ts';
import { type Money, writeAmount } from '../domain/money/money.ts';
import { failureOf } from '../domain/order/failure.ts';
import type { Order, Transaction } from '../domain/order/order.ts';
import { stages } from '../domain/order/stages.ts';
import type { Gateway, Status } from '../processing/gateway.ts';
import type { Caller } from '../processing/requests/caller.ts';
import { orderIds } from './acknowledgement.ts';
import { uniqueCardId } from './card-reference-reply.ts';
import { type NamesInAny, type Reply, reply, response, whenKnown } from './response.ts';
import { payerDocumented, payerFields } from './three-d-secure-reply.ts';

/** What a part of the reply documents: every field that it sends, and no other. */
type Documented<Part extends (...given: never) => unknown> = Readonly<Record<NamesInAny<ReturnType<Part>>, string>>;

const eligibilityDocumented: Documented<typeof eligibilityFields> = {
  'sending-eligible': 'Eligibility: `true` when money can be sent from the sending card, else `false`.',
  'sending-network': 'Eligibility: the network of the sending card.',
  'sending-product': 'Eligibility: what kind of card the sending one is, such as `DEBIT`, `CREDIT` or `PREPAID`.',
  'sending-country': "Eligibility: the country of the sending card's issuer, ISO 3166-1 alpha-3.",
  'sending-issuer': "Eligibility: the sending card's issuer.",
  'receiving-eligible': 'Eligibility: `true` when money can be sent to the receiving card, else `false`.',
  'receiving-network': 'Eligibility: the network of the receiving card.',
  'receiving-product': 'Eligibility: what kind of card the receiving one is, such as `DEBIT`, `CREDIT` or `PREPAID`.',
  'receiving-country': "Eligibility: the country of the receiving card's issuer, ISO 3166-1 alpha-3.",
  'receiving-issuer': "Eligibility: the receiving card's issuer.",
};

const failureDocumented: Documented<typeof failure> = {
  'error-code': 'Why the transaction did not succeed: the ISO 8583:1993 action code of a decline, or an error code.',
  'error-message': 'The same in words.',
};

export const statusResponse = response('StatusResponse', 'status-response', {
  ...orderIds,
  'end-point-id': 'The endpoint the order runs on.',
  status:
    '`processing`, `unknown` or `chain_declined` while open; `approved`, `declined`, `filtered` or `error` at the end.',
  'transaction-type':
    'What the reported transaction does: `sale`, `preauth`, `capture`, `cancel`, `void`, `reversal`, `account-verification`, `payout`, `transfer`, `pan-eligibility` or `chargeback`.',
  'order-stage': 'Transaction and stage in one word, such as `sale_approved` or `sale_3d_validating`.',
  amount: 'The amount as it stands, in the notation the order was created with.',
  'initial-amount': 'The amount the order was created with.',
  ...whenKnown({
    'amount-signed': '`no` of an order that nobody signed: anybody may have chosen its amount and its id.',
  }),
  currency: 'The currency of the amounts, ISO 4217.',
  descriptor: "The text on the payer's statement.",
  'original-gate-descriptor': 'The text the acquirer has on file for the endpoint.',
  'gate-partial-reversal': '`enabled` when part of the amount can be returned, else `disabled`.',
  'gate-partial-capture': '`enabled` when part of a held amount can be captured, else `disabled`.',
  name: 'The name printed on the card.',
  'cardholder-name': 'The name printed on the card.',
  'card-exp-month': 'The month the card expires.',
  'card-exp-year': 'The year the card expires, four digits.',
  email: "The payer's e-mail address.",
  phone: "The payer's telephone number.",
  'first-name': "The payer's first name.",
  'last-name': "The payer's last name.",
  bin: 'The first six digits of the card number.',
  'last-four-digits': 'The last four digits of the card number.',
  'card-type': 'The brand: VISA, MASTERCARD, AMEX …',
  'bank-name': 'The bank that issued the card, where the table of issuers knows it.',
  'card-country-alpha-three-code': 'The country of that bank, ISO 3166-1 alpha-3.',
  'card-hash-id': 'The same for every order paid with this card number.',
  'card-ref-id': 'The reference of the card, once it is stored.',
  'approval-code': "The issuer's approval code.",
  'processor-rrn': "The acquirer's retrieval reference number.",
  'processor-tx-id': "The acquirer's id of the transaction.",
  'terminal-id': "The acquirer's terminal.",
  'receipt-id': 'Names the receipt page of the order: `{base}/view-receipt/<end-point-id>/<receipt-id>/`.',
  'paynet-processing-date': 'When the transaction was processed.',
  'by-request-sn': 'The serial-number of the request that made the transaction, or of the one asked for.',
  'verified-3d-status':
    'The outcome of 3-D Secure: `AUTHENTICATED`, `NOT_AUTHENTICATED`, `UNSUPPORTED` or `UNKNOWN` (not performed).',
  eci: 'The electronic commerce indicator of the authentication.',
  ...whenKnown(payerDocumented),
  'dest-bin': 'Transfers and eligibility: the first six digits of the receiving card.',
  'dest-last-four-digits': 'Transfers and eligibility: the last four digits of the receiving card.',
  'dest-bank-name': 'Transfers and eligibility: the bank that issued the receiving card, where it is known.',
  'dest-card-type': 'Transfers and eligibility: the brand of the receiving card.',
  'destination-card-ref-id': 'Transfers: the receiving card when it is a stored one.',
  'dest-account-number': 'Payouts to a bank account: its number, masked but for the end.',
  ...whenKnown(eligibilityDocumented),
  ...whenKnown(failureDocumented),
});
export function statusReply(status: Status, bySerial: string | undefined): Reply<typeof statusResponse> {
  const { order, transaction, details, receiptId } = status;
  // The only card of a payout is the payee's.
  const isPayout = order.operation === 'payout';
  const [card, payee] = isPayout ? [status.targetCard] : [status.card, status.targetCard];
  const issuer = isPayout ? status.targetIssuer : status.issuer;
  const { answer } = transaction;
  const approval = answer?.word === 'approved' ? answer : undefined;
  const name = [details.firstName, details.lastName].filter(Boolean).join(' ');
  return reply(statusResponse, {
    'merchant-order-id': order.clientOrderId,
    'paynet-order-id': String(order.orderId),
    'end-point-id': String(order.endpointId),
    status: stages[transaction.stage].status,
    'transaction-type': transaction.type,
    'order-stage': orderStage(transaction),
    amount: written(order, transaction.amount),
    'initial-amount': written(order, order.amount),
    ...(order.unsigned && { 'amount-signed': 'no' }),
    currency: order.currency,
    descriptor: status.descriptor,
    'original-gate-descriptor': status.descriptor,
    'gate-partial-reversal': status.partial.includes('refund') ? 'enabled' : 'disabled',
    'gate-partial-capture': status.partial.includes('capture') ? 'enabled' : 'disabled',
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
    'bank-name': issuer?.bank,
    'card-country-alpha-three-code': issuer?.country,
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
    ...(status.payer && payerFields(status.payer)),
    'by-request-sn': bySerial ?? transaction.requestSerial,
    'dest-bin': payee?.bin,
    'dest-last-four-digits': payee?.lastFour,
    'dest-bank-name': payee && status.targetIssuer?.bank,
    'dest-card-type': payee?.brand,
    'destination-card-ref-id': details.payeeCardReference,
    'dest-account-number': details.payeeAccount,
    ...(approval?.eligibility && eligibilityFields(approval.eligibility)),
    ...failure(transaction),
  });
}

/** What an operation that asks for a status does. */
export async function askedStatus(
  { clientOrderId, orderId, requestSerialNumber: bySerial }: StatusValues,
  caller: Caller,
  gateway: Gateway,
): Promise<Reply<typeof statusResponse> | Refusal> {
  const status = await gateway.findStatus({ clientOrderId, orderId, bySerial }, caller);
  return status instanceof Refusal ? status : statusReply(status, bySerial);
}

type StatusValues = {
  readonly clientOrderId: string;
  readonly orderId: number | undefined;
  readonly requestSerialNumber: string | undefined;
};

/** `sale_3d_validating` while the payer proves to be the cardholder, to the issuer or at an address of the bank. */
function orderStage({ type, stage }: Transaction): string {
  const isValidating = stage === 'authenticating' || stage === 'challenged';
  return `${type}_${isValidating ? '3d_validating' : stages[stage].status}`;
}

function written(order: Order, minor: bigint): string {
  return writeAmount({ minor, currency: order.currency } satisfies Money, order.notation);
}

function eligibilityFields({ sending, receiving }: Eligibility) {
  return {
    'sending-eligible': sending?.eligible.toString(),
    'sending-network': sending?.network,
    'sending-product': sending?.product,
    'sending-country': sending?.country,
    'sending-issuer': sending?.issuer,
    'receiving-eligible': receiving?.eligible.toString(),
    'receiving-network': receiving?.network,
    'receiving-product': receiving?.product,
    'receiving-country': receiving?.country,
    'receiving-issuer': receiving?.issuer,
  };
}

function failure(transaction: Transaction) {
  const failed = failureOf(transaction);
  return failed && { 'error-code': failed.code, 'error-message': failed.message };
}

/** As in `2026-03-20 08:51:03 UTC`. */
function processingDate(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
