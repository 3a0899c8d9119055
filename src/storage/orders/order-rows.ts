// From rows to orders, their transactions and views.

import type { Approval, Decline, Eligibility } from '../../domain/acquirer/acquirer-answer.ts';
import type { Order, Transaction } from '../../domain/order/order.ts';
import type { Stage } from '../../domain/order/stages.ts';
import type { FilterReason } from '../../domain/screening/filter-reason.ts';
import { authenticationFrom } from '../authentications.ts';
import { cardFrom } from '../cards/card-rows.ts';
import type { Row } from '../database.ts';
import type { OrderView, Sealed } from '../store.ts';

export function orderFrom(row: Row, transactions: Transaction[]): Order {
  return {
    merchantId: Number(row.merchant_id),
    orderId: Number(row.order_id),
    endpointId: Number(row.endpoint_id),
    clientOrderId: row.client_order_id as string,
    operation: row.operation as Order['operation'],
    currency: row.currency as string,
    notation: row.notation as Order['notation'],
    amount: BigInt(row.amount as string),
    alternatives: (row.alternatives as string[]).map(BigInt),
    form: (row.form as Order['form'] | null) ?? undefined,
    authorised: BigInt(row.authorised as string),
    captured: BigInt(row.captured as string),
    released: BigInt(row.released as string),
    reversed: BigInt(row.reversed as string),
    holdUntil: row.hold_until === null ? undefined : moment(row.hold_until),
    version: Number(row.version),
    createdAt: moment(row.created_at),
    callbacks: (row.callbacks as Order['callbacks'] | null) ?? undefined,
    transactions,
  };
}

export function transactionFrom(row: Row): Transaction {
  return {
    seq: Number(row.seq),
    type: row.type as Transaction['type'],
    amount: BigInt(row.amount as string),
    stage: row.stage as Stage,
    leg: Number(row.leg),
    legs: Number(row.legs),
    originalSeq: row.original_seq === null ? undefined : Number(row.original_seq),
    dueAt: row.due_at === null ? undefined : moment(row.due_at),
    attempts: Number(row.attempts),
    sends: Number(row.sends),
    requestSerial: row.request_serial as string,
    comment: (row.comment as string | null) ?? undefined,
    answer: answerFrom(row),
    filterReason: (row.filter_reason as FilterReason | null) ?? undefined,
    createdAt: moment(row.created_at),
    changedAt: moment(row.changed_at),
  };
}

function answerFrom(row: Row): Approval | Decline | undefined {
  if (row.approval_code !== null) {
    return {
      word: 'approved',
      approvalCode: row.approval_code as string,
      rrn: row.rrn as string,
      processorTxId: row.processor_tx_id as string,
      ...(row.terminal_id === null ? {} : { terminalId: row.terminal_id as string }),
      ...(row.eligibility === null ? {} : { eligibility: row.eligibility as Eligibility }),
    };
  }
  if (row.decline_code === null) return undefined;
  return {
    word: 'declined',
    code: row.decline_code as string,
    ...(row.rrn === null ? {} : { rrn: row.rrn as string }),
    ...(row.processor_tx_id === null ? {} : { processorTxId: row.processor_tx_id as string }),
  };
}

export function viewFrom(row: Row): OrderView {
  const transactions = (row.transactions as Row[]).map(transactionFrom);
  return {
    order: orderFrom(row, transactions),
    details: row.details as OrderView['details'],
    receiptId: row.receipt_id as string,
    card: cardFrom(row),
    targetCard: cardFrom(row, 'target_'),
    authentication: row.authentication === null ? undefined : authenticationFrom(row.authentication as Row),
  };
}

export function sealedFrom(bytes: unknown, dataKeyId: unknown): Sealed | undefined {
  return bytes === null ? undefined : { bytes: bytes as Buffer, dataKeyId: Number(dataKeyId) };
}

/** A timestamp arrives as Date from a column and as text from inside JSON. */
function moment(value: unknown): number {
  return value instanceof Date ? value.getTime() : Date.parse(value as string);
}
