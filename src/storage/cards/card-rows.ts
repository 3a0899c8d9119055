// Stored cards as rows: their table, the card made of a row of it, and how the cards of a batch are written.

import type { Order } from '../../domain/order/order.ts';
import type { StoredCard } from '../store.ts';
import { Columns, column, shardOfId, table } from '../tables/index.ts';
import { type Column, names } from '../wire/columns.ts';

/** Bytes only the vault can open, and the data key they were sealed under. */
export function sealedColumns(bytes: string, dataKeyId: string) {
  return new Columns({ bytes: column.bytea(bytes), dataKeyId: column.int(dataKeyId) });
}

export const cards = table('cards', ['merchantId', 'cardId'], {
  merchantId: column.id('merchant_id'),
  cardId: column.id('card_id'),
  sealed: sealedColumns('sealed', 'data_key_id'),
  fingerprint: column.bytea('fingerprint'),
  bin: column.text('bin'),
  issuerDigits: column.text('issuer_digits').optional(),
  lastFour: column.text('last_four'),
  brand: column.text('brand'),
  expireMonth: column.int('expire_month').optional(),
  expireYear: column.int('expire_year').optional(),
  holder: column.text('holder').optional(),
  createdAt: column.moment('created_at'),
});

/** What a stored card is read from. */
export const storedCard = cards.without('merchantId', 'createdAt');

/** By these digits people find orders: the first six and the last four. */
export function cardEnds({ bin, lastFour }: Pick<StoredCard, 'bin' | 'lastFour'>): string {
  return `${bin}-${lastFour}`;
}

/** The same of a row. */
export const CARD_ENDS_OF_ROW = "bin || '-' || last_four";

/** What a batch says of a card beside whose it is. Orders and recurring payments have a fingerprint too. */
export const CARD = storedCard
  .without('cardId')
  .with({ fingerprint: column.bytea('card_fingerprint') })
  .batchOfRows<{ readonly card: StoredCard }>(({ card }) => card);

/** The card an order came with. */
export const ORDER_CARD: readonly Column<{ readonly card: StoredCard; readonly order: Order }>[] = [
  ['merchant_id', 'bigint', ({ order }) => order.merchantId],
  ['order_id', 'bigint', ({ order }) => order.orderId],
  ['card_id', 'bigint', ({ card }) => card.cardId],
  ...CARD,
  ['created_at', 'timestamptz', ({ order }) => order.createdAt],
];

/** How the cards of a batch are inserted, whose own id the column has. */
export function cardInsertion<T>(batch: readonly Column<T>[], cardId: string) {
  const values = `r.merchant_id, r.${cardId}, ${names(CARD, 'r.')}, r.created_at`;
  return { into: 'cards', names: cards.names(), batch, values } as const;
}

/** Writes the cards of these rows; what they are selected from follows. */
export function insertCards(row: string, cardId: string, shard = shardOfId(`${row}.merchant_id`)): string {
  return `insert into cards (shard, ${cards.names()})
      select ${shard}, ${row}.merchant_id, ${cardId}, ${names(CARD, `${row}.`)}, ${row}.created_at`;
}
