// Which callbacks an order owes, pure: `server_callback_url` hears how the order itself ended, and that a payout came
// back; `notify_url` hears how every transaction ended. A decline that is followed by a try of a smaller amount is not
// told: only the last try is.

import { destinationOf } from '../merchant/callback-url.ts';
import type { OrderDetails } from './details.ts';
import { type CallbackPlan, isReturnedPayout, type Order, type Transaction } from './order.ts';
import { isFinal, type Stage } from './stages.ts';

export type CallbackTarget = keyof CallbackPlan;

/** What identifies a callback. */
export type CallbackName = { readonly orderId: number; readonly seq: number; readonly target: CallbackTarget };

/** A callback's id for merchants and operators, the same in every repeat. */
export function callbackId({ orderId, seq, target }: CallbackName): string {
  return `${orderId}-${seq}-${target}`;
}

export function readCallbackId(text: string): CallbackName | undefined {
  const [, orderId, seq, target] = /^([1-9]\d{0,15})-([1-9]\d{0,5})-(server|notify)$/.exec(text) ?? [];
  return target === undefined
    ? undefined
    : { orderId: Number(orderId), seq: Number(seq), target: target as CallbackTarget };
}

export type DueCallback = {
  readonly order: Order;
  readonly seq: number;
  readonly stage: Stage;
  readonly target: CallbackTarget;
  readonly destination: string;
  readonly at: number;
};

/** Undefined for the many orders without callbacks. A URL that is given twice is called once. */
export function callbackPlan({ serverCallbackUrl, notifyUrl }: OrderDetails): CallbackPlan | undefined {
  if (serverCallbackUrl === undefined && notifyUrl === undefined) return undefined;
  const server = serverCallbackUrl === notifyUrl ? undefined : serverCallbackUrl;
  return {
    ...(server === undefined ? {} : { server: destinationOf(server) }),
    ...(notifyUrl === undefined ? {} : { notify: destinationOf(notifyUrl) }),
  };
}

export function callbackUrlOf(details: OrderDetails, target: CallbackTarget): string | undefined {
  return target === 'server' ? details.serverCallbackUrl : details.notifyUrl;
}

const NONE: readonly DueCallback[] = [];

/** The callbacks that a change makes due; without `before` the order is new. */
export function callbacksDue(before: Order | undefined, after: Order): readonly DueCallback[] {
  const plan = after.callbacks;
  if (plan === undefined) return NONE;
  return after.transactions.flatMap((transaction) => {
    const earlier = before?.transactions[transaction.seq - 1];
    const isNews = isFinal(transaction.stage) && !(earlier && isFinal(earlier.stage));
    return isNews && !isTriedAgain(after, transaction) ? toldOf(after, plan, transaction) : [];
  });
}

function isTriedAgain({ transactions }: Order, { seq, originalSeq }: Transaction): boolean {
  return originalSeq === undefined && transactions.some((one) => one.seq > seq && one.originalSeq === undefined);
}

function toldOf(order: Order, plan: CallbackPlan, transaction: Transaction) {
  const { seq, stage, originalSeq, changedAt: at } = transaction;
  // A merchant hears of what it asked for in the reply to that; nobody asked for a payout to come back.
  const isOwn = originalSeq === undefined || isReturnedPayout(order, transaction);
  const targets: CallbackTarget[] = isOwn ? ['server', 'notify'] : ['notify'];
  return targets.flatMap((target): DueCallback[] => {
    const destination = plan[target];
    return destination === undefined ? [] : [{ order, seq, stage, target, destination, at }];
  });
}
