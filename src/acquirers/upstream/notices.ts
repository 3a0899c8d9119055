// Callbacks of the provider: a GET request whose control is the SHA-1 of status, order id, client order id and our key.
// What it says is not taken over: it is the reason to ask for the status now.

import { timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../domain/secret.ts';
import { callbackControl } from '../../signing/callback.ts';
import { readControl } from '../../signing/control.ts';
import type { Notice, NoticeReading } from '../acquirer.ts';
import { referenceIn } from './client-order-id.ts';
import { TYPES } from './status.ts';

/** Transactions that act on an order's money: their callbacks name the order, and their own reference as comment. */
const FOLLOW_UP_TYPES: ReadonlySet<string> = new Set(['capture', 'cancel', 'void', 'reversal']);

export type ReadNotice = NoticeReading & {
  /** The order that the notice is about, once its control fits. */
  readonly clientOrderId?: string;
};

export function readNotice({ method, query }: Pick<Notice, 'method' | 'query'>, key: Secret<string>): ReadNotice {
  if (method !== 'GET') return refusal(405, 'Callbacks are GET requests.');
  const told = (name: string) => query.get(name) ?? '';
  const [status, orderId] = [told('status'), told('orderid')];
  const clientOrderId = told('client_orderid') || told('merchant_order');
  const sent = readControl(told('control'));
  const expected = Buffer.from(callbackControl({ status, orderId, clientOrderId }, key), 'hex');
  if (status === '' || !sent || !timingSafeEqual(sent, expected)) {
    return refusal(400, 'The control does not fit the callback.');
  }
  const [type, comment] = [told('type'), told('comment')];
  const reference = referenceIn((FOLLOW_UP_TYPES.has(type) && comment) || clientOrderId);
  const noticeId = [orderId, told('serial-number'), status].join(' ');
  const taken = { status: 200, body: 'OK', contentType: 'text/plain', reference, noticeId, clientOrderId };
  return isReturn({ type, status, comment }) ? { ...taken, returned: true } : taken;
}

/** Whatever we ask for has a comment: what was given back without one came from the bank behind the provider. */
function isReturn({ type, status, comment }: Readonly<Record<'type' | 'status' | 'comment', string>>): boolean {
  return type === TYPES.refund && status === 'approved' && comment === '';
}

function refusal(status: number, body: string): ReadNotice {
  return { status, body, contentType: 'text/plain' };
}
