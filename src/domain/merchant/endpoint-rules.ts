// What an endpoint demands of an order's money: its currency, its minimum, its maximum.

import { type Fault, fault } from '../errors.ts';
import { type Money, writeAmount } from '../money/money.ts';
import type { Endpoint } from './merchant.ts';

/** What it demands of every order, also of one that moves no money. */
export function readinessFaults({ endpointId, enabled, currency }: Endpoint, amount: Money): Fault[] {
  if (!enabled) return [fault('endpoint-disabled', { hint: String(endpointId) })];
  if (amount.currency === currency) return [];
  const hint = `end point ${endpointId} takes ${currency}, not ${amount.currency}`;
  return [fault('currency-mismatch', { field: 'currency', hint })];
}

export function endpointFaults(endpoint: Endpoint, amount: Money): Fault[] {
  const { currency, minimum, maximum } = endpoint;
  const notReady = readinessFaults(endpoint, amount);
  if (notReady.length > 0) return notReady;
  const bound = (minor: bigint) => `${writeAmount({ minor, currency }, 'major')} ${currency}`;
  if (minimum !== undefined && amount.minor < minimum) {
    return [fault('amount-below-minimum', { field: 'amount', hint: bound(minimum) })];
  }
  if (maximum !== undefined && amount.minor > maximum) {
    return [fault('amount-above-maximum', { field: 'amount', hint: bound(maximum) })];
  }
  return [];
}
