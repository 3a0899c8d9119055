// Card references: a merchant's name for a stored card. A card has one; deleting it takes the name away, not the history.

import type { Database, Statement } from '../database.ts';
import type { CardReference, CardReferenceStore } from '../store.ts';
import { cardColumns, cardFrom } from './card-rows.ts';

const insert: Statement = {
  name: 'card-references-insert',
  text: `insert into card_references (merchant_id, reference_id, card_id, created_at) values ($1, $2, $3, $4)
    on conflict (merchant_id, card_id) do update
      set reference_id = case when card_references.deleted_at is null then card_references.reference_id else excluded.reference_id end,
        deleted_at = null
    returning reference_id`,
};

const select: Statement = {
  name: 'card-references-find',
  text: `select ${cardColumns('c')} from card_references r
    join cards c on c.merchant_id = r.merchant_id and c.card_id = r.card_id
    where r.merchant_id = $1 and r.reference_id = $2 and r.deleted_at is null`,
};

const remove: Statement = {
  name: 'card-references-remove',
  text: `update card_references set deleted_at = $3 where merchant_id = $1 and reference_id = $2 and deleted_at is null
    returning 1`,
};

const list: Statement = {
  name: 'card-references-list',
  text: `select r.reference_id, r.created_at as made_at, ${cardColumns('c')} from card_references r
    join cards c on c.merchant_id = r.merchant_id and c.card_id = r.card_id
    where r.merchant_id = $1 and r.reference_id < $2 and r.deleted_at is null
    order by r.reference_id desc limit $3`,
};

export function cardReferenceStore(database: Database): CardReferenceStore {
  return {
    async ensure({ merchantId, referenceId, cardId, at }) {
      const [row] = await database.query(insert, [merchantId, referenceId, cardId, new Date(at)]);
      return Number(row?.reference_id);
    },
    async find(merchantId, referenceId) {
      const [row] = await database.query(select, [merchantId, referenceId]);
      return row && cardFrom(row);
    },
    async list({ merchantId, before = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = await database.query(list, [merchantId, before, limit]);
      return rows.flatMap((row): CardReference[] => {
        const card = cardFrom(row);
        return card
          ? [{ referenceId: Number(row.reference_id), card, createdAt: (row.made_at as Date).getTime() }]
          : [];
      });
    },
    async remove(merchantId, referenceId, at) {
      return (await database.query(remove, [merchantId, referenceId, new Date(at)])).length === 1;
    },
  };
}
