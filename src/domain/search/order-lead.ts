// What leads a search for orders: of all that is known, the thing that the fewest orders share. Each has an index.

import { errors } from '../errors.ts';
import { type PublicStatus, stagesShownAs } from '../order/stages.ts';
import type { OrderSearch } from './order-search.ts';

/** The most telling first. */
const LEADS = [
  'orderId',
  'clientOrderId',
  'rrn',
  'approvalCode',
  'email',
  'card',
  'address',
  'status',
  'time',
] as const;

export type OrderLead = (typeof LEADS)[number];

/** Few orders have them, and an index knows which. */
export const UNUSUAL: readonly PublicStatus[] = ['unknown', 'filtered', 'error'];

/** Those whose orders are found by their transactions, and so come in the order of ids. */
export const LISTED_BY_ID: ReadonlySet<OrderLead> = new Set(['rrn', 'approvalCode', 'status'] as const);

export function leadOf(search: OrderSearch): OrderLead {
  const isUsed = (lead: OrderLead) => {
    if (lead === 'time') return true;
    if (lead !== 'status') return search[lead] !== undefined;
    const status = statusSought(search);
    return status !== undefined && UNUSUAL.includes(status);
  };
  return LEADS.find(isUsed) ?? 'time';
}

/** The status that was asked for, or the one status of all orders that end for this reason. */
export function statusSought({ status, reason }: Pick<OrderSearch, 'status' | 'reason'>): PublicStatus | undefined {
  if (status !== undefined || reason === undefined) return status;
  if (stagesShownAs('error').some((stage) => stage === reason)) return 'error';
  // A rule that stopped it. Codes of banks are none of these names.
  return Object.hasOwn(errors, reason) ? 'filtered' : undefined;
}

/** Whether pages of this search are in the order of ids, and end with one. */
export function isListedById(search: OrderSearch): boolean {
  return LISTED_BY_ID.has(leadOf(search));
}
