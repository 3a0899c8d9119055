// What leads a search for orders: of all that is known, the thing that the fewest orders share. Each has an index.

import type { PublicStatus } from '../order/stages.ts';
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
    if (lead === 'status') return search.status !== undefined && UNUSUAL.includes(search.status);
    return search[lead] !== undefined;
  };
  return LEADS.find(isUsed) ?? 'time';
}

/** Whether pages of this search are in the order of ids, and end with one. */
export function isListedById(search: OrderSearch): boolean {
  return LISTED_BY_ID.has(leadOf(search));
}
