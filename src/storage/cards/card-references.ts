// Card references: a merchant's one name for a stored card. Deleting takes the name away, not the history.

import type { Database } from '../database.ts';
import type { CardReferenceStore } from '../store.ts';
import { COLUMNS, column, ofMerchant, statement, table } from '../tables/index.ts';
import { cards, storedCard } from './card-rows.ts';

export const cardReferences = table('card_references', ['merchantId', 'referenceId'], {
  merchantId: column.id('merchant_id'),
  referenceId: column.id('reference_id'),
  cardId: column.id('card_id'),
  createdAt: column.moment('created_at'),
});

const insert = statement('card-references-insert', cardReferences.pick('referenceId'))`
  ${cardReferences.insert()}
    on conflict (merchant_id, card_id, shard) do update
      set reference_id = case when card_references.deleted_at is null then card_references.reference_id else excluded.reference_id end,
        created_at = case when card_references.deleted_at is null then card_references.created_at else excluded.created_at end,
        deleted_at = null
    returning ${COLUMNS}`;

const ofCard = statement('card-references-of-card', cardReferences.pick('referenceId'))`
  select ${COLUMNS} from card_references where ${ofMerchant()} and card_id = $2 and deleted_at is null`;

const select = statement('card-references-find', storedCard.of('c'))`
  select ${COLUMNS} from card_references r
    join cards c on ${cards.key.match('c', 'r')}
    where ${ofMerchant('r')} and r.reference_id = $2 and r.deleted_at is null`;

const remove = statement('card-references-remove')`
  update card_references set deleted_at = $3 where ${cardReferences.key.equal()} and deleted_at is null
    returning 1`;

const list = statement('card-references-list', {
  ...cardReferences.pick('referenceId', 'createdAt').of('r').parts,
  card: storedCard.of('c'),
})`
  select ${COLUMNS} from card_references r
    join cards c on ${cards.key.match('c', 'r')}
    where ${ofMerchant('r')} and r.deleted_at is null and ($2::bigint is null or (r.created_at, r.reference_id) < (
      select b.created_at, b.reference_id from card_references b where ${ofMerchant('b')} and b.reference_id = $2))
    order by r.created_at desc, r.reference_id desc limit $3`;

export function cardReferenceStore(database: Database): CardReferenceStore {
  return {
    async ensure({ merchantId, referenceId, cardId, at }) {
      const values = cardReferences.values({ merchantId, referenceId, cardId, createdAt: at });
      const [row] = await database.query(insert, values);
      return row?.referenceId ?? referenceId;
    },
    ofCard: async (merchantId, cardId) => (await database.query(ofCard, [merchantId, cardId]))[0]?.referenceId,
    find: async (merchantId, referenceId) => (await database.query(select, [merchantId, referenceId]))[0],
    list: ({ merchantId, before, limit }) => database.query(list, [merchantId, before, limit]),
    remove: async (merchantId, referenceId, at) =>
      (await database.query(remove, [merchantId, referenceId, new Date(at)])).length === 1,
  };
}
