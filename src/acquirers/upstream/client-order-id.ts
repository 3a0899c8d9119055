// Our reference as the provider's client order id. References are short and plain, so nearly always it is the reference
// itself; any other is named by its digest, which fits every provider.

import { createHash, createHmac } from 'node:crypto';
import type { Secret } from '../../domain/secret.ts';
import type { CardDetails } from '../acquirer.ts';

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function clientOrderIdOf(reference: string): string {
  return PLAIN.test(reference) ? reference : `r-${createHash('sha256').update(reference).digest('hex')}`;
}

/** Undefined when the id does not tell the reference. */
export function referenceIn(clientOrderId: string): string | undefined {
  return PLAIN.test(clientOrderId) && !/^r-[0-9a-f]{64}$/.test(clientOrderId) ? clientOrderId : undefined;
}

/**
 * The id under which a card is stored at the provider: the same for the same card, so that it is stored once. Only the
 * provider, who knows the card, could find out which card it is.
 */
export function storedCardId(
  { number, expireMonth, expireYear }: CardDetails,
  currency: string,
  key: Secret<string>,
): string {
  const card = [number.reveal(), expireMonth, expireYear, currency].join(' ');
  return `card-${createHmac('sha256', key.reveal()).update(card).digest('hex').slice(0, 40)}`;
}

/** An order at the provider, which follow-ups name by both of its ids. */
export type ProviderOrder = { readonly orderId: string; readonly clientOrderId: string };

/**
 * How a follow-up's own transaction is named: with the client order id of the order it belongs to, because whoever acts
 * on it later knows only its own reference.
 */
export function writeProviderOrder({ orderId, clientOrderId }: ProviderOrder): string {
  return `${orderId}/${clientOrderId}`;
}

/** Undefined when nothing is known of the order. */
export function readProviderOrder(origin: {
  readonly reference: string;
  readonly processorTxId?: string | undefined;
}): ProviderOrder | undefined {
  const [, orderId, clientOrderId] = /^([1-9]\d{0,18})(?:\/(.+))?$/.exec(origin.processorTxId ?? '') ?? [];
  if (orderId === undefined) return undefined;
  return { orderId, clientOrderId: clientOrderId ?? clientOrderIdOf(origin.reference) };
}
