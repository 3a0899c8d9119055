// Words of the domain in statements. The compiler holds each to its type: a stage that is none reaches no database.

import type { OrderEvent } from '../../domain/order/decide.ts';
import type { OrderOperation } from '../../domain/order/order.ts';
import type { PublicStatus, Stage } from '../../domain/order/stages.ts';
import type { TransactionType } from '../../domain/order/transaction-types.ts';
import type { Finding } from '../../domain/order/transitions.ts';

const columnOf = (name: string, row: string | undefined) => (row === undefined ? name : `${row}.${name}`);

export const wordList = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** A condition on a column; `row` is what the statement calls the row. */
const is =
  <W extends string>(column: string) =>
  (word: W, row?: string) =>
    `${columnOf(column, row)} = '${word}'`;

const isOneOf =
  <W extends string>(column: string) =>
  (words: readonly W[], row?: string) =>
    `${columnOf(column, row)} in (${wordList(words)})`;

export const stageIs = is<Stage>('stage');
export const stageIn = isOneOf<Stage>('stage');
export const typeIs = is<TransactionType>('type');
export const typeIn = isOneOf<TransactionType>('type');
export const operationIs = is<OrderOperation>('operation');
export const statusIn = isOneOf<PublicStatus>('status');

/** Of rows of events. */
export const eventIs = is<OrderEvent['type']>("event ->> 'type'");
export const eventIsFrom = is<Stage>("event ->> 'from'");
export const findingIn = isOneOf<Finding>("event ->> 'finding'");
