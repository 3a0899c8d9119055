// An order and its transactions: what the money has done so far and what must happen next.
// The sums are kept on the order, so that the database checks the caps too; storage keeps a lease for the node at work.

import type { Approval, Decline } from '../acquirer/acquirer-answer.ts';
import type { Route } from '../acquirer/terminal.ts';
import { COUNTED_IDS_END } from '../ids/id-space.ts';
import type { Notation } from '../money/money.ts';
import type { FilterReason } from '../screening/filter-reason.ts';
import type { Stage } from './stages.ts';
import { paysFromBalance, type TransactionType } from './transaction-types.ts';

/** The most characters a merchant's own id of an order may have. */
export const MAX_CLIENT_ORDER_ID = 128;

export type OrderKey = { readonly merchantId: number; readonly orderId: number };

/** The operations that make orders. */
export const ORDER_OPERATIONS = [
  'sale',
  'preauth',
  'rebill',
  'account-verification',
  'payout',
  'transfer',
  'pan-eligibility',
  'recurring',
] as const;

/** The operation that made the order. */
export type OrderOperation = (typeof ORDER_OPERATIONS)[number];

/** What happens once the payer has entered a card on the hosted form: it pays, or it waits for the merchant's word. */
export type HostedForm = 'pays' | 'waits';

/** The destinations (host and port) of an order's callbacks: each has a queue of its own. */
export type CallbackPlan = { readonly server?: string; readonly notify?: string };

export type Order = OrderKey & {
  readonly endpointId: number;
  readonly clientOrderId: string;
  readonly operation: OrderOperation;
  readonly currency: string;
  /** How the merchant wrote the amount; replies write it the same way. */
  readonly notation: Notation;
  /** What was asked for, in minor units, as are all sums. */
  readonly amount: bigint;
  /** Amounts to try in turn when the one before is declined. */
  readonly alternatives: readonly bigint[];
  /** Of an order whose card is entered on the hosted form; undefined when the merchant sent the card. */
  readonly form: HostedForm | undefined;
  /** How many cards the payer may try on the form; undefined without one, and for forms made before it could be set. */
  readonly formTries: number | undefined;
  /** Nobody proved that the merchant asked for it: its id is no name for it, and its amount is a stranger's word. */
  readonly unsigned: boolean;
  readonly authorised: bigint;
  readonly captured: bigint;
  /** Held money that was given back without being captured. */
  readonly released: bigint;
  readonly reversed: bigint;
  /** Until when a preauthorisation holds its money. */
  readonly holdUntil: number | undefined;
  /** Counts changes; a change is written only over the version it was decided on. */
  readonly version: number;
  readonly createdAt: number;
  /** Where callbacks go; undefined when the merchant asked for none. */
  readonly callbacks: CallbackPlan | undefined;
  /** Where it may be sent; undefined of an order whose endpoint had no choice. */
  readonly route: Route | undefined;
  readonly transactions: readonly Transaction[];
};

export type Transaction = {
  /** 1, 2, 3 … within the order. */
  readonly seq: number;
  readonly type: TransactionType;
  readonly amount: bigint;
  readonly stage: Stage;
  /** Which of its instructions a transaction is at: a transfer first takes the money, then sends it. */
  readonly leg: number;
  readonly legs: number;
  /** The terminal that has its money, or that it is sent to. */
  readonly terminal: string;
  /** Numbers its instruction for banks; undefined of a try of what the order was made for, which has the order's id. */
  readonly traceId: number | undefined;
  /** The transaction whose money this one acts on. */
  readonly originalSeq: number | undefined;
  /** When a node must look at it again; undefined when the service has nothing more to do. */
  readonly dueAt: number | undefined;
  /** Tries made in the present stage. */
  readonly attempts: number;
  /** How often the instruction was sent to the acquirer. */
  readonly sends: number;
  /** The serial number of the request that made the transaction. */
  readonly requestSerial: string;
  readonly comment: string | undefined;
  readonly answer: Approval | Decline | undefined;
  /** Where the bank wants the payer. */
  readonly challengeUrl: string | undefined;
  /** Why a limit or a fraud rule stopped the transaction. */
  readonly filterReason: FilterReason | undefined;
  readonly createdAt: number;
  readonly changedAt: number;
};

/** Which instruction of an order; `orderedAt` is when the order was made, not the transaction. */
export type InstructionPlace = {
  readonly orderId: number;
  readonly orderedAt: number;
  readonly seq: number;
  readonly leg: number;
};

/**
 * Our name for an instruction in every message to the acquirer: unique for ever, the same in repeats. A counter from a
 * restored backup gives the ids that it gave since the backup once more, so the time of the order is part of the name.
 */
export function referenceAt({ orderId, orderedAt, seq, leg }: InstructionPlace): string {
  const name = leg === 1 ? `${orderId}-${seq}` : `${orderId}-${seq}-${leg}`;
  return orderId < COUNTED_IDS_END ? `${name}-${orderedAt.toString(36)}` : name;
}

export function acquirerReference(order: Order, { seq, leg }: { seq: number; leg: number }): string {
  return referenceAt({ orderId: order.orderId, orderedAt: order.createdAt, seq, leg });
}

/** Which transaction our name for an instruction is of. Compare the whole name with that of the order it leads to. */
export function placeOfReference(reference: string): { readonly orderId: number; readonly seq: number } | undefined {
  const [, orderId, seq] = /^([1-9]\d{0,15})-([1-9]\d{0,3})(?:-[0-9a-z]{1,12}){0,2}$/.exec(reference) ?? [];
  return orderId === undefined ? undefined : { orderId: Number(orderId), seq: Number(seq) };
}

export function transactionOf(order: Order, seq: number): Transaction {
  const transaction = order.transactions[seq - 1];
  if (transaction?.seq !== seq) throw new Error(`Order ${order.orderId} has no transaction ${seq}`);
  return transaction;
}

/** The latest try of what the order was made for, as opposed to follow-ups on its money. */
export function purposeOf(order: Order): Transaction {
  const latest = order.transactions.findLast(({ originalSeq }) => originalSeq === undefined);
  if (!latest) throw new Error(`Order ${order.orderId} has no transaction of its own`);
  return latest;
}

/** Whether a transaction books a payout back that its bank returned. Nobody asked for it, and nothing is sent. */
export function isReturnedPayout(order: Order, { type, originalSeq }: Transaction): boolean {
  return type === 'reversal' && originalSeq !== undefined && paysFromBalance(transactionOf(order, originalSeq));
}

/** Whether the merchant charges a stored card while the payer is away. */
export function isMerchantInitiated({ operation }: Pick<Order, 'operation'>): boolean {
  return operation === 'rebill' || operation === 'recurring';
}
