// What a merchant is told about a transaction that ended: the parameters of a callback and the fields of the final
// redirect, made of the same values. Every name is always there, except `amount-signed`; an unknown value is empty.

import { writeAmount } from '../domain/money/money.ts';
import { failureOf } from '../domain/order/failure.ts';
import { purposeOf, type Transaction } from '../domain/order/order.ts';
import { stages } from '../domain/order/stages.ts';
import type { Secret } from '../domain/secret.ts';
import { callbackControl } from '../signing/callback.ts';
import type { OrderView } from '../storage/store.ts';

/** What follow-ups of an order may be of a part of its amount, by the terminal that has its money. */
export type PartialAt = (terminal: string) => readonly ('capture' | 'cancel' | 'refund')[];

/** A transaction with its order, and how the endpoint is named on card statements. */
export type ToldTransaction = OrderView & {
  readonly transaction: Transaction;
  readonly descriptor: string | undefined;
};

/** The parameters of a callback in the order they are sent, with their meaning. */
export const callbackParameters = {
  status: 'How the transaction ended: `approved`, `declined`, `filtered` or `error`.',
  merchant_order: 'The same as `client_orderid`.',
  client_orderid: "The merchant's own order id, as sent.",
  orderid: 'The order id given by the service.',
  type: 'What the transaction does: `sale`, `preauth`, `capture`, `cancel`, `reversal`, `void`, `payout`, `transfer` …',
  amount: 'The amount of this transaction, in the notation the order was created with.',
  currency: 'The currency of the amount, ISO 4217.',
  descriptor: "The text on the payer's statement.",
  error_code: 'Why the transaction did not succeed: the action code of a decline (100 and above), or an error code.',
  error_message: 'The same in words.',
  name: "The name printed on the card, or else the payer's first and last name.",
  'card-holder-name': 'The name printed on the card.',
  email: "The payer's e-mail address.",
  phone: "The payer's telephone number.",
  'approval-code': "The issuer's approval code.",
  'last-four-digits': 'The last four digits of the card number; of a payout, those of the card that was paid to.',
  bin: 'The first six digits of the card number; of a payout, those of the card that was paid to.',
  'card-type': 'The brand: VISA, MASTERCARD, AMEX …',
  'gate-partial-reversal': '`enabled` when part of the amount can be returned, else `disabled`.',
  'gate-partial-capture': '`enabled` when part of a held amount can be captured, else `disabled`.',
  'reason-code': 'Why a payment was charged back. Nothing reports that yet, so it is always empty.',
  'processor-rrn': "The acquirer's retrieval reference number.",
  'processor-tx-id': "The acquirer's id of the transaction.",
  comment: "The comment sent with the request that made the transaction, or else the order's.",
  merchantdata: 'What was sent as `merchant_data`, unchanged.',
  'serial-number': 'The serial-number of the request that made the transaction.',
  'amount-signed':
    '`no` of an order that nobody signed, and absent of all others: anybody may have chosen its amount and its id.',
  control: 'The signature: the hexadecimal SHA-1 of `status`, `orderid`, `client_orderid` and the control key.',
} as const;

type CallbackParameter = keyof typeof callbackParameters;

const CALLBACK_NAMES = Object.keys(callbackParameters) as CallbackParameter[];

/** The parameters that the payer's browser carries, in the order it posts them. */
export const finalRedirectParameters = [
  'status',
  'orderid',
  'merchant_order',
  'client_orderid',
  'error_message',
  'error_code',
  'control',
  'descriptor',
  'processor-tx-id',
  'amount',
  'currency',
  'bin',
  'type',
  'card-type',
  'phone',
  'last-four-digits',
  'card-holder-name',
  'gate-partial-reversal',
  'gate-partial-capture',
  'merchantdata',
  'amount-signed',
] as const satisfies readonly CallbackParameter[];

/** A parameter with one of the documented names. */
export type SentParameter = readonly [name: CallbackParameter, value: string];

/** The parameters of a callback, with a control made with `key`. */
export function callbackFields(told: ToldTransaction, key: Secret<string>, partialAt: PartialAt): SentParameter[] {
  return chosen(told, CALLBACK_NAMES, valuesOf(told, key, partialAt));
}

/** What the payer's browser posts to the merchant's redirect URL at the end, whatever the outcome. */
export function finalRedirectFields(told: ToldTransaction, key: Secret<string>, partialAt: PartialAt): SentParameter[] {
  return chosen(told, finalRedirectParameters, valuesOf(told, key, partialAt));
}

type ParameterValues = Record<CallbackParameter, string | undefined>;

function chosen({ order }: ToldTransaction, names: readonly CallbackParameter[], values: ParameterValues) {
  const sent = order.unsigned ? names : names.filter((name) => name !== 'amount-signed');
  return sent.map((name): SentParameter => [name, values[name] ?? '']);
}

function valuesOf(told: ToldTransaction, key: Secret<string>, partialAt: PartialAt): ParameterValues {
  const { order, transaction, details, descriptor } = told;
  // A payout has only one card, the payee's.
  const card = order.operation === 'payout' ? told.targetCard : told.card;
  const { answer } = transaction;
  const partial = partialAt(purposeOf(order).terminal);
  const failure = failureOf(transaction);
  const { status } = stages[transaction.stage];
  const orderId = String(order.orderId);
  const { clientOrderId } = order;
  const name = [details.firstName, details.lastName].filter(Boolean).join(' ');
  return {
    status,
    merchant_order: clientOrderId,
    client_orderid: clientOrderId,
    orderid: orderId,
    type: transaction.type,
    amount: writeAmount({ minor: transaction.amount, currency: order.currency }, order.notation),
    currency: order.currency,
    descriptor,
    error_code: failure?.code,
    error_message: failure?.message,
    name: card?.holder ?? name,
    'card-holder-name': card?.holder,
    email: details.email,
    phone: details.phone ?? details.cellPhone,
    'approval-code': answer?.word === 'approved' ? answer.approvalCode : undefined,
    'last-four-digits': card?.lastFour,
    bin: card?.bin,
    'card-type': card?.brand,
    'gate-partial-reversal': partial.includes('refund') ? 'enabled' : 'disabled',
    'gate-partial-capture': partial.includes('capture') ? 'enabled' : 'disabled',
    'reason-code': undefined,
    'processor-rrn': answer?.rrn,
    'processor-tx-id': answer?.processorTxId,
    comment: transaction.comment ?? details.comment,
    merchantdata: details.merchantData,
    'serial-number': transaction.requestSerial,
    'amount-signed': order.unsigned ? 'no' : undefined,
    control: callbackControl({ status, orderId, clientOrderId }, key),
  };
}

/** The merchant's address with our parameters after its own; of equal names only ours remain. */
export function withQuery(url: URL, fields: readonly SentParameter[]): URL {
  const ours = new Set<string>(fields.map(([name]) => name));
  const whole = new URL(url);
  whole.hash = '';
  const theirs = whole.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !ours.has(nameIn(pair)));
  const added = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  whole.search = [...theirs, ...added].join('&');
  return whole;
}

function nameIn(pair: string): string {
  return new URLSearchParams(pair).keys().next().value ?? '';
}
