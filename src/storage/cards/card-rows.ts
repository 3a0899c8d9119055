// Stored cards as rows: how they are written, the columns to select, and the card made of them.

import type { Order } from '../../domain/order/order.ts';
import type { Row } from '../database.ts';
import type { StoredCard } from '../store.ts';
import { type Column, names } from '../wire/columns.ts';

/** What a batch says of a card beside whose it is. Orders and recurring payments have a fingerprint too. */
export const CARD: readonly Column<{ readonly card: StoredCard }>[] = [
  ['sealed', 'bytea', ({ card }) => card.sealed.bytes],
  ['data_key_id', 'int', ({ card }) => card.sealed.dataKeyId],
  ['card_fingerprint', 'bytea', ({ card }) => card.fingerprint],
  ['bin', 'text', ({ card }) => card.bin],
  ['last_four', 'text', ({ card }) => card.lastFour],
  ['brand', 'text', ({ card }) => card.brand],
  ['expire_month', 'int', ({ card }) => card.expireMonth],
  ['expire_year', 'int', ({ card }) => card.expireYear],
  ['holder', 'text', ({ card }) => card.holder],
];

/** The card an order came with. */
export const ORDER_CARD: readonly Column<{ readonly card: StoredCard; readonly order: Order }>[] = [
  ['merchant_id', 'bigint', ({ order }) => order.merchantId],
  ['order_id', 'bigint', ({ order }) => order.orderId],
  ['card_id', 'bigint', ({ card }) => card.cardId],
  ...CARD,
  ['created_at', 'timestamptz', ({ order }) => order.createdAt],
];

/** Writes the cards of these rows; what they are selected from follows. */
export function insertCards(row: string, cardId: string): string {
  return `insert into cards (merchant_id, ${COLUMNS.join(', ')}, created_at)
      select ${row}.merchant_id, ${cardId}, ${names(CARD, `${row}.`)}, ${row}.created_at`;
}

const COLUMNS = [
  'card_id',
  'sealed',
  'data_key_id',
  'fingerprint',
  'bin',
  'last_four',
  'brand',
  'expire_month',
  'expire_year',
  'holder',
] as const;

/** The columns of a card, named with a prefix where a row holds two. */
export function cardColumns(table: string, prefix = ''): string {
  return COLUMNS.map((column) => `${table}.${column} as ${prefix}${column}`).join(', ');
}

export function cardFrom(row: Row, prefix = ''): StoredCard | undefined {
  const value = (column: (typeof COLUMNS)[number]) => row[prefix + column];
  if (value('card_id') === null) return undefined;
  return {
    cardId: Number(value('card_id')),
    sealed: { bytes: value('sealed') as Buffer, dataKeyId: Number(value('data_key_id')) },
    fingerprint: value('fingerprint') as Buffer,
    bin: value('bin') as string,
    lastFour: value('last_four') as string,
    brand: value('brand') as string,
    expireMonth: (value('expire_month') as number | null) ?? undefined,
    expireYear: (value('expire_year') as number | null) ?? undefined,
    holder: (value('holder') as string | null) ?? undefined,
  };
}
