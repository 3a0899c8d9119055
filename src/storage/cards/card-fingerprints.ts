// Fingerprints of card numbers that were made under an older lookup key, to be made anew: those of stored cards, and
// those by which attempts on a card are counted.

import { lookupKeyMark } from '../../vault/vault.ts';
import type { Database } from '../database.ts';
import { orders, transactions } from '../orders/order-rows.ts';
import type { StoredCard } from '../store.ts';
import { COLUMNS, ofMerchant, type RowOf, sameMerchant, statement } from '../tables/index.ts';
import { cards } from './card-rows.ts';

type CardKey = RowOf<typeof cards.key.parts>;
type AttemptKey = RowOf<typeof transactions.key.parts>;

type OldCard = { readonly key: CardKey; readonly card: Pick<StoredCard, 'sealed' | 'fingerprint'> };
/** An attempt and the card that the order was paid with. */
type OldAttempt = { readonly key: AttemptKey; readonly card: Pick<StoredCard, 'cardId' | 'sealed'> };

export type CardFingerprintStore = {
  /** Cards behind `after`, in the order of their keys, whose fingerprint is not under the lookup key. */
  cards(lookupKeyId: number, after: CardKey, limit: number): Promise<OldCard[]>;
  /** Writes a card's new fingerprint, also to the attempts that are counted by the old one. */
  replace(key: CardKey, old: Buffer, fresh: Buffer): Promise<void>;
  attempts(lookupKeyId: number, after: AttemptKey, limit: number): Promise<OldAttempt[]>;
  replaceAttempt(key: AttemptKey, fresh: Buffer): Promise<void>;
};

/** A fingerprint has 32 bytes and then what names its key. */
const keyOf = (fingerprint: string) => `substring(${fingerprint} from 33)`;

const statements = {
  cards: statement('card-fingerprints-cards', {
    key: cards.key,
    card: cards.pick('sealed', 'fingerprint'),
  })`
    select ${COLUMNS} from cards
    where ${keyOf('fingerprint')} <> $1 and (merchant_id, card_id) > ($2, $3)
    order by merchant_id, card_id limit $4`,
  replaceCard: statement('card-fingerprints-replace-card')`
    update cards set fingerprint = $1 where fingerprint = $2 and ${cards.key.equal(3)}`,
  replaceAttempts: statement('card-fingerprints-replace-attempts')`
    update transactions set card_fingerprint = $1 where ${ofMerchant('', '$3')} and card_fingerprint = $2`,
  attempts: statement('card-fingerprints-attempts', {
    key: transactions.key.of('t'),
    card: cards.pick('cardId', 'sealed').of('c'),
  })`
    select ${COLUMNS} from transactions t join orders o on ${orders.key.match('o', 't')}
      join cards c on ${sameMerchant('c', 'o')} and c.card_id = o.card_id
    where t.card_fingerprint is not null and ${keyOf('t.card_fingerprint')} <> $1
      and (t.merchant_id, t.order_id, t.seq) > ($2, $3, $4)
    order by t.merchant_id, t.order_id, t.seq limit $5`,
  replaceAttempt: statement('card-fingerprints-replace-attempt')`
    update transactions set card_fingerprint = $1 where ${transactions.key.equal(2)}`,
};

export function cardFingerprintStore(database: Database): CardFingerprintStore {
  return {
    cards: (lookupKeyId, after, limit) =>
      database.query(statements.cards, [lookupKeyMark(lookupKeyId), ...cards.key.values(after), limit]),
    async replace({ merchantId, cardId }, old, fresh) {
      await database.flight([
        { statement: statements.replaceCard, values: [fresh, old, merchantId, cardId] },
        { statement: statements.replaceAttempts, values: [fresh, old, merchantId] },
      ]);
    },
    attempts: (lookupKeyId, after, limit) =>
      database.query(statements.attempts, [lookupKeyMark(lookupKeyId), ...transactions.key.values(after), limit]),
    async replaceAttempt(key, fresh) {
      await database.query(statements.replaceAttempt, [fresh, ...transactions.key.values(key)]);
    },
  };
}
