// The tables of orders, their transactions and events, and the columns an order and a transaction are read from.

import type { Approval, Decline, Eligibility } from '../../domain/acquirer/acquirer-answer.ts';
import type { Route } from '../../domain/acquirer/terminal.ts';
import type { Notation } from '../../domain/money/money.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { CallbackPlan, HostedForm, OrderOperation } from '../../domain/order/order.ts';
import type { Stage } from '../../domain/order/stages.ts';
import type { TransactionType } from '../../domain/order/transaction-types.ts';
import type { FilterReason } from '../../domain/screening/filter-reason.ts';
import { sealedColumns } from '../cards/card-rows.ts';
import { Columns, column, type RowOf, rowsInJson, table } from '../tables/index.ts';

/** What an order is read from, apart from its transactions. */
export const orderColumns = new Columns({
  merchantId: column.id('merchant_id'),
  orderId: column.id('order_id'),
  endpointId: column.id('endpoint_id'),
  clientOrderId: column.text('client_order_id'),
  operation: column.text<OrderOperation>('operation'),
  currency: column.text('currency'),
  notation: column.text<Notation>('notation'),
  amount: column.bigint('amount'),
  alternatives: column.bigints('alternatives'),
  form: column.text<HostedForm>('form').optional(),
  formTries: column.int('form_tries').optional(),
  unsigned: column.boolean('unsigned'),
  authorised: column.bigint('authorised'),
  captured: column.bigint('captured'),
  released: column.bigint('released'),
  reversed: column.bigint('reversed'),
  holdUntil: column.moment('hold_until').optional(),
  version: column.int('version'),
  createdAt: column.moment('created_at'),
  callbacks: column.jsonb<CallbackPlan>('callbacks').optional(),
  route: column.jsonb<Route>('route').optional(),
});

export const orders = table('orders', ['merchantId', 'orderId'], {
  ...orderColumns.parts,
  control: column.bytea('control').optional(),
  cardId: column.id('card_id').optional(),
  targetCardId: column.id('target_card_id').optional(),
  /** The first six and the last four digits of the card that pays, or of the one that is paid. */
  cardEnds: column.text('card_ends').optional(),
  sealedTarget: sealedColumns('sealed_target', 'target_data_key_id').optional(),
  details: column.json<OrderDetails>('details'),
  sealedDetails: sealedColumns('sealed_details', 'details_data_key_id').optional(),
  receiptId: column.uuid('receipt_id'),
  changedAt: column.moment('changed_at'),
});

/** The columns of an answer, for `answer` and for batches, which take them one by one. */
export const answerColumns = new Columns({
  approvalCode: column.text('approval_code').optional(),
  rrn: column.text('rrn').optional(),
  processorTxId: column.text('processor_tx_id').optional(),
  terminalId: column.text('terminal_id').optional(),
  declineCode: column.text('decline_code').optional(),
  eligibility: column.jsonb<Eligibility>('eligibility').optional(),
  told: column.jsonb<ToldByBank>('told').optional(),
});

/** What only some banks tell of a payment. */
export type ToldByBank = Pick<Approval, 'networkTransactionId' | 'checks'>;

type AnswerRow = RowOf<typeof answerColumns.parts>;

/** What a transaction is read from. */
export const transactionColumns = new Columns({
  seq: column.int('seq'),
  type: column.text<TransactionType>('type'),
  amount: column.bigint('amount'),
  stage: column.text<Stage>('stage'),
  leg: column.int('leg'),
  legs: column.int('legs'),
  terminal: column.text('terminal'),
  traceId: column.id('trace_id').optional(),
  originalSeq: column.int('original_seq').optional(),
  dueAt: column.moment('due_at').optional(),
  attempts: column.int('attempts'),
  sends: column.int('sends'),
  requestSerial: column.uuid('request_serial'),
  comment: column.text('comment').optional(),
  answer: answerColumns.as(answerFrom, answerRow),
  challengeUrl: column.text('challenge_url').optional(),
  filterReason: column.text<FilterReason>('filter_reason').optional(),
  createdAt: column.moment('created_at'),
  changedAt: column.moment('changed_at'),
});

export const transactions = table('transactions', ['merchantId', 'orderId', 'seq'], {
  ...orders.key.parts,
  ...transactionColumns.parts,
  leaseOwner: column.uuid('lease_owner').optional(),
  fingerprint: column.bytea('fingerprint'),
  idempotencyKey: column.text('idempotency_key').optional(),
  idempotencyUntil: column.moment('idempotency_until').optional(),
  sealedCvv: column.bytea('sealed_cvv').optional(),
  cardFingerprint: column.bytea('card_fingerprint').optional(),
  cardGivenAt: column.moment('card_given_at').optional(),
});

export const orderEvents = table('order_events', ['merchantId', 'orderId', 'version'], {
  ...orders.key.parts,
  version: column.int('version'),
  at: column.moment('at'),
  event: column.jsonText<Readonly<Record<string, unknown>>>('event'),
});

/** The request that confirmed an order which was waiting for it. */
export const confirmations = table('confirmations', ['merchantId', 'orderId'], {
  ...orders.key.parts,
  requestSerial: column.uuid('request_serial'),
  fingerprint: column.bytea('fingerprint'),
  idempotencyKey: column.text('idempotency_key').optional(),
  idempotencyUntil: column.moment('idempotency_until').optional(),
  createdAt: column.moment('created_at'),
});

/** A whole order, read in one row. */
export function wholeOrder(alias: string) {
  const rows = `from transactions where ${orders.key.match('transactions', alias)}`;
  return orderColumns.of(alias).with({ transactions: rowsInJson(transactionColumns, rows, 'x.seq') });
}

function answerFrom(row: AnswerRow): Approval | Decline | undefined {
  const { approvalCode, rrn, processorTxId, terminalId, declineCode, eligibility, told } = row;
  if (approvalCode !== undefined) {
    return {
      word: 'approved',
      approvalCode,
      // An approval is written with both.
      rrn: rrn!,
      processorTxId: processorTxId!,
      ...(terminalId === undefined ? {} : { terminalId }),
      ...(eligibility === undefined ? {} : { eligibility }),
      ...told,
    };
  }
  if (declineCode === undefined) return undefined;
  return {
    word: 'declined',
    code: declineCode,
    ...(rrn === undefined ? {} : { rrn }),
    ...(processorTxId === undefined ? {} : { processorTxId }),
    ...told,
  };
}

function answerRow(answer: Approval | Decline | undefined): AnswerRow {
  const approval = answer?.word === 'approved' ? answer : undefined;
  return {
    approvalCode: approval?.approvalCode,
    rrn: answer?.rrn,
    processorTxId: answer?.processorTxId,
    terminalId: approval?.terminalId,
    declineCode: answer?.word === 'declined' ? answer.code : undefined,
    eligibility: approval?.eligibility,
    told: toldIn(answer),
  };
}

export function toldIn(answer: Approval | Decline | undefined): ToldByBank | undefined {
  const checks = answer?.checks;
  const networkTransactionId = answer?.word === 'approved' ? answer.networkTransactionId : undefined;
  if (checks === undefined && networkTransactionId === undefined) return undefined;
  return { ...(networkTransactionId && { networkTransactionId }), ...(checks && { checks }) };
}
