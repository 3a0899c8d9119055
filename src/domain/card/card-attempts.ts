// Which transactions the card networks count as attempts on a card, and as how many.

import { isOwnDecline } from '../acquirer/action-codes.ts';
import type { Route } from '../acquirer/terminal.ts';
import { isMerchantInitiated, type Order, type Transaction } from '../order/order.ts';
import { openStages, type Stage } from '../order/stages.ts';
import { isUnanswered, PASSED_ON } from '../order/terminal-tries.ts';
import type { TransactionType } from '../order/transaction-types.ts';
import type { Attempt } from './network-limits.ts';

/** The transactions that ask the issuer of the paying card. */
const ASKS_ISSUER: ReadonlySet<TransactionType> = new Set(['sale', 'preauth', 'account-verification']);

/** Stages in which an issuer has declined, unless nobody answered. */
export const DECLINED_STAGES: readonly Stage[] = ['declined', PASSED_ON];

/** Stages in which an attempt counts against the limits: it was declined, or may still be. */
export const COUNTED_STAGES: readonly Stage[] = [...DECLINED_STAGES, ...openStages];

/**
 * Whether the networks count it: a merchant's own charges of a stored card from their start, a payer's payments once
 * the issuer has declined them. What the gateway itself declined never got as far as the issuer.
 */
export function isCardAttempt(
  order: Pick<Order, 'operation'>,
  { type, stage, originalSeq, answer }: Pick<Transaction, 'type' | 'stage' | 'originalSeq' | 'answer'>,
): boolean {
  if (originalSeq !== undefined) return false;
  if (isMerchantInitiated(order)) return true;
  const declineCode = answer?.word === 'declined' ? answer.code : undefined;
  const isDeclined = DECLINED_STAGES.includes(stage) && !isUnanswered({ stage, declineCode });
  return isDeclined && ASKS_ISSUER.has(type) && !(declineCode !== undefined && isOwnDecline(declineCode));
}

/** A transaction that `isCardAttempt`, as it stands now. */
export type NotedAttempt = {
  readonly at: number;
  readonly amount: bigint;
  readonly currency: string;
  readonly stage: Stage;
  readonly declineCode: string | undefined;
  /** Amounts that its order tries in turn. */
  readonly alternatives: readonly bigint[];
  readonly terminal: string;
  readonly route: Route | undefined;
};

/** One in flight may go on with other amounts, or at other terminals, and counts with each of them. */
export function attemptsOf(noted: NotedAttempt): Attempt[] {
  const { at, amount, alternatives, currency, stage } = noted;
  if (!COUNTED_STAGES.includes(stage) || isUnanswered(noted)) return [];
  const others = DECLINED_STAGES.includes(stage)
    ? []
    : [...alternatives, ...Array(furtherTerminals(noted)).fill(amount)];
  return [amount, ...others].map((minor) => ({ at, minor, currency }));
}

/** How many terminals stand behind the one that is asked now. */
function furtherTerminals({ terminal, route }: NotedAttempt): number {
  return route ? Math.max(0, route.terminals.length - 1 - route.terminals.indexOf(terminal)) : 0;
}
