// A request as a merchant writes it: its fields, the values that its control covers by name, and the control.

import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { type Money, writeAmount } from '../../domain/money/money.ts';
import type { Secret } from '../../domain/secret.ts';
import { amountReadings } from '../../signing/amount-readings.ts';
import { controlDigest } from '../../signing/control.ts';
import { strictSignature } from '../../signing/strict.ts';

export const TRIED = {
  SALE: { path: '/api/v2/sale', hasCard: true },
  PREAUTH: { path: '/api/v2/preauth', hasCard: true },
  SALEFORM: { path: '/api/v2/sale-form', hasCard: false },
} as const;

export type TriedOperation = keyof typeof TRIED;

export type TrialPayment = {
  readonly operation: TriedOperation;
  readonly endpoint: Endpoint;
  readonly amount: Money;
  readonly email: string;
  readonly cardNumber: string;
  readonly securityCode: string;
  readonly callbackUrl: string | undefined;
};

type Signed = { readonly name: string; readonly value: string };

export type SignedRequest = {
  readonly operation: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly signed: readonly Signed[];
  readonly headers: Readonly<Record<string, string>>;
};

const ORDER_CHARACTERS = 12;
const YEARS_AHEAD = 5;

type Signing = { readonly key: Secret<string>; readonly isStrict: boolean; readonly now: number };

export function paymentRequest(payment: TrialPayment, signing: Signing): SignedRequest {
  const { operation, endpoint, amount, email, callbackUrl } = payment;
  const { path, hasCard } = TRIED[operation];
  const clientOrderId = `try-${randomUUID().slice(0, ORDER_CHARACTERS)}`;
  const written = writeAmount(amount, 'major');
  // In major units there is one reading, the last.
  const figure = amountReadings(written, amount.currency, endpoint.signedInHundredths).at(-1)?.signed ?? written;
  const card = {
    credit_card_number: payment.cardNumber,
    card_printed_name: 'ANN EXAMPLE',
    expire_month: '12',
    expire_year: String(new Date(signing.now).getUTCFullYear() + YEARS_AHEAD),
    cvv2: payment.securityCode,
  };
  const fields = {
    client_orderid: clientOrderId,
    order_desc: 'A payment of the trial page',
    amount: written,
    currency: amount.currency,
    ...PAYER,
    email,
    ...(hasCard ? card : { redirect_url: 'https://shop.example/back' }),
    ...(callbackUrl === undefined ? {} : { server_callback_url: callbackUrl }),
  };
  const signed = [
    { name: 'endpoint', value: String(endpoint.endpointId) },
    { name: 'client_orderid', value: clientOrderId },
    { name: 'amount in minor units', value: figure },
    { name: 'email', value: email },
  ];
  return withControl(operation, { path: `${path}/${endpoint.endpointId}`, fields, signed }, endpoint, signing);
}

const PAYER = {
  first_name: 'Ann',
  last_name: 'Example',
  address1: '1 Main Street',
  city: 'Springfield',
  zip_code: '12345',
  country: 'DE',
  phone: '+4930123456',
  ipaddress: '203.0.113.7',
};

export type TriedOrder = { readonly login: string; readonly clientOrderId: string; readonly orderId: string };

export function statusRequest(order: TriedOrder, endpoint: Endpoint, signing: Signing): SignedRequest {
  const { login, clientOrderId, orderId } = order;
  const fields = { login, client_orderid: clientOrderId, orderid: orderId };
  const signed = Object.entries(fields).map(([name, value]) => ({ name, value }));
  const path = `/api/v2/status/${endpoint.endpointId}`;
  return withControl('STATUS', { path, fields, signed }, endpoint, signing);
}

function withControl(
  operation: string,
  request: Pick<SignedRequest, 'path' | 'fields' | 'signed'>,
  { endpointId }: Endpoint,
  { key, isStrict, now }: Signing,
): SignedRequest {
  const values = request.signed.map(({ value }) => value);
  const fields = { ...request.fields, control: controlDigest(values, key).toString('hex') };
  const body = Buffer.from(new URLSearchParams(fields).toString());
  const seconds = String(Math.floor(now / 1000));
  const strict = isStrict && strictSignature(seconds, { operation, pathId: String(endpointId), body }, key);
  const headers: Record<string, string> = strict ? { 'X-Signature': `t=${seconds},v1=${strict.toString('hex')}` } : {};
  return { ...request, operation, fields, headers };
}
