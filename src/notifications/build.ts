// What a merchant is told about a transaction that ended: the parameters of a callback, and the fields the payer's browser
// carries back in the end, made of the same values. Every name is always there; what is not known is empty.

import { writeAmount } from '../domain/money/money.ts';
import { failureOf } from '../domain/order/failure.ts';
import type { Transaction } from '../domain/order/order.ts';
import { stages } from '../domain/order/stages.ts';
import type { Secret } from '../domain/secret.ts';
import { callbackControl } from '../signing/callback.ts';
import type { OrderView } from '../storage/store.ts';

/** A transaction with its order, and how the endpoint is named on card statements. */
export type Told = OrderView & { readonly transaction: Transaction; readonly descriptor: string | undefined };

export type Field = readonly [name: string, value: string];

/** In the order they are sent. */
const CALLBACK_FIELDS = [
  'status',
  'merchant_order',
  'client_orderid',
  'orderid',
  'type',
  'amount',
  'currency',
  'descriptor',
  'error_code',
  'error_message',
  'name',
  'card-holder-name',
  'email',
  'phone',
  'approval-code',
  'last-four-digits',
  'bin',
  'card-type',
  'gate-partial-reversal',
  'gate-partial-capture',
  'reason-code',
  'processor-rrn',
  'processor-tx-id',
  'comment',
  'merchantdata',
  'serial-number',
  'control',
] as const;

const FINAL_REDIRECT_FIELDS = [
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
  'merchantdata',
] as const satisfies readonly (typeof CALLBACK_FIELDS)[number][];

/** The parameters of a callback, its control under `key`. */
export function callbackFields(told: Told, key: Secret<string>): Field[] {
  return chosen(CALLBACK_FIELDS, told, key);
}

/** What the payer's browser posts to the merchant's redirect URL at the end, whatever the outcome. */
export function finalRedirectFields(told: Told, key: Secret<string>): Field[] {
  return chosen(FINAL_REDIRECT_FIELDS, told, key);
}

function chosen(names: readonly (typeof CALLBACK_FIELDS)[number][], told: Told, key: Secret<string>): Field[] {
  const values = valuesOf(told, key);
  return names.map((name) => [name, values[name] ?? '']);
}

function valuesOf(told: Told, key: Secret<string>): Record<(typeof CALLBACK_FIELDS)[number], string | undefined> {
  const { order, transaction, details, descriptor } = told;
  // The one card of a payout is the payee's.
  const card = order.operation === 'payout' ? told.targetCard : told.card;
  const { answer } = transaction;
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
    'gate-partial-reversal': 'enabled',
    'gate-partial-capture': 'enabled',
    // Of chargebacks and frauds, which no connector reports yet.
    'reason-code': undefined,
    'processor-rrn': answer?.rrn,
    'processor-tx-id': answer?.processorTxId,
    comment: transaction.comment ?? details.comment,
    merchantdata: details.merchantData,
    'serial-number': transaction.requestSerial,
    control: callbackControl({ status, orderId, clientOrderId }, key),
  };
}

/** The merchant's address with the parameters behind its own; where names meet, ours stand. */
export function withQuery(url: URL, fields: readonly Field[]): URL {
  const ours = new Set(fields.map(([name]) => name));
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
