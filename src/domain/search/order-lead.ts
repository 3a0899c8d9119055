// What leads a search for orders: of all that is known, the thing that the fewest orders share. Each has an index.

import { errors } from '../errors.ts';
import { REASON_STAGES } from '../figures/end-reasons.ts';
import { type PublicStatus, type Stage, stages } from '../order/stages.ts';
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
const UNUSUAL: ReadonlySet<PublicStatus | undefined> = new Set(['unknown', 'filtered', 'error'] as const);

/** Those whose orders are found by their transactions, and so come in the order of ids. */
export const LISTED_BY_ID: ReadonlySet<OrderLead> = new Set(['rrn', 'approvalCode', 'status'] as const);

export function leadOf(search: OrderSearch): OrderLead {
  const isUsed = (lead: OrderLead) => {
    if (lead === 'time') return true;
    return lead === 'status' ? UNUSUAL.has(statusSought(search)) : search[lead] !== undefined;
  };
  return LEADS.find(isUsed) ?? 'time';
}

/** The status that was asked for, or the one status of all orders that end for this reason. */
export function statusSought({ status, reason }: Pick<OrderSearch, 'status' | 'reason'>): PublicStatus | undefined {
  if (status !== undefined || reason === undefined) return status;
  if (REASON_STAGES.some((stage) => stage === reason)) return stages[reason as Stage].status;
  // A rule that stopped it. Codes of banks are none of these names.
  return Object.hasOwn(errors, reason) ? 'filtered' : undefined;
}

/** Whether pages of this search are in the order of ids, and end with one. */
export function isListedById(search: OrderSearch): boolean {
  return LISTED_BY_ID.has(leadOf(search));
}
