// Stored cards as rows: the columns to select, and the card made of them.

import type { Row } from './database.ts';
import type { StoredCard } from './store.ts';

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
