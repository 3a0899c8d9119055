// Attempts on a merchant's cards, as the card networks count them: by card number, on all endpoints and nodes together.

import { attemptsOf, COUNTED_STAGES, DECLINED_STAGES } from '../../domain/card/card-attempts.ts';
import type { Attempt } from '../../domain/card/network-limits.ts';
import type { Database } from '../database.ts';
import { orders, transactions } from '../orders/order-rows.ts';
import { IS_UNANSWERED } from '../orders/order-status.ts';
import { stageIn, stageIs } from '../orders/order-words.ts';
import type { StoredCard } from '../store.ts';
import { COLUMNS, column, ofMerchant, statement } from '../tables/index.ts';

export type AttemptQuery = {
  readonly merchantId: number;
  readonly card: StoredCard;
  /** All that its number may have been noted by, where that is more than the card's own. */
  readonly fingerprints?: readonly Buffer[] | undefined;
  readonly amounts: readonly bigint[];
  /** How far back attempts over these amounts matter, and how far those over any amount. */
  readonly since: number;
  readonly anyAmountSince: number;
};

export type CardAttempts = {
  readonly attempts: readonly Attempt[];
  /** What the card was declined with since the payment that stored it was approved. */
  readonly declineCodes: readonly string[];
};

export type CardAttemptStore = { find(query: AttemptQuery): Promise<CardAttempts> };

// The stages stand by themselves, so that approved charges, by far the most, are not even looked at.
const selectAttempts = statement('card-attempts-recent', {
  at: transactions.parts.createdAt.of('t'),
  amount: transactions.parts.amount.of('t'),
  currency: orders.parts.currency.of('o'),
  terminal: transactions.parts.terminal.of('t'),
  stage: transactions.parts.stage.of('t'),
  route: orders.parts.route.of('o'),
  declineCode: column.text('t.decline_code').optional(),
  alternatives: orders.parts.alternatives.of('o'),
})`
    select ${COLUMNS} from transactions t join orders o on ${orders.key.match('o', 't')}
    where ${ofMerchant('t')} and t.card_fingerprint = any($2::bytea[]) and t.created_at > $3
      and ${stageIn(COUNTED_STAGES, 't')} and not (${IS_UNANSWERED})
      and (not (${stageIn(DECLINED_STAGES, 't')}) or t.amount = any($4::bigint[]) or t.created_at > $5)`;

// A card that was entered on the hosted form has an id of its own, and a reference only because it paid then: what
// counts is what came after it was entered. The card of a recurring payment was stored without a payment.
const selectCodes = statement('card-attempts-codes', { code: column.text('decline_code') })`
    select distinct ${COLUMNS} from transactions
    where ${ofMerchant()} and card_fingerprint = any($2::bytea[]) and ${stageIn(DECLINED_STAGES)}
      and decline_code is not null
      and created_at > coalesce(
        (select changed_at from transactions where ${ofMerchant()} and order_id = $3 and seq = 1 and ${stageIs('approved')}),
        (select c.created_at from cards c where ${ofMerchant('c')} and c.card_id = $3
          and not exists (select from recurring_payments p where ${ofMerchant('p')} and p.recurring_payment_id = $3)),
        '-infinity')`;

export function cardAttemptStore(database: Database): CardAttemptStore {
  return {
    async find({ merchantId, card, fingerprints = [card.fingerprint], amounts, since, anyAmountSince }) {
      const recent = [merchantId, fingerprints, new Date(since), amounts, new Date(anyAmountSince)];
      const [attempts, codes] = await database.flight([
        { statement: selectAttempts, values: recent },
        { statement: selectCodes, values: [merchantId, fingerprints, card.cardId] },
      ]);
      return {
        attempts: attempts.flatMap(attemptsOf),
        declineCodes: codes.map(({ code }) => code),
      };
    },
  };
}
